import type { Client } from '@rootbound/protocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { allRevisions, call, newest, Served } from '../harness.ts';
import { article, Site } from '../site.ts';

const served = new Served();
let site: Site;

beforeAll(async () => {
  site = await new Site().start();
});
afterAll(() => site.close());
afterEach(() => {
  site.paths.clear();
  site.asked.length = 0;
});

function clientFor(revision: (typeof allRevisions)[number] = newest): Promise<Client> {
  return served.client({ revision, extra: { 'allow-private': [site.host], 'watch-interval': 1 } });
}

async function fetched(client: Client, url: string): Promise<void> {
  const { failed, text } = await call(client, 'fetch', { url });
  expect([text, failed]).toEqual([text, false]);
}

describe.each([allRevisions[0]!, '2025-11-25', newest] as const)('%s', (revision) => {
  test('a fetched page is a resource that is listed, completed and read', async () => {
    const client = await clientFor(revision);
    const url = site.page('/kettles', article(2));
    expect(await client.listResources()).toEqual([]);
    await fetched(client, url);
    const [listed, ...others] = await client.listResources();
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      uri: expect.stringMatching(/^page:/),
      name: url,
      mimeType: 'text/markdown',
    });
    const { contents } = await client.readResource(listed!.uri);
    expect(contents[0]).toMatchObject({ uri: listed!.uri, mimeType: 'text/markdown' });
    expect((contents[0] as { text: string }).text).toContain('## Part 1');
    const byAddress = await client.readResource(`page:${url}`);
    expect((byAddress.contents[0] as { text: string }).text).toContain('## Part 1');
  });
});

test('a page that was never fetched is not found, whether it exists or not', async () => {
  const client = await clientFor();
  const url = site.page('/kettles', article(1));
  await expect(client.readResource(`page:${url}`)).rejects.toThrow(/no such page|not found/i);
  expect(site.asked.filter((path) => path === '/kettles')).toEqual([]);
});

test.each(['2024-11-05', newest] as const)(
  '%s: who subscribes to a page hears when its text changes, and not when it does not',
  async (revision) => {
    const client = await clientFor(revision);
    const url = site.page('/news', article(1));
    await fetched(client, url);
    const { uri } = (await client.listResources())[0]!;
    const heard: unknown[] = [];
    await client.subscribe(uri, (change) => heard.push(change));
    site.asked.length = 0;
    await vi.waitUntil(() => site.asked.length >= 2, { timeout: 120_000 });
    expect(heard).toEqual([]);
    site.page('/news', article(2));
    await vi.waitUntil(() => heard.length > 0, { timeout: 120_000 });
    const { contents } = await client.readResource(uri);
    expect((contents[0] as { text: string }).text).toContain('## Part 1');
  },
);

test('a page that comes changes the list, and whoever asked for that hears of it', async () => {
  const client = await clientFor();
  const heard: unknown[] = [];
  await client.subscribe({ resourcesListChanged: true }, (change) => heard.push(change));
  await fetched(client, site.page('/kettles', article(1)));
  await vi.waitUntil(() => heard.length > 0, { timeout: 120_000 });
});
