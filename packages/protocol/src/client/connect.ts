import type { Notification } from '../jsonrpc/message.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import { Client } from './client.ts';
import { Link } from './link.ts';
import { negotiate } from './negotiate.ts';
import { type ClientOptions, normalise, type Settings } from './options.ts';
import type { Transport } from './transport.ts';

/**
 * Connects a client to a server: negotiates era and revision.
 * @example
 * const client = await connect(transport, { name: 'me', version: '1.0.0' });
 * const { structuredContent } = await client.callTool('add', { a: 1, b: 2 });
 * structuredContent; // => { sum: 3 }
 * await client.close();
 */
export async function connect(transport: Transport, options: ClientOptions): Promise<Client> {
  const settings = settingsFor(transport, options);
  let connected: (client: Client) => void = () => {};
  const ready = new Promise<Client>((resolve) => {
    connected = resolve;
  });
  let client: Client | undefined;
  // notifications that arrive before the agreement wait for it
  const early: Notification[] = [];
  const open = async (): Promise<Link> => {
    const link: Link = new Link(await transport.open(), {
      serve: async (request, serving) =>
        request.method === 'ping' ? '{}' : (client ?? (await ready)).serve(request, serving),
      notified: (notification) => {
        if (client === undefined) early.push(notification);
        else client.notified(notification);
      },
      onError: settings.onError,
      closed: (reason) => client?.closed(reason, link),
      renewed: () => client?.renewed(),
      missed: () => client?.missed(),
    });
    return link;
  };
  const agreement = await negotiate(open, settings);
  const { link, revision } = agreement;
  client = new Client(agreement, settings, () => negotiate(open, reopenSettings(settings, revision)));
  connected(client);
  if (link.closed !== undefined) client.closed(link.closed, link);
  for (const notification of early) client.notified(notification);
  if (client.era === 'handshake') {
    link.notify('notifications/initialized');
    const { logLevel } = settings;
    if (logLevel !== undefined && client.capabilities?.logging !== undefined)
      await client.setLogLevel(logLevel);
  }
  return client;
}

/**
 * Returns settings that require the same era and revision from a server that is connected again; the signal
 * of the first attempt no longer applies.
 */
function reopenSettings(settings: Settings, revision: Revision): Settings {
  const again = { ...settings, signal: undefined };
  return revisions[revision].era === 'handshake' ? { ...again, era: 'handshake', revision } : again;
}

function settingsFor({ handshakeOnly }: Transport, options: ClientOptions): Settings {
  const settings = normalise(options);
  return handshakeOnly === true && settings.era === 'auto' ? { ...settings, era: 'handshake' } : settings;
}
