import { serveHttp } from '@rootbound/protocol/http';
import { sseRoutes } from '@rootbound/protocol/sse';
import { expect, onTestFinished } from 'vitest';
import type { LedgerRevision } from '../ledger.ts';
import type { Message } from '../message.ts';
import { all } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { Site, type Stream } from './site.ts';
import { over } from './world.ts';

const eventStream = { Accept: 'text/event-stream' };

/** Starts a server with HTTP+SSE of 2024-11-05 beside the newer endpoint. */
async function serve(revision: LedgerRevision, stage = new Stage()) {
  const server = fixture(stage);
  const routes = sseRoutes(server);
  const listening = await serveHttp(server, { port: 0, mounts: [routes.route] });
  onTestFinished(async () => {
    await routes.close(0);
    await listening.close(0);
  });
  const site = new Site(listening, revision);
  return { site, routes, server };
}

/** Connects a client with an open stream. */
class Old {
  readonly site: Site;
  readonly stream: Stream;
  endpoint = '';

  constructor(site: Site, stream: Stream) {
    this.site = site;
    this.stream = stream;
  }

  post(message: object) {
    const [path, search] = this.endpoint.split('?');
    return this.site.ask({
      path: `${path}?${search}`,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      headers: { Accept: undefined },
    });
  }

  async request(id: number, method: string, params: object = {}): Promise<Message> {
    await this.post({ id, method, params });
    for (;;) {
      const message = await this.stream.message();
      if (message.id === id) return message;
    }
  }
}

async function open(site: Site): Promise<Old> {
  const old = new Old(site, await site.stream({ method: 'GET', path: '/sse', headers: eventStream }));
  old.endpoint = (await old.stream.next())?.data ?? '';
  return old;
}

const hello = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };

over(
  ['2024-11-05'],
  'a client opens a stream, gets its endpoint, and receives every message on it',
  async ({ proves, revision }) => {
    const { site } = await serve(revision);
    const [one, other] = [await open(site), await open(site)];
    const [first] = one.stream.seen;
    proves('2024-11-05/transport-sse-legacy/sse-endpoint-provided', () =>
      expect([one.stream.status, one.stream.headers['content-type']]).toEqual([200, 'text/event-stream']),
    );
    proves('2024-11-05/transport-sse-legacy/endpoint-event-sent-on-connect', () =>
      expect([first?.event, other.stream.seen[0]?.event]).toEqual(['endpoint', 'endpoint']),
    );
    proves('2024-11-05/transport-sse-legacy/endpoint-event-holds-post-uri', () =>
      expect(URL.canParse(one.endpoint, 'http://127.0.0.1')).toBe(true),
    );
    const posted = await one.post({ id: 1, method: 'initialize', params: hello });
    proves('2024-11-05/transport-sse-legacy/post-endpoint-provided', () =>
      expect([posted.status >= 200 && posted.status < 300, posted.events]).toEqual([true, []]),
    );
    const answer = await one.stream.message();
    const event = one.stream.seen.at(-1);
    proves('2024-11-05/transport-sse-legacy/server-messages-are-message-events', () =>
      expect(event?.event ?? 'message').toBe('message'),
    );
    proves('2024-11-05/transport-sse-legacy/event-data-is-json', () =>
      expect(JSON.parse(event?.data ?? '')).toEqual(answer),
    );
    const second = await other.request(1, 'initialize', hello);
    proves('2024-11-05/transport-sse-legacy/serves-multiple-clients', () =>
      expect([answer, second].map(({ result }) => result.protocolVersion)).toEqual([
        '2024-11-05',
        '2024-11-05',
      ]),
    );
  },
);

over(['2024-11-05'], 'the end of the stream is the end of the session', async ({ proves, revision }) => {
  const stage = new Stage();
  const { site, routes } = await serve(revision, stage);
  const old = await open(site);
  await old.request(1, 'initialize', hello);
  await old.request(2, 'resources/subscribe', { uri: 'memo://today' });
  old.stream.leave();
  while (routes.sessions > 0) await site.ask({ method: 'GET', path: '/healthz' });
  const late = await old.post({ id: 3, method: 'ping' });
  proves('2024-11-05/transport-sse-legacy/closing-connections-is-shutdown', () =>
    expect([stage.watchers('memo://today'), late.status]).toEqual([0, 404]),
  );
});

over(
  ['2024-11-05'],
  'requests of other origins and other machines are refused',
  async ({ proves, revision }) => {
    const { site } = await serve(revision);
    const statuses: number[] = [];
    for (const [method, path] of [
      ['GET', '/sse'],
      ['POST', '/messages?sessionId=x'],
    ] as const)
      statuses.push(
        (await site.ask({ method, path, headers: { ...eventStream, Origin: 'https://evil.example' } }))
          .status,
      );
    proves('2024-11-05/transport-sse-legacy/origin-validated', () => expect(statuses).toEqual([403, 403]));
    proves('2024-11-05/transport-sse-legacy/local-server-binds-localhost', () =>
      expect(site.listening.listener.address()).toMatchObject({ address: '127.0.0.1' }),
    );
    const everywhere = serveHttp(fixture(), { port: 0, host: '0.0.0.0' });
    await proves('2024-11-05/transport-sse-legacy/connections-authenticated', async () => {
      await expect(everywhere).rejects.toThrow('set an authorizer');
    });
  },
);

over(all.slice(1), 'the old endpoints are served beside the new one', async ({ proves, revision }) => {
  const { site } = await serve(revision);
  const old = await open(site);
  const { result } = await old.request(1, 'initialize', hello);
  const fresh = revision === '2026-07-28' ? await site.request('tools/list') : await site.initialize();
  proves('2025-03-26/transport-sse-legacy/server-keeps-old-endpoints-for-older-clients', () =>
    expect([result.protocolVersion, fresh.status]).toEqual(['2024-11-05', 200]),
  );
});
