import { expect, test } from 'vitest';
import { Ground, type PageFacts } from '../ground.ts';
import { article } from '../site.ts';

interface Compared extends Omit<PageFacts, 'removed'> {
  since: string;
  same: boolean;
  added: number;
  removed: number;
  changed: number;
  diff: string;
  truncated: boolean;
}

const ground = new Ground();
const { site } = ground;
const compare = (url: string, args: Record<string, unknown> = {}) =>
  ground.use<Compared>('compare_page', { url, ...args });

test('a page that has changed is told by its paragraphs and as a diff, and asked for again although it is fresh', async () => {
  const url = site.page('/news', article(3), 'text/html', { 'cache-control': 'max-age=600' });
  const before = (await ground.use('fetch', { url })).facts.content_hash;
  site.page(
    '/news',
    article(3).replace('<h2>Part 1</h2>', '<h2>Part 1</h2><p>A new paragraph has come in here.</p>'),
    'text/html',
    { 'cache-control': 'max-age=600' },
  );
  const { facts, text } = await compare(url);
  expect(facts).toMatchObject({ since: before, same: false, added: 1, removed: 0, truncated: false });
  expect(facts.content_hash).not.toBe(before);
  expect(facts.diff).toContain('+A new paragraph has come in here.');
  expect(text).toContain(facts.diff);
  expect(site.asked).toEqual(['/news', '/news']);
});

test('an unchanged page is the same, also if its origin sends it anew', async () => {
  const url = site.page('/same', article(1));
  await ground.use('fetch', { url });
  expect((await compare(url)).facts).toMatchObject({
    same: true,
    added: 0,
    removed: 0,
    changed: 0,
    diff: '',
  });
});

test('since selects an earlier fetch by its hash', async () => {
  const url = site.page('/steps', article(1));
  const first = (await ground.use('fetch', { url })).facts.content_hash;
  for (const step of [2, 3]) {
    site.page('/steps', article(step));
    await compare(url);
  }
  const { facts } = await compare(url, { since: first });
  expect(facts.since).toBe(first);
  expect(facts.diff).toMatch(/\+## Part 1[\s\S]*\+## Part 2/);
  expect((await compare(url)).facts.same).toBe(true);
});

test('a page without an earlier fetch, or without one of that hash, is a failure', async () => {
  const url = site.page('/unseen', article(1));
  expect((await compare(url)).facts.failure?.code).toBe('not-found');
  expect((await compare(url, { since: 'nothing' })).facts.failure?.code).toBe('not-found');
});
