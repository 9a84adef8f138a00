import { expect, test } from 'vitest';
import type { Observation } from '../../src/lane/watching/watched-file.ts';
import { OwnCommits } from '../../src/watching/own-commits.ts';

const own = (...tables: string[]) => ({ real: '/shop.db', tables, schema: false, commits: 1 });
const look = (
  commits: number | undefined,
  tables: readonly string[],
  more: Partial<Observation> = {},
): Observation => ({
  state: 'changed',
  tables,
  schema: false,
  views: [],
  coarse: false,
  soon: false,
  ...(commits !== undefined && { commits }),
  ...more,
});

test('a look that finds what was announced is covered, once', () => {
  const ledger = new OwnCommits();
  ledger.announce(own('A'), 0);
  expect(ledger.covers(look(1, ['a']), 1, false)).toBe(true);
  expect(ledger.covers(look(1, ['a']), 2, false)).toBe(false);
});

test('a look that finds more commits, tables or another schema is not', () => {
  for (const seen of [look(2, ['a']), look(1, ['a', 'b']), look(1, ['a'], { schema: true })]) {
    const ledger = new OwnCommits();
    ledger.announce(own('a'), 0);
    expect(ledger.covers(seen, 1, false), JSON.stringify(seen)).toBe(false);
  }
});

test('a look that cannot count, or cannot tell tables apart, is covered only as far as the count says so', () => {
  const ledger = new OwnCommits();
  ledger.announce(own('a'), 0);
  expect(ledger.covers(look(1, ['a', 'b'], { coarse: true }), 1, false)).toBe(true);
  ledger.announce(own('a'), 2);
  expect(ledger.covers(look(undefined, ['a']), 3, false)).toBe(false);
});

test('commits of others do not make an own one be told again', () => {
  const ledger = new OwnCommits();
  expect(ledger.covers(look(3, ['b']), 0, false)).toBe(false);
  ledger.announce(own('a'), 1);
  expect(ledger.covers(look(1, ['a']), 2, false)).toBe(true);
});

test('what was told before it was announced is not waited for', () => {
  const ledger = new OwnCommits();
  expect(ledger.covers(look(1, ['a']), 0, true)).toBe(false);
  ledger.announce(own('a'), 1);
  // were it counted still, another's commit would be taken for it
  expect(ledger.covers(look(1, ['a']), 2, false)).toBe(false);
});

test('a look that began after an announcement has settled it, whatever it counted', () => {
  const ledger = new OwnCommits();
  ledger.announce(own('a'), 0);
  ledger.settle(ledger.announced);
  expect(ledger.covers(look(1, ['a']), 1, false)).toBe(false);
});
