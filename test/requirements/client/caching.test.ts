import { connect, ResultCache } from '@rootbound/protocol/client';
import { expect, vi } from 'vitest';
import type { Message } from '../message.ts';
import { stateless } from '../revisions.ts';
import { everything } from './tour.ts';
import { over, type World } from './world.ts';

const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };

/** Runs with a fake clock. */
async function withClock(work: (pass: (ms: number) => void) => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval'] });
  try {
    await work((ms) => void vi.advanceTimersByTime(ms));
  } finally {
    vi.useRealTimers();
  }
}

/** Creates a server that counts its answers, which have these cache hints. */
function counting({ script }: World, hints: object, more: object = {}) {
  let version = 0;
  const done = (result: object) => ({ resultType: 'complete', ...hints, ...result });
  return script({
    capabilities,
    answers: {
      'tools/list': () => done({ tools: [{ name: `v${++version}`, inputSchema: { type: 'object' } }] }),
      'prompts/list': () => done({ prompts: [] }),
      'resources/read': ({ params }: Message) =>
        done({ contents: [{ uri: params.uri, text: `v${++version}` }] }),
      ...more,
    },
  });
}

over(stateless, 'a result is cached for its ttl from its arrival', async (world) => {
  const { proves } = world;
  await withClock(async (pass) => {
    const server = counting(world, { ttlMs: 1000, cacheScope: 'private' });
    const client = await server.connect();
    const name = async () => (await client.listTools())[0]?.name;
    const first = [await name(), await name()];
    proves('2026-07-28/caching/positive-ttl-is-fresh', () =>
      expect([first, server.all('tools/list').length]).toEqual([['v1', 'v1'], 1]),
    );
    pass(999);
    const cached = await name();
    pass(1);
    const sent = server.all('tools/list').length;
    proves('2026-07-28/caching/ttl-is-not-a-polling-interval', () => expect(sent).toBe(1));
    const after = await name();
    proves('2026-07-28/caching/freshness-counts-from-receipt', () =>
      expect([cached, after]).toEqual(['v1', 'v2']),
    );
    proves('2026-07-28/caching/stale-result-refetched-on-access', () =>
      expect(server.all('tools/list')).toHaveLength(2),
    );
    pass(3_600_000);
    await client.listPrompts();
    proves('2026-07-28/caching/polling-uses-jitter-and-backoff', () =>
      expect(server.all('tools/list')).toHaveLength(2),
    );
  });
});

over(stateless, 'an uncacheable result is requested each time', async (world) => {
  const { proves } = world;
  const asked = async (hints: object) => {
    const server = counting(world, hints);
    const client = await server.connect();
    await client.listTools();
    await client.listTools();
    return server.all('tools/list').length;
  };
  const zero = await asked({ ttlMs: 0, cacheScope: 'private' });
  proves('2026-07-28/caching/zero-ttl-is-immediately-stale', () => expect(zero).toBe(2));
  const absent = await asked({});
  proves('2026-07-28/caching/absent-ttl-treated-as-zero', () => expect(absent).toBe(2));
  const negative = await asked({ ttlMs: -5, cacheScope: 'private' });
  proves('2026-07-28/caching/negative-ttl-treated-as-zero', () => expect(negative).toBe(2));
});

over(stateless, 'a cached result answers only the same request of the same client', async (world) => {
  const { proves } = world;
  const server = counting(world, { ttlMs: 60_000, cacheScope: 'private' });
  const client = await server.connect();
  const read = async (uri: string) => ((await client.readResource(uri)).contents[0] as { text: string }).text;
  const [a, b] = [await read('memo://a'), await read('memo://b')];
  await client.listTools();
  await client.listPrompts();
  proves('2026-07-28/caching/cache-not-used-for-other-method-or-params', () => {
    expect([a, b]).toEqual(['v1', 'v2']);
    expect([server.all('tools/list').length, server.all('prompts/list').length]).toEqual([1, 1]);
  });
  const other = await server.connect();
  await other.listTools();
  proves('2026-07-28/caching/private-cache-not-shared-across-contexts', () =>
    expect(server.all('tools/list')).toHaveLength(2),
  );
  await client.close();
});

