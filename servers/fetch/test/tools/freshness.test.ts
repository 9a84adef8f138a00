import { expect, test, vi } from 'vitest';
import { Ground } from '../ground.ts';
import { article } from '../site.ts';

const ground = new Ground();
const { site } = ground;
const fetchPage = (url: string, args: Record<string, unknown> = {}) => ground.use('fetch', { url, ...args });

test('a page is requested once while it is fresh, and again if a call wants a newer one', async () => {
  const url = site.page('/fresh', article(1), 'text/html', { 'cache-control': 'max-age=600' });
  const from = [];
  for (const args of [{}, {}, { max_age: 500 }, { max_age: 0 }])
    from.push((await fetchPage(url, args)).facts.from);
  expect(from).toEqual(['network', 'cache', 'cache', 'network']);
  expect(site.asked).toEqual(['/fresh', '/fresh']);
});

test('a page that its origin confirms is revalidated', async () => {
  const url = site.url('/confirmed');
  site.paths.set('/confirmed', (request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304, { etag: '"1"' }).end();
    else response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end(article(1));
  });
  const first = await fetchPage(url);
  const second = await fetchPage(url);
  expect([first.facts.from, second.facts.from]).toEqual(['network', 'revalidated']);
  expect(second.facts.content_hash).toBe(first.facts.content_hash);
});

test('the cache alone gives what is kept, stale too, and never asks', async () => {
  const url = site.page('/stale', article(1), 'text/html', { 'cache-control': 'max-age=0' });
  expect((await fetchPage(url, { cache_only: true })).facts.failure?.code).toBe('not-cached');
  await fetchPage(url);
  const { facts, text } = await fetchPage(url, { cache_only: true });
  expect([facts.from, facts.stale]).toEqual(['cache', true]);
  expect(text).toContain('This response is stale');
  expect(site.asked).toEqual(['/stale']);
});

test('equal calls at the same time are one request', async () => {
  let answer: (() => void) | undefined;
  site.paths.set('/slow', (_, response) => {
    answer = () => response.writeHead(200, { 'content-type': 'text/html' }).end(article(1));
  });
  const both = [1, 2, 3].map(() => fetchPage(site.url('/slow')));
  await vi.waitUntil(() => answer !== undefined, { timeout: 120_000 });
  answer!();
  expect(new Set((await Promise.all(both)).map(({ facts }) => facts.content_hash)).size).toBe(1);
  expect(site.asked).toEqual(['/slow']);
});

test('a caller that waits for a large page receives its progress', async () => {
  const body = Buffer.from(article(3000));
  site.paths.set('/large', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length });
    response.write(body.subarray(0, 200_000));
    // the rest is sent when the client has received this progress
    finish = () => response.end(body.subarray(200_000));
  });
  let finish: (() => void) | undefined;
  const heard: { progress: number; total?: number | undefined }[] = [];
  const { failed } = await ground.use(
    'fetch',
    { url: site.url('/large') },
    {
      onProgress: (progress) => {
        heard.push(progress);
        finish?.();
      },
    },
  );
  expect(failed).toBe(false);
  expect(heard.every(({ total }) => total === body.length)).toBe(true);
  expect(heard.map(({ progress }) => progress)).toEqual(
    heard.map(({ progress }) => progress).toSorted((a, b) => a - b),
  );
  expect(heard[0]!.progress).toBeLessThan(body.length);
});
