import type { Transport } from '../../client/transport.ts';
import { Caller } from './caller.ts';
import { HttpChannel } from './channel.ts';
import { endpointOf, type HttpClientOptions, normalise } from './options.ts';

/**
 * Returns a transport to a server at a URL, of any revision: Streamable HTTP, or HTTP+SSE if the server has
 * only that.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 * @example
 * const listening = await serveHttp(server, { port: 0 });
 * const client = await connect(http(listening.url), { name: 'me', version: '1.0.0' });
 * (await client.listTools()).map(({ name }) => name); // => ['add']
 * await client.close();
 * await listening.close();
 */
export function http(url: string | URL, options: HttpClientOptions = {}): Transport {
  const endpoint = endpointOf(url);
  const settings = normalise(options);
  return { open: async () => new HttpChannel(endpoint, settings) };
}

/**
 * Returns a transport to a server of 2024-11-05 at the URL of its stream, for one that is known to have
 * nothing newer.
 * Source: https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 * @example
 * const routes = sseRoutes(server);
 * const { port, close } = await serveHttp(server, { port: 0, mounts: [routes.route] });
 * const client = await connect(sse(`http://127.0.0.1:${port}/sse`), { name: 'me', version: '1.0.0' });
 * client.era; // => 'handshake'
 * await client.close();
 * await routes.close();
 * await close();
 */
export function sse(url: string | URL, options: HttpClientOptions = {}): Transport {
  const endpoint = endpointOf(url);
  const settings = normalise(options);
  return {
    handshakeOnly: true,
    open: async () => {
      const { SseChannel } = await import('./sse-channel.ts');
      return new SseChannel(new Caller(endpoint, settings), settings);
    },
  };
}
