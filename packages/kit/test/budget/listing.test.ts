import { expect, test } from 'vitest';
import { type Listing, pageOf } from '../../src/budget.ts';

const listing = (items: readonly string[], more: Partial<Listing<string>> = {}): Listing<string> => ({
  tool: 'list',
  query: ['all'],
  cursor: undefined,
  items,
  keyOf: (item) => item,
  words: ['name', 'names'],
  maxOutput: 10_000,
  ...more,
});
const page = (of: Listing<string>) =>
  pageOf(
    of,
    (names, rest) => ({ names, ...rest }),
    ({ names }) => names,
  );
const letters = ['a', 'b', 'c', 'd', 'e'];

test('a list that fits is one page, and says no more than that', () => {
  expect(page(listing(letters))).toEqual({
    structured: { names: letters, total: 5, truncated: false },
    content: letters.join('\n'),
  });
});

test('pages go on behind the last item, also where others came and went before it', () => {
  const first = page(listing(letters, { most: 2 }));
  const { next_cursor: cursor } = first.structured;
  expect(first.structured).toMatchObject({ names: ['a', 'b'], total: 5, truncated: true });
  expect(first.content).toBe(`a\nb\n[2 names of 5; more with cursor ${cursor}]`);
  for (const items of [letters, ['_', '0', ...letters], ['b', 'c', 'd', 'e']])
    expect(page(listing(items, { cursor })).structured.names).toEqual(['c', 'd', 'e']);
});

test('where the last item is gone, a page goes on at its place', () => {
  const { next_cursor: cursor } = page(listing(letters, { most: 2 })).structured;
  expect(page(listing(['a', 'c', 'd', 'e'], { cursor })).structured.names).toEqual(['c', 'd', 'e']);
  expect(page(listing([], { cursor })).structured.names).toEqual([]);
});

test('a cursor of another list is refused', () => {
  const { next_cursor: cursor } = page(listing(letters, { most: 2 })).structured;
  for (const other of [{ query: ['some'] }, { tool: 'other' }])
    expect(() => page(listing(letters, { cursor, ...other }))).toThrow(
      expect.objectContaining({ code: 'invalid-cursor' }),
    );
});

test('a page is as long as the budget lets it be, one item at least', () => {
  const long = letters.map((letter) => letter.repeat(300));
  const keyOf = (item: string) => item[0]!;
  const { structured, content } = page(listing(long, { maxOutput: 1000, keyOf }));
  expect([structured.names.length, structured.truncated]).toEqual([2, true]);
  expect(Math.max(JSON.stringify(structured).length, content.length)).toBeLessThanOrEqual(1000);
  expect(page(listing(long, { maxOutput: 10, keyOf })).structured.names.length).toBe(1);
});

test('a list that was not read to its end has no total, and says so', () => {
  expect(page(listing(letters, { whole: false }))).toEqual({
    structured: { names: letters, truncated: true },
    content: `${letters.join('\n')}\n[5 names of more than were looked at]`,
  });
});
