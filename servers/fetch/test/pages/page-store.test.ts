import { expect, test } from 'vitest';
import { describePage } from '../../src/pages/description.ts';
import { hashOf, sizeOf } from '../../src/pages/page.ts';
import { continueIn, newestOf, PageStore, snapshotOf as versionOf } from '../../src/pages/page-store.ts';
import { linkTo, readingOf, snapshotOf } from './readings.ts';

const at = (url: string, text = 'text') => snapshotOf(text, { url });

test('a page is found by its handle and by its parameters, with any fragment', () => {
  const store = new PageStore();
  const page = store.put('ann', at('https://example.com/a#top'))!;
  expect(store.get('ann', page.id)).toBe(page);
  expect(store.find('ann', { url: 'https://example.com/a#end', want: 'article' })).toBe(page);
  for (const other of [{ want: 'page' as const }, { selector: 'main' }, { rendered: true }])
    expect(store.find('ann', { url: 'https://example.com/a', want: 'article', ...other })).toBeUndefined();
});

test('a page is unknown to everyone but its owner', () => {
  const store = new PageStore();
  const { id } = store.put('ann', at('https://example.com/a'))!;
  store.delete('bob', id);
  expect([store.get('bob', id), store.list('bob')]).toEqual([undefined, []]);
  expect(store.find('bob', { url: 'https://example.com/a', want: 'article' })).toBeUndefined();
  expect(store.get('ann', id)).toBeDefined();
});

test('handles cannot be guessed: they have 128 random bits', () => {
  const store = new PageStore();
  const ids = [1, 2, 3].map((n) => store.put('ann', at(`https://example.com/${n}`))!.id);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

test('a page that is fetched again keeps its handle and earlier snapshots', () => {
  const store = new PageStore({ versions: 2 });
  const first = store.put('ann', at('https://example.com/a', 'one'))!;
  const again = store.put('ann', at('https://example.com/a', 'two'))!;
  expect(again.id).toBe(first.id);
  expect(again.snapshots.map(({ reading }) => reading.text)).toEqual(['two', 'one']);
  expect(versionOf(again, hashOf('one'))!.reading.text).toBe('one');
  store.put('ann', at('https://example.com/a', 'three'));
  expect(store.get('ann', first.id)!.snapshots.map(({ reading }) => reading.text)).toEqual(['three', 'two']);
});

test('paging continues in the text that was seen, and says when it is gone or no longer the newest', () => {
  const store = new PageStore({ versions: 2 });
  const put = (text: string) => store.put('ann', at('https://example.com/a', text))!;
  const page = put('one');
  const going = (hash?: string) => {
    const { snapshot, changed, outdated } = continueIn(page, hash);
    return [snapshot.reading.text, changed, outdated];
  };
  expect([going(), going(hashOf('one'))]).toEqual([
    ['one', false, false],
    ['one', false, false],
  ]);
  put('two');
  expect([going(), going(hashOf('one'))]).toEqual([
    ['two', false, false],
    ['one', false, true],
  ]);
  put('three');
  expect(going(hashOf('one'))).toEqual(['three', true, false]);
});

test('a snapshot with the same text replaces the one before', () => {
  const store = new PageStore();
  store.put('ann', at('https://example.com/a'));
  const later = snapshotOf('text', { url: 'https://example.com/a', fetchedAt: 5 });
  const page = store.put('ann', later)!;
  expect(page.snapshots).toEqual([later]);
  expect(newestOf(page)).toBe(later);
});

test('the least recently used page is removed first', () => {
  const store = new PageStore({ count: 2 });
  const a = store.put('ann', at('https://example.com/a'))!;
  const b = store.put('ann', at('https://example.com/b'))!;
  store.get('ann', a.id);
  store.put('ann', at('https://example.com/c'));
  expect([store.get('ann', a.id) === a, store.get('ann', b.id)]).toEqual([true, undefined]);
  expect(store.list('ann').length).toBe(2);
});

test('one owner cannot evict the pages of another', () => {
  const store = new PageStore({ count: 4 });
  const { id } = store.put('ann', at('https://example.com/a'))!;
  for (let n = 0; n < 20; n++) store.put('bob', at(`https://example.com/${n}`));
  expect(store.get('ann', id)).toBeDefined();
  expect(store.list('bob').length).toBe(3);
});

test('the owner that uses most makes room for others', () => {
  const store = new PageStore({ count: 4 });
  for (let n = 0; n < 4; n++) store.put('ann', at(`https://example.com/${n}`));
  for (let n = 0; n < 2; n++) store.put('bob', at(`https://example.com/${n}`));
  expect([store.list('ann').length, store.list('bob').length]).toEqual([2, 2]);
});

test('bytes are limited, and a page larger than the store is not kept', () => {
  const one = sizeOf(at('https://example.com/a', 'x'.repeat(10_000)));
  const store = new PageStore({ bytes: 2 * one });
  for (let n = 0; n < 5; n++) store.put('ann', at(`https://example.com/${n}`, 'x'.repeat(10_000)));
  expect([store.list('ann').length, store.bytes]).toEqual([2, 2 * one]);
  expect(store.put('ann', at('https://example.com/large', 'x'.repeat(50_000)))).toBeUndefined();
  expect(store.list('ann').length).toBe(2);
});

test('owners are notified when pages come and go, not when one is fetched again', () => {
  const heard: string[] = [];
  const store = new PageStore({ count: 1, changed: (owner) => heard.push(owner) });
  store.put('ann', at('https://example.com/a', 'one'));
  store.put('ann', at('https://example.com/a', 'two'));
  expect(heard).toEqual(['ann']);
  store.put('bob', at('https://example.com/b'));
  expect(heard).toEqual(['ann', 'ann', 'bob']);
  store.clear('bob');
  expect(heard).toEqual(['ann', 'ann', 'bob', 'bob']);
  expect(store.bytes).toBe(0);
});

test('a hash is of the text, or of the bytes of content without text', () => {
  const image = (bytes: Uint8Array) => snapshotOf('', { bytes }).hash;
  expect(snapshotOf('a', { bytes: new Uint8Array([1]) }).hash).toBe(snapshotOf('a').hash);
  expect(image(new Uint8Array([1]))).not.toBe(image(new Uint8Array([2])));
  // so that subscriptions and cursors of another process agree
  expect(hashOf('text')).toBe('mC2ePrmW9VnmM_TR');
});

test('a description has the facts of a page without its text', () => {
  const reading = readingOf('# Title\n\nzwei Wörter, 漢字', {
    metadata: { title: 'Title' },
    links: [linkTo('https://example.com/x', 'x')],
  });
  const headers = { etag: '"1"', 'cache-control': 'no-cache' };
  expect(describePage(snapshotOf('', { reading, headers }))).toMatchObject({
    kind: 'html',
    words: 5,
    headings: 1,
    length: 24,
    metadata: { title: 'Title' },
    headers: { etag: '"1"', cacheControl: 'no-cache', lastModified: undefined },
    links: { all: 1, internal: 1 },
  });
});
