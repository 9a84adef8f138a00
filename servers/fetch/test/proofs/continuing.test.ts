import { expect, test } from 'vitest';
import { Ground } from '../ground.ts';
import { article } from '../site.ts';

const ground = new Ground();
const { site } = ground;
const fetchPage = (url: string, args: Record<string, unknown> = {}) => ground.use('fetch', { url, ...args });
/** Returns an article with its version. */
const version = (name: string): string => article(40).replaceAll('kettles', name);

test('a long page that may not be kept fresh still comes in parts of one text, from one request', async () => {
  const url = site.page('/parts', article(60), 'text/html', { 'cache-control': 'no-store' });
  const parts: string[] = [];
  const hashes = new Set<string>();
  for (let start: number | undefined = 0; start !== undefined; ) {
    const { facts } = await fetchPage(url, { start_index: start });
    parts.push(facts.content);
    hashes.add(facts.content_hash);
    start = facts.next_start_index;
  }
  expect(parts.length).toBeGreaterThan(3);
  expect([hashes.size, site.asked]).toEqual([1, ['/parts']]);
  const { facts } = await fetchPage(url, { section: 'Part 7' });
  expect([facts.content.startsWith('## Part 7'), site.asked]).toEqual([true, ['/parts']]);
});

test('a page that is read from its beginning is requested again, as its origin demands', async () => {
  const url = site.page('/anew', version('kettles'));
  await fetchPage(url);
  site.page('/anew', version('teapots'));
  const { facts } = await fetchPage(url);
  expect(facts.content).toContain('teapots');
  expect(site.asked).toEqual(['/anew', '/anew']);
});

test('who goes on reads the text that it began with, and is told that the page has changed since', async () => {
  const url = site.page('/changing', version('kettles'));
  const { facts: first } = await fetchPage(url);
  site.page('/changing', version('teapots'));
  await ground.use('compare_page', { url });
  const { facts, text } = await fetchPage(url, { start_index: first.next_start_index });
  expect(facts.content).toContain('kettles');
  expect([facts.content_hash, facts.from]).toEqual([first.content_hash, 'cache']);
  expect(facts.notes).toEqual([
    expect.stringMatching(/has changed since; this continues in the previous text/),
  ]);
  expect(text).toContain(facts.notes![0]);
});

test('a caller that continues in another text is told that its positions are invalid', async () => {
  const url = site.page('/other', version('kettles'));
  const { facts: first } = await fetchPage(url);
  site.page('/other', version('teapots'));
  const { facts } = await fetchPage(url, { start_index: first.next_start_index, max_age: 0 });
  expect(facts.content).toContain('teapots');
  expect(facts.notes).toEqual([expect.stringMatching(/start again at 0/)]);
  const { facts: next } = await fetchPage(url, { start_index: facts.next_start_index });
  expect([next.notes, next.content_hash]).toEqual([undefined, facts.content_hash]);
});

test.each([
  ['find_in_page', { query: 'kettles', limit: 3 }],
  ['list_links', { limit: 1 }],
])('%s continues in the text of the first part', async (tool, args) => {
  const path = `/${tool}`;
  const url = site.page(path, version('kettles'));
  interface More {
    next_from: number;
    content_hash: string;
  }
  const { facts: first } = await ground.use<More>(tool, { url, ...args });
  site.page(path, version('teapots'));
  const { facts } = await ground.use<More>(tool, { url, ...args, from: first.next_from });
  expect([facts.content_hash, site.asked]).toEqual([first.content_hash, [path]]);
  await ground.use('compare_page', { url });
  const { facts: later, text } = await ground.use<More & { notes: string[] }>(tool, {
    url,
    ...args,
    from: first.next_from,
  });
  expect(later.content_hash).toBe(first.content_hash);
  expect(later.notes).toEqual([
    expect.stringMatching(/has changed since; this continues in the previous text/),
  ]);
  expect(text).toContain(`Note: ${later.notes[0]}`);
});

test('the sections that were listed are those that are read', async () => {
  const url = site.page('/sections', version('kettles'));
  await ground.use('get_outline', { url });
  site.page('/sections', version('teapots').replace('<h2>Part 0</h2>', ''));
  const { facts } = await fetchPage(url, { section: '1.3' });
  expect(facts.content).toMatch(/^## Part 2\n[\s\S]*kettles/);
  expect(site.asked).toEqual(['/sections']);
});
