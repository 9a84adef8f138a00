import { expect, test } from 'vitest';
import { Ground } from '../ground.ts';
import { article } from '../site.ts';

const ground = new Ground();
const { site } = ground;
const DAY = 86_400_000;
const at = (ms: number): string => new Date(ms).toUTCString();

/** Returns the cache hints of a page that was fetched with these headers. */
async function kept(headers: Record<string, string>) {
  const client = await ground.client();
  const url = site.page('/kept', article(1), 'text/html', headers);
  await client.callTool('fetch', { url });
  const [listed] = await client.listResources();
  return { listed: listed!, read: await client.readResource(listed!.uri) };
}

test.each([
  ['max-age', { 'cache-control': 'max-age=600' }, 600_000],
  ['max-age less the age that it has', { 'cache-control': 'max-age=600', age: '200' }, 400_000],
  ['Expires', { date: at(Date.now()), expires: at(Date.now() + 300_000) }, 300_000],
  ['a tenth of the time since it changed', { 'last-modified': at(Date.now() - DAY) }, DAY / 10],
])('a page says for how long it holds by %s', async (_, headers, ms) => {
  const { ttlMs, cacheScope } = (await kept(headers)).read;
  expect(cacheScope).toBe('private');
  expect(ttlMs).toBeGreaterThan(ms - 30_000);
  expect(ttlMs).toBeLessThanOrEqual(ms + 5000);
});

test.each([
  ['says nothing', {}],
  ['must not be kept', { 'cache-control': 'no-store, max-age=600' }],
  ['has to be asked for each time', { 'cache-control': 'no-cache, max-age=600' }],
])('a page whose origin %s is not fresh', async (_, headers) => {
  expect((await kept(headers)).read.ttlMs).toBe(0);
});

test('a page is listed with its size and the date of change by its origin', async () => {
  const { listed, read } = await kept({ 'last-modified': 'Tue, 03 Nov 2026 10:00:00 GMT' });
  const { text } = read.contents[0] as { text: string };
  expect(listed.size).toBe(Buffer.byteLength(text));
  expect(listed.annotations).toEqual({ lastModified: '2026-11-03T10:00:00.000Z' });
});

test('a page is listed with the time of its fetch if its origin sends no date, or an impossible one', async () => {
  for (const headers of [{}, { 'last-modified': at(Date.now() + DAY) }] as Record<string, string>[]) {
    const { listed } = await kept(headers);
    const age = Date.now() - Date.parse(listed.annotations!.lastModified!);
    expect([age >= 0, age < DAY / 2]).toEqual([true, true]);
  }
});
