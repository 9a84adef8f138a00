import type { LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { HttpReply, HttpRequest } from './net.ts';

/**
 * Sends a request with node:http on its own connection. With addresses, it connects to one of them without
 * another lookup.
 */
export async function sendOverNode(
  { url, method, headers, body, signal }: HttpRequest,
  lookup: LookupFunction | undefined,
): Promise<HttpReply> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  signal.throwIfAborted();
  const options: RequestOptions = {
    method,
    // some firewalls reject requests without User-Agent
    headers: { 'User-Agent': 'node', 'Accept-Encoding': 'identity', ...headers },
    // a kept-alive connection may lead to an unchecked address
    agent: false,
  };
  const sending = request(url, lookup === undefined ? options : { ...options, lookup });
  const reply = new Promise<HttpReply>((resolve, reject) => {
    sending.on('response', (incoming) => resolve(replyOf(incoming)));
    sending.on('error', reject);
  });
  endWith(sending, signal);
  sending.end(body);
  return reply;
}

/** Returns a lookup function that always returns these addresses. */
export function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, { all }, answer) => {
    const [{ address, family }] = addresses as [LookupAddress]; // there is at least one checked address
    if (all === true) answer(null, [...addresses]);
    else answer(null, address, family);
  };
}

/** Destroys a request, or its response, when a signal aborts. */
function endWith(sending: ClientRequest, signal: AbortSignal): void {
  let incoming: IncomingMessage | undefined;
  const stop = (): void => void (incoming ?? sending).destroy(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  sending.once('response', (response) => {
    incoming = response;
  });
  sending.once('close', () => signal.removeEventListener('abort', stop));
}

function replyOf(incoming: IncomingMessage): HttpReply {
  incoming.on('error', () => {
    // a reader of the body gets the error too, and before it reads there may be no listener
  });
  return {
    status: incoming.statusCode ?? 0,
    header: (name) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    chunks: incoming,
    cancel: () => void incoming.destroy(),
  };
}
