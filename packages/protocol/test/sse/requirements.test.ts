import { expect, test, vi } from 'vitest';
import { proves } from '../../../../test/requirements/prove.ts';
import { serveHttp } from '../../src/http.ts';
import { sseRoutes } from '../../src/sse.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { call, Site } from './client.ts';

const site = new Site();
const json = { 'Content-Type': 'application/json' };
const id = (name: string): string => `2024-11-05/transport-sse-legacy/${name}`;
const kept = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].map(
  (revision) => `${revision}/transport-sse-legacy/server-keeps-old-endpoints-for-older-clients`,
);

test('a server of 2024-11-05 has its two endpoints, gives each client its own, and ends with the stream', async () => {
  const stage = new Stage();
  const listening = await site.serve(fixtureServer(stage));
  const [first, second] = [await site.open(listening), await site.open(listening)];
  proves('server', id('sse-endpoint-provided'), () => {
    expect(first.response.statusCode).toBe(200);
    expect(first.response.headers['content-type']).toBe('text/event-stream');
  });
  proves('server', id('endpoint-event-sent-on-connect'), () =>
    expect([first.events[0]?.type, second.events[0]?.type]).toEqual(['endpoint', 'endpoint']),
  );
  const accepted = await first.say('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  proves('server', id('post-endpoint-provided'), () => expect(accepted.status).toBe(202));
  const event = await first.event();
  proves('server', id('endpoint-event-holds-post-uri'), () => {
    expect(new URL(first.endpoint, listening.origin).origin).toBe(listening.origin);
    expect(JSON.parse(event.data).id).toBe(1);
  });
  proves('server', id('server-messages-are-message-events'), () => expect(event.type).toBe('message'));
  proves('server', id('event-data-is-json'), () =>
    expect(JSON.parse(event.data)).toEqual({ jsonrpc: '2.0', id: 1, result: {} }),
  );
  await first.introduce();
  await second.introduce();
  await first.say(call(2, 'hold', { text: 'of the first' }));
  await second.say(call(2, 'echo', { text: 'of the second' }));
  const answer = await second.message();
  proves('server', id('serves-multiple-clients'), () => {
    expect(first.endpoint).not.toBe(second.endpoint);
    expect(answer.result.content[0].text).toBe('of the second');
  });
  first.response.destroy();
  await vi.waitFor(() => expect(listening.routes.sessions).toBe(1), { timeout: 120_000 });
  proves('server', id('closing-connections-is-shutdown'), () =>
    expect([stage.aborted, listening.routes.sessions]).toEqual([['of the first'], 1]),
  );
});

test('the old endpoints work next to the newer one', async () => {
  const server = fixtureServer();
  const routes = sseRoutes(server);
  const listening = await serveHttp(server, { port: 0, mounts: [routes.route] });
  const { origin } = new URL(listening.url);
  const old = await site.open({ origin, routes });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const accept = { Accept: 'application/json, text/event-stream' };
  const newer = await site.ask(listening.url, 'POST', { ...json, ...accept }, body);
  const older = await old.introduce();
  proves('server', kept, () =>
    expect([JSON.parse(newer.body).result.protocolVersion, older.result.protocolVersion]).toEqual([
      '2025-11-25',
      '2024-11-05',
    ]),
  );
  await routes.close(0);
  await listening.close(0);
});

test('pages of other origins and clients without a token are refused', async () => {
  const { origin } = await site.serve(fixtureServer());
  const evil = { Origin: 'https://evil.example' };
  const statuses = [
    (await site.ask(`${origin}/sse`, 'GET', evil)).status,
    (await site.ask(`${origin}/messages?sessionId=x`, 'POST', { ...json, ...evil }, '{}')).status,
  ];
  proves('server', id('origin-validated'), () => expect(statuses).toEqual([403, 403]));
  const authorizer = {
    authorize: () => ({ status: 401 as const, challenge: 'Bearer', message: 'a token is needed' }),
  };
  const guarded = await site.serve(fixtureServer(), {}, { authorizer });
  const refused = [
    await site.ask(`${guarded.origin}/sse`, 'GET'),
    await site.ask(`${guarded.origin}/messages?sessionId=x`, 'POST', json, '{}'),
  ];
  proves('server', id('connections-authenticated'), () =>
    expect(refused.map(({ status, headers }) => [status, headers['www-authenticate']])).toEqual([
      [401, 'Bearer'],
      [401, 'Bearer'],
    ]),
  );
});

test('a server that runs locally is on loopback only', async () => {
  const { origin } = await site.serve(fixtureServer());
  const { port } = new URL(origin);
  const listens = await addressesOf(Number(port));
  proves('server', id('local-server-binds-localhost'), () => expect(listens).toEqual(['127.0.0.1']));
});

/** Returns the addresses of this machine that respond on a port. */
async function addressesOf(port: number): Promise<string[]> {
  const { networkInterfaces } = await import('node:os');
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const all = ['127.0.0.1', '::1', ...own.filter(({ internal }) => !internal).map(({ address }) => address)];
  const { connect } = await import('node:net');
  const answers = await Promise.all(
    all.map(
      (host) =>
        new Promise<string[]>((resolve) => {
          const socket = connect(port, host, () => {
            socket.destroy();
            resolve([host]);
          });
          socket.on('error', () => resolve([]));
        }),
    ),
  );
  return answers.flat();
}
