import { expect, test } from 'vitest';
import { Ground, type PageFacts } from '../ground.ts';
import { article } from '../site.ts';

interface Links extends PageFacts {
  links: { url: string; text: string; place: string; scope: string; rel?: string; times: number }[];
  total: number;
  truncated: boolean;
  next_from?: number;
}

const ground = new Ground();
const { site } = ground;
const list = (url: string, args: Record<string, unknown> = {}) =>
  ground.use<Links>('list_links', { url, ...args });

test('links are listed once each, with target and place', async () => {
  const page = article(1).replace(
    '<p>See',
    '<p><a href="/tea">Tea</a> <a href="https://other.example/pots" rel="nofollow">Pots</a> <a href="/kettles#part">Part</a> <a href="javascript:alert(1)">Harm</a></p><p>See',
  );
  const { facts, text } = await list(site.page('/kettles', page));
  const byUrl = new Map(facts.links.map((link) => [link.url, link]));
  expect(byUrl.get(site.url('/tea'))).toMatchObject({ place: 'content', scope: 'internal' });
  expect(byUrl.get('https://other.example/pots')).toMatchObject({ scope: 'external', rel: 'nofollow' });
  expect(byUrl.get(site.url('/more'))).toMatchObject({ place: 'navigation', text: 'More' });
  expect(byUrl.get(site.url('/kettles#part'))).toMatchObject({ scope: 'same-page' });
  expect(new Set(facts.links.map(({ url }) => url)).size).toBe(facts.links.length);
  expect(facts.links.filter(({ url }) => !url.startsWith('http'))).toEqual([]);
  expect(text).toContain('Pots: https://other.example/pots');
});

test('the number of links to a URL is counted, in the content and around it', async () => {
  const again = '<a href="/tea">Tea</a> '.repeat(3);
  const page = article(1)
    .replace('<p>See', `<p>${again}</p><p>See`)
    .replace('<footer>', '<footer><a href="/tea">Tea again</a> ');
  const { facts } = await list(site.page('/kettles', page));
  expect(facts.links.find(({ url }) => url === site.url('/tea'))).toMatchObject({
    place: 'content',
    times: 5,
  });
  expect(facts.links.find(({ url }) => url === site.url('/more'))?.times).toBe(1);
});

test.each([
  ['text', 'text/plain', (url: string) => `${url} and ${url}, then ${url}`],
  ['Markdown', 'text/markdown', (url: string) => `[one](${url}) [two](${url}) <${url}>`],
  ['JSON', 'application/json', (url: string) => JSON.stringify([url, url, { url }])],
  [
    'a feed',
    'application/rss+xml',
    (url: string) =>
      `<rss version="2.0"><channel><title>All</title>${`<item><title>One</title><link>${url}</link></item>`.repeat(3)}</channel></rss>`,
  ],
])('the number of links to a URL in %s is counted', async (_, type, make) => {
  const wanted = 'https://other.example/tea';
  const { facts } = await list(site.page('/often', make(wanted), type), { match: wanted });
  expect(facts.links.map(({ url, times }) => [url, times])).toEqual([[wanted, 3]]);
});

test('links are filtered by scope, place and words', async () => {
  const url = site.page('/kettles', article(1));
  const addresses = async (args: Record<string, unknown>) =>
    (await list(url, args)).facts.links.map((one) => one.url);
  expect(await addresses({ scope: 'external' })).toEqual([]);
  expect(await addresses({ place: 'content' })).toEqual([site.url('/tea')]);
  expect(await addresses({ place: 'navigation' })).toEqual([site.url('/'), site.url('/more')]);
  expect(await addresses({ match: 'MOR' })).toEqual([site.url('/more')]);
});

test.each([102_400, 3000])(
  'many links are returned in parts that together are all, within %i bytes',
  async (maxOutput) => {
    const links = Array.from({ length: 300 }, (_, index) => `<a href="/at/${index}">Link ${index}</a>`).join(
      ' ',
    );
    const url = site.page('/many', `<main>${links}</main>`, 'text/html', { 'cache-control': 'max-age=60' });
    const client = await ground.client({ maxOutput });
    const seen: string[] = [];
    let from: number | undefined = 0;
    while (from !== undefined) {
      const { structuredContent } = await client.callTool('list_links', { url, limit: 120, from });
      const part = structuredContent as unknown as Links; // the members of its schema
      expect([part.total, part.truncated]).toEqual([300, part.next_from !== undefined]);
      seen.push(...part.links.map((link) => link.url));
      from = part.next_from;
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => site.url(`/at/${index}`)));
  },
);
