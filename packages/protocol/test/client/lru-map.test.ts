import { expect, test } from 'vitest';
import { LruMap } from '../../src/protocol/lru-map.ts';

test('the least recently used entries are dropped above maxEntries', () => {
  const map = new LruMap<number>({ maxEntries: 2 });
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([...map.entries()]).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
});

test('the least recently used entries are dropped above maxSize, and a replaced or deleted one frees its size', () => {
  const map = new LruMap<string>({
    maxEntries: 9,
    maxSize: 6,
    sizeOf: (key, { length }) => key.length + length,
  });
  map.set('a', 'xx');
  map.set('b', 'xx');
  map.set('a', 'x');
  map.set('c', '');
  expect([...map.entries()].map(([key]) => key)).toEqual(['b', 'a', 'c']);
  map.set('d', 'x');
  expect([...map.entries()].map(([key]) => key)).toEqual(['a', 'c', 'd']);
  map.delete('a');
  map.set('e', 'x');
  expect(map.size).toBe(3);
});
