import type { Notification } from '../jsonrpc/message.ts';
import { Client } from './client.ts';
import { Link } from './link.ts';
import { negotiate } from './negotiate.ts';
import { type ClientOptions, normalise } from './options.ts';
import type { Transport } from './transport.ts';

/**
 * A client that has agreed with a server on era and revision.
 * @example
 * const client = await connect(childProcess({ command: 'node', args: ['server.js'] }), { name: 'me', version: '1.0.0' });
 * const { content } = await client.callTool('add', { a: 1, b: 2 });
 * await client.close();
 */
export async function connect(transport: Transport, options: ClientOptions): Promise<Client> {
  const settings = normalise(options);
  let connected: (client: Client) => void = () => {};
  const ready = new Promise<Client>((resolve) => {
    connected = resolve;
  });
  let client: Client | undefined;
  // what comes before there is an agreement waits for it
  const early: Notification[] = [];
  const open = async (): Promise<Link> =>
    new Link(await transport.open(), {
      serve: async (request, serving) =>
        request.method === 'ping' ? '{}' : (client ?? (await ready)).serve(request, serving),
      notified: (notification) => {
        if (client === undefined) early.push(notification);
        else client.notified(notification);
      },
      onError: settings.onError,
      closed: (reason) => client?.closed(reason),
    });
  const agreement = await negotiate(open, settings);
  const { link } = agreement;
  client = new Client(agreement, settings);
  connected(client);
  if (link.closed !== undefined) client.closed(link.closed);
  for (const notification of early) client.notified(notification);
  if (client.era === 'handshake') {
    link.notify('notifications/initialized');
    const { logLevel } = settings;
    if (logLevel !== undefined && client.capabilities?.logging !== undefined)
      await client.setLogLevel(logLevel);
  }
  return client;
}