over(stateless, 'a shared cache keeps private results for one client and its credentials', async (world) => {
  const asked = async (cacheScope: string) => {
    const server = counting(world, { ttlMs: 60_000, cacheScope });
    const cache = new ResultCache();
    let credentials = '';
    const open = async () =>
      Object.defineProperty(await server.transport.open(), 'credentials', { get: () => credentials });
    for (const name of ['one', 'two']) {
      const client = await connect({ open }, server.clientOptions({ cache, name }));
      for (credentials of ['of ann', 'of bob', 'of ann']) await client.listTools();
      await client.close();
    }
    return server.all('tools/list').length;
  };
  const sent = [await asked('public'), await asked('private')];
  world.proves('2026-07-28/caching/private-cache-not-shared-across-contexts', () =>
    expect(sent).toEqual([1, 4]),
  );
});

over(stateless, 'the result of a call with input responses is not cached', async (world) => {
  const { proves } = world;
  const server = counting(
    world,
    {},
    {
      'resources/read': ({ params }: Message) =>
        params.inputResponses === undefined
          ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } }
          : {
              resultType: 'complete',
              ttlMs: 60_000,
              cacheScope: 'private',
              contents: [{ uri: params.uri, text: 'x' }],
            },
    },
  );
  const client = await server.connect(everything());
  await client.readResource('memo://a');
  await client.readResource('memo://a');
  proves('2026-07-28/caching/mrtr-retry-results-not-cached', () =>
    expect(server.all('resources/read')).toHaveLength(4),
  );
});

over(stateless, 'a change invalidates cached results', async (world) => {
  const { proves } = world;
  const server = counting(
    world,
    { ttlMs: 60_000, cacheScope: 'private' },
    { 'subscriptions/listen': () => undefined },
  );
  const client = await server.connect();
  let changed = (): void => {};
  const seen = new Promise<void>((resolve) => {
    changed = resolve;
  });
  const listening = client.onListChanged('tools', () => changed());
  const { id } = await server.awaitMessage('subscriptions/listen');
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  server.say({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true }, _meta },
  });
  const subscription = await listening;
  await client.listTools();
  server.say({ method: 'notifications/tools/list_changed', params: { _meta } });
  await seen;
  const [tool] = await client.listTools();
  proves('2026-07-28/caching/notification-invalidates-cache', () => expect(tool?.name).toBe('v2'));
  await subscription.close();
});

over(stateless, 'pages are cached separately, and a list with an invalid cursor restarts', async (world) => {
  const { proves, script } = world;
  await withClock(async (pass) => {
    let broken = false;
    const page = (name: string, ttlMs: number, nextCursor?: string) => ({
      resultType: 'complete',
      ttlMs,
      cacheScope: 'private',
      tools: [{ name, inputSchema: { type: 'object' } }],
      ...(nextCursor !== undefined && { nextCursor }),
    });
    const server = script({
      capabilities,
      answers: {
        'tools/list': ({ params: { cursor } }) => {
          if (cursor === undefined)
            return page(broken ? 'new' : 'first', 10_000, broken ? undefined : 'next');
          return broken ? { error: { code: -32602, message: 'unknown cursor' } } : page('second', 1000);
        },
      },
    });
    const client = await server.connect();
    const names = async () => (await client.listTools()).map(({ name }) => name);
    const cursors = () => server.all('tools/list').map(({ params }) => params.cursor);
    await names();
    pass(1000);
    await names();
    proves('2026-07-28/caching/pages-are-cached-independently', () =>
      expect(cursors()).toEqual([undefined, 'next', 'next']),
    );
    proves('2026-07-28/caching/expired-page-refetched-with-its-cursor', () =>
      expect(cursors().at(-1)).toBe('next'),
    );
    await client.listTools({ fresh: true });
    proves('2026-07-28/caching/consistent-snapshot-refetched-from-start', () =>
      expect(cursors().slice(3)).toEqual([undefined, 'next']),
    );
    broken = true;
    pass(1000);
    const anew = await names();
    proves('2026-07-28/caching/invalid-cursor-discards-cached-pages', () =>
      expect([anew, cursors().slice(5)]).toEqual([['new'], ['next', undefined]]),
    );
  });
});
