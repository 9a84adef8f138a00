import { isIP } from 'node:net';
import { WebError } from '../failure.ts';
import type { Guard } from '../guard/guard.ts';
import { bareHost, parseUrl } from './urls.ts';

/** A proxy that the operator configured. */
export interface ProxyServer {
  /** without user name and password */
  readonly url: URL;
  /** value of Proxy-Authorization */
  readonly authorization: string | undefined;
}

interface Exception {
  readonly host: string;
  readonly port: string | undefined;
}

/** The proxies by scheme of the URL. */
export interface Proxies {
  readonly http: ProxyServer | undefined;
  readonly https: ProxyServer | undefined;
  /** hosts that are reached without a proxy */
  readonly except: readonly Exception[];
}

export interface ProxySettings {
  /** the proxy for all URLs, instead of the environment's */
  readonly proxyUrl?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Returns the proxy of the command line, or those of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. */
export function readProxies({ proxyUrl, environment = {} }: ProxySettings): Proxies {
  const of = (name: string) => environment[name] || environment[name.toUpperCase()] || undefined;
  const named = (name: string) => {
    if (proxyUrl !== undefined) return parseProxy(proxyUrl, '--proxy-url');
    const source = [name, 'all_proxy'].find((one) => of(one) !== undefined);
    return source === undefined ? undefined : parseProxy(of(source) ?? '', source.toUpperCase());
  };
  return {
    http: named('http_proxy'),
    https: named('https_proxy'),
    except: parseExceptions(of('no_proxy') ?? ''),
  };
}

/** Returns the proxy for a URL, if any. */
export function proxyFor(url: URL, proxies: Proxies): ProxyServer | undefined {
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http;
  if (proxy === undefined) return undefined;
  const host = bareHost(url.hostname);
  const port = portOf(url);
  const excepted = proxies.except.some(
    (except) =>
      (except.port === undefined || except.port === port) &&
      (except.host === '*' || host === except.host || host.endsWith(`.${except.host}`)),
  );
  return excepted ? undefined : proxy;
}

/**
 * Throws if a name resolves here to addresses that the guard refuses, before a proxy resolves it again. A name that
 * does not resolve here is left to the proxy: networks behind a proxy often have no name service.
 */
export async function assertResolved(guard: Pick<Guard, 'lookupFor'>, url: URL): Promise<void> {
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0) return;
  const lookup = guard.lookupFor(Number(portOf(url)));
  await new Promise<void>((resolve, reject) => {
    lookup(host, { all: true }, (error) => {
      if (error instanceof WebError && error.code !== 'name-not-found') reject(error);
      else resolve();
    });
  });
}

/** Parses a proxy's URL; messages do not repeat it, because it may contain a password. */
function parseProxy(value: string, source: string): ProxyServer {
  const url = parseUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url === undefined || url.hostname === '')
    throw new TypeError(`${source} is not the address of a proxy, such as http://proxy.example:3128`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(
      `${source} names a proxy with the scheme ${url.protocol.slice(0, -1)}; only http and https are supported`,
    );
  const user = url.username === '' && url.password === '' ? undefined : `${url.username}:${url.password}`;
  const authorization = user && `Basic ${Buffer.from(decodeURIComponent(user)).toString('base64')}`;
  return { url: new URL(url.origin), authorization };
}

function parseExceptions(list: string): Exception[] {
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, host = entry, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
      return { host: bareHost(host.replace(/^\*?\./, '').toLowerCase()), port };
    });
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}
