import type { LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { HttpReply, HttpRequest } from './net.ts';

/**
 * Sends a request over node:http on a connection of its own. Given addresses, it goes to one of them without asking for
 * the name again.
 */
export async function sendOverNode(
  { url, method, headers, body, signal }: HttpRequest,
  lookup: LookupFunction | undefined,
): Promise<HttpReply> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  signal.throwIfAborted();
  const options: RequestOptions = {
    method,
    // some firewalls refuse a request that does not say what sent it
    headers: { 'User-Agent': 'node', 'Accept-Encoding': 'identity', ...headers },
    // a connection that was kept may lead to an address that was not judged
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

/** Returns a lookup that answers with these addresses, whatever the name is. */
export function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, { all }, answer) => {
    const [{ address, family }] = addresses as [LookupAddress]; // judged addresses are at least one
    if (all === true) answer(null, [...addresses]);
    else answer(null, address, family);
  };
}

/** Breaks off a request, or its response, when a signal aborts. */
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
    // who reads the body hears it too, and who does not read it yet may not be listening
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
