import { expect, test } from 'vitest';
import { Ground, type PageFacts } from '../ground.ts';
import { article } from '../site.ts';

interface Finding extends PageFacts {
  matches: { start_index: number; line: string; path: string[]; before: string[]; after: string[] }[];
  total?: number;
  truncated: boolean;
  next_from?: number;
}

const ground = new Ground();
const { site } = ground;
const prose = (words: string): string =>
  `<!doctype html><title>Menu</title><main><h1>Menu</h1><p>${'There is much to eat and to drink here. '.repeat(5)}</p>${words}</main>`;

const find = (url: string, args: Record<string, unknown>) =>
  ground.use<Finding>('find_in_page', { url, ...args });

test('lines that match come with the headings above, the lines around and where they are', async () => {
  const url = site.page(
    '/menu',
    prose('<h2>Hot</h2><p>First</p><p>CAFÉ au lait</p><p>Last</p><h2>Cold</h2><p>Water</p>'),
  );
  const { facts, text } = await find(url, { query: 'cafe', context_lines: 2 });
  expect(facts.total).toBe(1);
  const [match] = facts.matches;
  expect(match).toMatchObject({ line: 'CAFÉ au lait', path: ['Menu', 'Hot'] });
  expect(match!.before).toContain('First');
  expect(match!.after).toContain('Last');
  expect(text).toContain('> CAFÉ au lait');
  const there = await ground.use('fetch', { url, start_index: match!.start_index, max_length: 200 });
  expect(there.facts.content).toContain('CAFÉ au lait');
});

test('exact respects case, whole_word excludes parts of words, and section limits the search', async () => {
  const url = site.page('/menu', prose('<h2>Hot</h2><p>Tea, tea and steam</p><h2>Cold</h2><p>Iced tea</p>'));
  const count = async (args: Record<string, unknown>) => (await find(url, args)).facts.total;
  expect(await count({ query: 'Tea', mode: 'exact' })).toBe(1);
  expect(await count({ query: 'tea', section: 'Cold' })).toBe(1);
  expect(await count({ query: 'stea', whole_word: true })).toBe(0);
  expect(await count({ query: 'tea' })).toBe(2);
});

test('a regular expression that is exponential in other engines is answered', async () => {
  const url = site.page('/letters', `<p>${'a'.repeat(20_000)}</p>`);
  const { facts, failed } = await find(url, { query: '(a+)+$b', mode: 'regex' });
  expect([failed, facts.matches]).toEqual([false, []]);
});

test('an invalid expression is a failure with the error', async () => {
  const { facts, failed } = await find(site.page('/menu', article(1)), { query: '(a', mode: 'regex' });
  expect(failed).toBe(true);
  expect(facts.failure?.code).toMatch(/invalid/);
});

test('more matches than the limit are returned in parts that together are all', async () => {
  const url = site.page('/many', article(30), 'text/html', { 'cache-control': 'max-age=60' });
  const all = (await find(url, { query: 'kettles and', limit: 200 })).facts;
  const places: number[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const { facts }: { facts: Finding } = await find(url, { query: 'kettles and', limit: 7, from });
    expect(facts.matches.length).toBeLessThanOrEqual(7);
    places.push(...facts.matches.map(({ start_index }) => start_index));
    from = facts.next_from;
  }
  expect(places.length).toBeGreaterThan(20);
  expect(places).toEqual(all.matches.map(({ start_index }) => start_index));
});

test('matches without room in a result follow from next_from', async () => {
  const url = site.page('/many', article(30), 'text/html', { 'cache-control': 'max-age=60' });
  const narrow = await ground.client({ maxOutput: 4096 });
  const places: number[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const { structuredContent } = await narrow.callTool('find_in_page', {
      url,
      query: 'kettles and',
      limit: 200,
      from,
    });
    const { matches, next_from } = structuredContent as unknown as Finding; // the members of its schema
    places.push(...matches.map(({ start_index }) => start_index));
    from = next_from;
  }
  const { facts } = await find(url, { query: 'kettles and', limit: 200 });
  expect(places).toEqual(facts.matches.map(({ start_index }) => start_index));
});
