import type { Scope } from '@rootbound/kit/boundary';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Engine } from '../../src/engine.ts';
import { loadPage } from '../../src/fetching/load-page.ts';
import { Watching } from '../../src/watching/watching.ts';
import type { Workspace } from '../../src/workspace.ts';
import { builtReader } from '../reader-build.ts';
import { article, Site } from '../site.ts';

let site: Site;
let workspace: Workspace;
let watching: Watching;
const faults: unknown[] = [];

beforeAll(async () => {
  site = await new Site().start();
});
afterAll(() => site.close());
beforeEach(async () => {
  const engine = await Engine.open({
    extra: { 'allow-private': [site.host], 'ignore-robots-txt': true },
    version: '1.0.0',
    readerFile: await builtReader(),
    pagesChanged: () => {},
  });
  // subscriptions save nothing
  workspace = { engine, owner: 'somebody', maxOutput: 100_000, scope: undefined as unknown as Scope };
  watching = new Watching({ leastMs: 5, mostMs: 20, most: 2, onError: (error) => faults.push(error) });
});
afterEach(async () => {
  watching.close();
  await workspace.engine.close();
  site.paths.clear();
  site.asked.length = 0;
  faults.length = 0;
});

/** Returns a page that was fetched, as a resource. */
async function kept(path: string, html = article(1)): Promise<string> {
  const { page } = await loadPage(workspace, { url: site.page(path, html) }, { want: 'article' });
  return `page:${page!.id}`;
}
const until = (holds: () => boolean): Promise<unknown> => vi.waitUntil(holds, { timeout: 120_000 });
/** Waits until a page was requested so many times more. */
const asks = (path: string, times: number): Promise<unknown> => {
  const before = site.asked.filter((one) => one === path).length;
  return until(() => site.asked.filter((one) => one === path).length >= before + times);
};

test('what changes around the main content is not told, and what changes in it is', async () => {
  const uri = await kept('/news');
  let notifications = 0;
  watching.watch(uri, workspace, () => notifications++);
  site.page(
    '/news',
    article(1).replace('All rights reserved', 'Seen 7,031 times').replace('>More<', '>Less<'),
  );
  await asks('/news', 3);
  expect(notifications).toBe(0);
  site.page('/news', article(2));
  await until(() => notifications > 0);
  await asks('/news', 3);
  expect(notifications).toBe(1);
});

test('a page is requested with its validators, and an unchanged one is not notified', async () => {
  const conditions: (string | undefined)[] = [];
  site.paths.set('/once', (request, response) => {
    conditions.push(request.headers['if-none-match']);
    const known = request.headers['if-none-match'] === '"1"';
    response.writeHead(known ? 304 : 200, { 'content-type': 'text/html', etag: '"1"' });
    response.end(known ? undefined : article(1));
  });
  const { page } = await loadPage(workspace, { url: site.url('/once') }, { want: 'article' });
  let notifications = 0;
  watching.watch(`page:${page!.id}`, workspace, () => notifications++);
  await asks('/once', 4);
  expect(notifications).toBe(0);
  expect(new Set(conditions.slice(1))).toEqual(new Set(['"1"']));
});

test('a page that fails for a while is notified when it is back and has changed', async () => {
  const uri = await kept('/shaky');
  let notifications = 0;
  watching.watch(uri, workspace, () => notifications++);
  site.paths.set('/shaky', (_, response) => response.writeHead(500).end('gone'));
  await asks('/shaky', 3);
  expect(notifications).toBe(0);
  expect(faults.length).toBeGreaterThan(0);
  site.page('/shaky', article(3));
  await until(() => notifications === 1);
});

test('each request is checked by the guard', async () => {
  const uri = await kept('/moves');
  watching.watch(uri, workspace, () => {});
  site.paths.set('/moves', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end());
  await until(() => faults.length > 0);
  expect(faults[0]).toMatchObject({ code: 'address-refused' });
});

test('so many pages are watched at once, and who leaves makes room', async () => {
  const uris = [await kept('/a'), await kept('/b'), await kept('/c')];
  const leave = watching.watch(uris[0]!, workspace, () => {});
  watching.watch(uris[1]!, workspace, () => {});
  expect(() => watching.watch(uris[2]!, workspace, () => {})).toThrow(/2 pages have subscriptions/);
  watching.watch(uris[1]!, workspace, () => {});
  leave();
  watching.watch(uris[2]!, workspace, () => {});
  await asks('/c', 1);
  site.asked.length = 0;
  await asks('/c', 3);
  expect(site.asked).not.toContain('/a');
});
