import { serveWebSocket } from '@rootbound/protocol/ws';
import { expect, onTestFinished } from 'vitest';
import { dial, type Frames } from '../frames.ts';
import { fixture, Stage } from './fixture.ts';
import { over } from './world.ts';

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: { roots: {} },
  clientInfo: { name: 'a', version: '1' },
};

async function serve(stage = new Stage()) {
  const server = fixture(stage);
  const listener = await serveWebSocket(server);
  onTestFinished(() => listener.close(0));
  return { server, listener };
}

async function open(url: string): Promise<Frames> {
  const frames = await dial(url);
  if (typeof frames === 'number') throw new Error(`refused with ${frames}`);
  return frames;
}

over(['2025-06-18'], 'a session uses one message per frame', async ({ proves }) => {
  const stage = new Stage();
  const { server, listener } = await serve(stage);
  const frames = await open(listener.url);
  frames.say({ id: 1, method: 'tools/list' });
  const early = await frames.message(({ id }) => id === 1);
  frames.say({ id: 2, method: 'initialize', params: hello });
  const shaken = await frames.message(({ id }) => id === 2);
  proves('2025-06-18/transport-websocket/handshake-runs-inside-the-socket', () =>
    expect([early.error.code, shaken.result.protocolVersion]).toEqual([-32602, '2025-06-18']),
  );
  frames.say({ method: 'notifications/initialized' });
  const roots = await frames.message(({ method }) => method === 'roots/list');
  frames.say({ id: roots.id, result: { roots: [] } });
  server.listChanged('tools');
  const changed = await frames.message(({ method }) => method === 'notifications/tools/list_changed');
  proves('2025-06-18/transport-websocket/full-duplex-both-sides-send', () =>
    expect([typeof roots.id, 'id' in changed]).toEqual(['number', false]),
  );
  frames.frame(1, '\n {"jsonrpc":"2.0","id":3,\n"method":"ping"} \n');
  const pong = await frames.message(({ id }) => id === 3);
  proves('2025-06-18/transport-websocket/no-newline-delimiter-required', () =>
    expect(pong.result).toEqual({}),
  );
  const texts = frames.seen.filter(({ opcode }) => opcode === 1);
  proves('2025-06-18/transport-websocket/one-json-message-per-text-frame', () => {
    for (const { text, final } of texts)
      expect([final, Array.isArray(JSON.parse(text)), text.endsWith('\n')]).toEqual([true, false, false]);
  });
  frames.say({ id: 4, method: 'resources/subscribe', params: { uri: 'memo://today' } });
  await frames.message(({ id }) => id === 4);
  const other = await open(listener.url);
  other.say({ id: 1, method: 'tools/list' });
  const { error } = await other.message(({ id }) => id === 1);
  proves('2025-06-18/transport-websocket/session-is-tied-to-the-socket', () =>
    expect(error.code).toBe(-32602),
  );
  frames.frame(8, Buffer.from([0x03, 0xe8]));
  await frames.over();
  proves('2025-06-18/transport-websocket/close-handshake-ends-session', () =>
    expect(frames.seen.at(-1)?.opcode).toBe(8),
  );
  proves('2025-06-18/transport-websocket/server-cleans-up-on-close', () =>
    expect(stage.watchers('memo://today')).toBe(0),
  );
});

over(['2025-06-18'], 'a socket has the same protections as HTTP', async ({ proves }) => {
  const { listener } = await serve();
  const foreign = await dial(listener.url, { Origin: 'https://evil.example' });
  const authorizer = {
    authorize: ({ header }: { header(name: string): string | undefined }) =>
      header('authorization') === 'Bearer good'
        ? { principal: 'ann' }
        : { status: 401, message: 'who are you?' },
  };
  const guarded = await serveWebSocket(fixture(), { authorizer: authorizer as never });
  onTestFinished(() => guarded.close(0));
  const [nobody, ann] = [await dial(guarded.url), await dial(guarded.url, { Authorization: 'Bearer good' })];
  const open = serveWebSocket(fixture(), { host: '0.0.0.0' });
  await expect(open).rejects.toThrow('set an authorizer');
  proves('2025-06-18/transport-websocket/connection-secured-like-a-web-api', () =>
    expect([foreign, nobody, typeof ann]).toEqual([403, 401, 'object']),
  );
});
