import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Guard } from '../guard/guard.ts';
import { portOf } from '../guard/ports.ts';
import { assertResolved, type Proxies, type ProxyServer, proxyFor } from '../web/proxies.ts';
import { connectProxy, connectThrough } from '../web/tunnel.ts';

type Connect = buildConnector.connector;

/** What connections of a browser are held to. */
export interface DialRules {
  readonly guard: Pick<Guard, 'connector' | 'lookupFor'>;
  readonly proxies: Proxies | undefined;
}

/** A connection to where an address leads. */
export interface Dialled {
  readonly socket: Socket;
  /** the operator's proxy, where it is the one that answers */
  readonly answering: ProxyServer | undefined;
}

/**
 * Connects to an address that the guard allows, for bytes as they are: to what was judged itself, or through the proxy
 * of the operator. `onPart` gets what ends it while it is being made.
 */
export async function dial(
  url: URL,
  { guard, proxies }: DialRules,
  onPart: (end: () => void) => void,
): Promise<Dialled> {
  const proxy = proxies && proxyFor(url, proxies);
  if (proxy === undefined)
    return { socket: await connect(guard.connector({ timeout: 0 }), url, onPart), answering: undefined };
  await assertResolved(guard, url);
  const near = connectProxy(proxy);
  const isPlain = url.protocol === 'http:';
  const far = isPlain ? near : connectThrough(proxy, near, onPart);
  return { socket: await connect(far, url, onPart), answering: isPlain ? proxy : undefined };
}

function connect(by: Connect, url: URL, onPart: (end: () => void) => void): Promise<Socket> {
  const target = {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    host: url.host,
    port: String(portOf(url)),
    // the browser speaks TLS itself, with the host behind the connection
    protocol: 'http:',
  };
  return new Promise((resolve, reject) => {
    // undici's connectors give the socket at once, which its types do not say
    const made: unknown = by(target, (...[error, socket]) => {
      if (error === null) resolve(socket);
      else reject(error);
    });
    if (made instanceof Socket) onPart(() => made.destroy());
  });
}
