import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, isIP, isIPv6, type LookupFunction } from 'node:net';
import tls, { type ConnectionOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { selfSigned } from '../../ws/certificate.ts';
import { answering, type serve, type WebAnswer, type WebRequest } from './web.ts';

type Answers = readonly string[] | (() => readonly string[]);
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const real = tls.connect;
const ELSEWHERE = 'nothing that has this certificate is there';

/**
 * Hosts with names, without the web: all TLS connections of this process go to one server on loopback, which
 * records the addresses that they were for. A host presents its certificate only at its own addresses.
 */
export class NamedWeb {
  /** the addresses of a name, which may differ from those of its host */
  readonly names = new Map<string, Answers>();
  readonly lookedUp: string[] = [];
  /** the host of each request, by a connection or by `fetch` */
  readonly asked: string[] = [];
  /** each connection: the host, and the addresses that it could have used */
  readonly dialled: { readonly host: string; readonly addresses: readonly string[] }[] = [];
  readonly #listeners = new Map<string, Listener>();
  readonly #answers = new Map<string, (request: WebRequest) => ReturnType<Parameters<typeof serve>[0]>>();
  readonly #homes = new Map<string, readonly string[]>();

  static async start(): Promise<NamedWeb> {
    const web = new NamedWeb();
    const certificate = selfSigned();
    const server = createServer(certificate, (request, response) => {
      const listener = web.#listeners.get(request.headers.host ?? '');
      if (listener === undefined) response.writeHead(404).end();
      else listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens on an address
    const dial = (options: ConnectionOptions): tls.TLSSocket => web.#dial(options, port, certificate.cert);
    Object.assign(tls, { connect: dial });
    syncBuiltinESMExports();
    onTestFinished(() => {
      Object.assign(tls, { connect: real });
      syncBuiltinESMExports();
      server.closeAllConnections();
      server.close();
    });
    return web;
  }

  /** Creates a host at these addresses, as `serve` does. */
  host(name: string, addresses: readonly string[]): typeof serve {
    return async (answer) => {
      const requests: WebRequest[] = [];
      const origin = `https://${name}`;
      this.#answers.set(name, (request) => {
        this.asked.push(name);
        requests.push(request);
        return answer(request);
      });
      this.mount(
        name,
        addresses,
        answering(origin, (request) => this.#answers.get(name)!(request)),
      );
      return { origin, requests };
    };
  }

  mount(name: string, addresses: readonly string[], listener: Listener): void {
    this.names.set(name, addresses);
    this.#homes.set(name.replace(/^\[|\]$/g, ''), addresses);
    this.#listeners.set(name, listener);
  }

  /** Resolves the names of these hosts. */
  readonly lookup: LookupFunction = (name, { all }, answer) => {
    this.lookedUp.push(name);
    const known = this.names.get(name);
    const found = (typeof known === 'function' ? known() : known)?.map((address) => ({
      address,
      family: isIPv6(address) ? 6 : 4,
    }));
    const [first] = found ?? [];
    if (found === undefined || first === undefined)
      answer(Object.assign(new Error(`${name} is not found`), { code: 'ENOTFOUND' }), []);
    else if (all === true) answer(null, found);
    else answer(null, first.address, first.family);
  };

  /** A caller's fetch, whose connections cannot be checked. */
  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = typeof init?.body === 'string' ? init.body : '';
    const request = { method: init?.method ?? 'GET', url, headers, body };
    const answer: WebAnswer | undefined = await this.#answers.get(url.host)?.(request);
    const { status, headers: given, body: content = '' } = answer ?? { status: 404 };
    return new Response(typeof content === 'object' ? JSON.stringify(content) : content, {
      status,
      ...(given !== undefined && { headers: given }),
    });
  };

  #dial(options: ConnectionOptions, port: number, ca: string): tls.TLSSocket {
    const { host = '' } = options;
    let addresses: readonly string[] = [];
    const goTo = (found: readonly string[]): void => {
      addresses = found;
      this.dialled.push({ host, addresses: found });
    };
    const lookup: LookupFunction = (name, asked, answer) => {
      (options.lookup ?? this.lookup)(name, { ...asked, all: true }, (error, found) => {
        if (error === null) goTo(typeof found === 'string' ? [found] : found.map(({ address }) => address));
        if (error !== null) answer(error, []);
        else if (asked.all === true) answer(null, [{ address: '127.0.0.1', family: 4 }]);
        else answer(null, '127.0.0.1', 4);
      });
    };
    if (isIP(host) !== 0) goTo([host]);
    const isHome = (): boolean =>
      addresses.some((address) => this.#homes.get(host)?.includes(address) === true);
    const socket = real({
      ...options,
      host: isIP(host) === 0 ? host : '127.0.0.1',
      port,
      lookup,
      ca,
      checkServerIdentity: () => (isHome() ? undefined : new Error(ELSEWHERE)),
    });
    Object.defineProperty(socket, 'remoteAddress', { get: () => addresses[0] });
    return socket;
  }
}
