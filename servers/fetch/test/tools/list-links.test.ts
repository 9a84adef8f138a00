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

test('links come once each, with where they lead and where they stand', async () => {
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
  'many links come in parts that together are all, within %i bytes',
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
      const part = structuredContent as unknown as Links; // what its schema says
      expect([part.total, part.truncated]).toEqual([300, part.next_from !== undefined]);
      seen.push(...part.links.map((link) => link.url));
      from = part.next_from;
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => site.url(`/at/${index}`)));
  },
);
