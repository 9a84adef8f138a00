import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { Mirror } from './mirror.ts';
import type { Connection, Ending, Fault, FaultProxy } from './proxy.ts';
import { openSite, type Site } from './site.ts';
import { connectTo, proxied, proxyFor, transportOf, type Way, wayNamed } from './ways.ts';

const stride = full ? 5 : 41;
const endings: readonly Ending[] = ['reset', 'end', 'half'];

let site: Site;
beforeAll(async () => {
  site = await openSite();
  site.write('a', 'fence');
  await site.start();
});
afterAll(() => site.close());

interface Reader {
  mirror: Mirror;
  proxy: FaultProxy;
}

/** A subscriber to both memos behind a proxy. */
async function read(way: Way): Promise<Reader> {
  const { proxy, at } = await proxyFor(way, site);
  onTestFinished(() => proxy.close());
  const client = await connectTo(transportOf(way, site, at), way);
  onTestFinished(() => client.close());
  const mirror = new Mirror(client, site);
  await mirror.follow('a', 'fence');
  return { mirror, proxy };
}

/** What the connection was asked for last over which a way hears of changes. */
function streamOf({ kind, options }: Way): string {
  if (kind === 'sse') return 'GET /sse';
  if (kind !== 'http') return '';
  return options.era === 'handshake' ? 'GET /mcp' : 'subscriptions/listen';
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Resolves with the connection that was asked for changes. */
async function listens(proxy: FaultProxy, text: string): Promise<Connection> {
  for (;;) {
    const found = proxy.newest(text);
    if (found !== undefined) return found;
    await turn();
  }
}

/** Cuts the stream of changes after so many bytes more, while a memo changes; false when that was all of them. */
async function cutChange({ mirror, proxy }: Reader, fault: Omit<Fault, 'way'>): Promise<boolean> {
  await listens(proxy, fault.last ?? '');
  const armed = proxy.arm({ way: 'down', ...fault });
  await site.touch('a');
  await Promise.race([armed.strikes, mirror.shows('a')]);
  // what came before it on the stream has come when this has
  await site.touch('fence');
  await mirror.shows('fence');
  proxy.disarm();
  expect([fault, mirror.faults('a')]).toEqual([fault, []]);
  return armed.struck;
}

describe.each(proxied)('over $name', (way) => {
  test('a change on a stream that is cut at any byte is not missed', async () => {
    const reader = await read(way);
    const last = streamOf(way);
    for (const ending of full ? endings : endings.slice(0, 1)) {
      for (let after = 0; await cutChange(reader, { after, ending, last }); after += stride);
    }
  });

  test.each(full ? endings : endings.slice(0, 1))(
    'nor is the first one, of which there was nothing before, by %s',
    async (ending) => {
      const last = streamOf(way);
      for (const after of full ? [0, 1, 30, 60, 90, 120] : [40]) {
        const { mirror, proxy } = await read(way);
        await cutChange({ mirror, proxy }, { after, ending, last });
        await mirror.close();
      }
    },
  );
});

/** Makes the server forget the client of a proxy. */
async function forget(way: Way, proxy: FaultProxy): Promise<void> {
  if (way.kind !== 'http') {
    proxy.cut();
    return;
  }
  const { last } = await listens(proxy, streamOf(way));
  const session = /mcp-session-id: (\S+)/i.exec(last)?.[1] ?? '';
  const url = `http://127.0.0.1:${site.port}/mcp`;
  const { status } = await fetch(url, { method: 'DELETE', headers: { 'Mcp-Session-Id': session } });
  expect(status).toBe(204);
}

// what a WebSocket says is masked, so that it cannot be waited for
const renewing = proxied.filter(({ kind, options }) => options.era === 'handshake' && kind !== 'ws');
describe.each(renewing)('over $name', (way) => {
  test.each(['"initialize"', 'notifications/initialized', 'resources/subscribe'])(
    'a subscriber who only listens gets over a cut of %s once the server has forgotten it',
    async (marker) => {
      const { mirror, proxy } = await read(way);
      await listens(proxy, streamOf(way));
      const armed = proxy.arm({ way: 'up', after: 10, ending: 'reset', marker });
      await forget(way, proxy);
      await site.touch('a');
      await mirror.shows('a');
      await site.touch('fence');
      await mirror.shows('a', 'fence');
      expect(armed.struck).toBe(true);
    },
  );
});

describe('a server that keeps one event of each stream', () => {
  let forgetful: Site;
  beforeAll(async () => {
    forgetful = await openSite({ eventLimits: { events: 1 } });
    forgetful.write('a', 'b', 'c');
    await forgetful.start();
  });
  afterAll(() => forgetful.close());

  test('tells a client that was away for more to begin anew, and its subscriber learns of that', async () => {
    const way = wayNamed('HTTP sessions of 2025-11-25');
    const { proxy, at } = await proxyFor(way, forgetful);
    onTestFinished(() => proxy.close());
    const client = await connectTo(transportOf(way, forgetful, at), way);
    onTestFinished(() => client.close());
    const mirror = new Mirror(client, forgetful);
    await mirror.follow('a', 'b', 'c');
    await listens(proxy, 'GET /mcp');
    // a stream is taken up again behind something that was heard on it
    await forgetful.touch('a');
    await mirror.hears('a');
    await mirror.shows('a');
    proxy.stall('up', 'down');
    // what the server knows to be unread would wait instead
    proxy.cut(true);
    await forgetful.touch('a', 'b', 'c');
    proxy.resume();
    await mirror.shows('a', 'b', 'c');
    expect(mirror.notified).toContain('tools');
  });
});
