import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Guard } from '../guard/guard.ts';
import { portOf } from '../guard/ports.ts';
import { assertResolved, type Proxies, type ProxyServer, proxyFor } from '../web/proxies.ts';
import { connectProxy, connectThrough } from '../web/tunnel.ts';

type Connect = buildConnector.connector;

/** The checks and proxies for a browser's connections. */
export interface DialRules {
  readonly guard: Pick<Guard, 'connector' | 'lookupFor'>;
  readonly proxies: Proxies | undefined;
}

/** A connection to the host of a URL. */
export interface Dialled {
  readonly socket: Socket;
  /** the operator's proxy, if it sends the response */
  readonly answering: ProxyServer | undefined;
}

/**
 * Connects to the host of a URL that the guard allows: to the address that was checked, or through the operator's
 * proxy. `onPart` receives functions that abort the connection while it is being made.
 */
export async function connectTo(
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
    // the browser itself speaks TLS through the tunnel
    protocol: 'http:',
  };
  return new Promise((resolve, reject) => {
    // undici's connectors return the socket at once, unlike their types
    const made: unknown = by(target, (...[error, socket]) => {
      if (error === null) resolve(socket);
      else reject(error);
    });
    if (made instanceof Socket) onPart(() => made.destroy());
  });
}
