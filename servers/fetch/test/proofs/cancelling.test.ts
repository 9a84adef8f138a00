import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BroadcastChannel, type Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildFolder, bundleInto } from '../bundle.ts';
import { call, newest, Served } from '../harness.ts';
import { article, Site } from '../site.ts';

const served = new Served();
let site: Site;
let folder: string;
/** requests whose responses are pending */
const open = new Set<string>();
/** ends the response of a path */
const finishing = new Map<string, () => void>();

beforeAll(async () => {
  site = await new Site().start();
  folder = buildFolder('endless-reader');
  await bundleInto(folder, {
    reader: 'test/proofs/endless-reader.ts',
    stubborn: 'test/proofs/stubborn-reader.ts',
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await site.close();
});
beforeEach(() => {
  open.clear();
  site.asked.length = 0;
});

/** Adds a path whose headers arrive at once, and its body on demand. */
function slowPage(path: string): string {
  site.paths.set(path, (_, response) => {
    open.add(path);
    response.on('close', () => open.delete(path));
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<main>');
    finishing.set(path, () => response.end(article(1)));
  });
  return site.url(path);
}

const until = (holds: () => boolean): Promise<unknown> => vi.waitUntil(holds, { timeout: 120_000 });

const clientOf = (setting: Parameters<Served['client']>[0] = {}) =>
  served.client({ extra: { 'allow-private': [site.host] }, ...setting });

describe.each(['2025-11-25', newest] as const)('in revision %s', (revision) => {
  test.each(['fetch', 'get_outline', 'compare_page', 'fetch_many'])(
    'a call of %s that is cancelled closes its connections',
    async (tool) => {
      const client = await clientOf({ revision });
      const urls = ['/one', '/two'].map(slowPage);
      const controller = new AbortController();
      const args = tool === 'fetch_many' ? { urls } : { url: urls[0] };
      const outcome = client.callTool(tool, args, { signal: controller.signal });
      outcome.catch(() => {});
      const count = tool === 'fetch_many' ? 2 : 1;
      await until(() => open.size === count);
      controller.abort();
      await expect(outcome).rejects.toThrow();
      await until(() => open.size === 0);
      expect(site.asked.length).toBe(count);
    },
  );
});

test('a page for which two wait is fetched to its end when one of them gives up', async () => {
  const client = await clientOf();
  const url = slowPage('/shared');
  const controller = new AbortController();
  const first = client.callTool('fetch', { url }, { signal: controller.signal });
  first.catch(() => {});
  const second = call<{ content: string }>(client, 'get_outline', { url });
  const third = call<{ content: string }>(client, 'fetch', { url });
  await until(() => finishing.has('/shared') && open.size === 1);
  controller.abort();
  await expect(first).rejects.toThrow();
  expect(open.size).toBe(1);
  finishing.get('/shared')!();
  expect((await third).facts.content).toContain('Section 0 speaks');
  expect((await second).failed).toBe(false);
  expect(site.asked).toEqual(['/shared']);
});

test('a page for which two callers wait is aborted with the second of them', async () => {
  const client = await clientOf();
  const url = slowPage('/left');
  const controllers = [new AbortController(), new AbortController()];
  const calls = controllers.map(({ signal }) => client.callTool('fetch', { url }, { signal }));
  for (const one of calls) one.catch(() => {});
  await until(() => open.size === 1);
  for (const [index, controller] of controllers.entries()) {
    controller.abort();
    await expect(calls[index]).rejects.toThrow();
  }
  await until(() => open.size === 0);
  expect(site.asked).toEqual(['/left']);
});

test('a cancelled call ends the worker in the middle of a page, before one that began earlier ends at its deadline', async () => {
  const ended: Worker[] = [];
  const started: Worker[] = [];
  const watch = (worker: Worker): void => {
    started.push(worker);
    worker.once('exit', () => ended.push(worker));
  };
  process.on('worker', watch);
  const channel = new BroadcastChannel('endless-reader');
  let begun = 0;
  channel.onmessage = () => {
    begun += 1;
  };
  try {
    const client = await clientOf({ readerFile: join(folder, 'reader.cjs') });
    const controllers = [new AbortController(), new AbortController()];
    for (const [index, { signal }] of controllers.entries()) {
      const url = site.page(`/endless-${index}`, article(1));
      client.callTool('fetch', { url }, { signal }).catch(() => {});
      await until(() => begun === index + 1);
    }
    controllers[1]!.abort();
    await until(() => ended.length > 0);
    expect(ended[0]).toBe(started[1]);
    controllers[0]!.abort();
    await until(() => ended.length > 1);
  } finally {
    channel.close();
    process.off('worker', watch);
  }
});

test.each([
  ['find_in_page', { query: '(a+)+b', mode: 'regex' }],
  ['compare_page', {}],
] as const)(
  '%s does not block the server: a ping is answered meanwhile, and cancelling ends the worker',
  async (tool, args) => {
    const ended: Worker[] = [];
    const watch = (worker: Worker): void => void worker.once('exit', () => ended.push(worker));
    process.on('worker', watch);
    const channel = new BroadcastChannel('stubborn-reader');
    const begun: unknown[] = [];
    channel.onmessage = (message) => begun.push(message);
    try {
      // the newest revision has no ping
      const client = await clientOf({ revision: '2025-11-25', readerFile: join(folder, 'stubborn.cjs') });
      const url = site.page('/long', 'a'.repeat(1_000_000), 'text/plain');
      await client.callTool('fetch', { url });
      site.page('/long', 'b'.repeat(1_000_000), 'text/plain');
      const controller = new AbortController();
      const outcome = client.callTool(tool, { url, ...args }, { signal: controller.signal });
      outcome.catch(() => {});
      await until(() => begun.length > 0);
      await client.ping();
      expect(ended).toEqual([]);
      controller.abort();
      await expect(outcome).rejects.toThrow();
      await until(() => ended.length === 1);
    } finally {
      channel.close();
      process.off('worker', watch);
    }
  },
);
