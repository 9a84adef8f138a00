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

test('a check that finds announced commits is covered once', () => {
  const ledger = new OwnCommits();
  ledger.announce(own('A'), 0);
  expect(ledger.covers(look(1, ['a']), 1, false)).toBe(true);
  expect(ledger.covers(look(1, ['a']), 2, false)).toBe(false);
});

test('a check that finds more commits, tables or a schema change is not covered', () => {
  for (const seen of [look(2, ['a']), look(1, ['a', 'b']), look(1, ['a'], { schema: true })]) {
    const ledger = new OwnCommits();
    ledger.announce(own('a'), 0);
    expect(ledger.covers(seen, 1, false), JSON.stringify(seen)).toBe(false);
  }
});

test('a check that cannot count or distinguish tables is covered only by its count', () => {
  const ledger = new OwnCommits();
  ledger.announce(own('a'), 0);
  expect(ledger.covers(look(1, ['a', 'b'], { coarse: true }), 1, false)).toBe(true);
  ledger.announce(own('a'), 2);
  expect(ledger.covers(look(undefined, ['a']), 3, false)).toBe(false);
});

test('commits of other programs do not cause own ones to be reported again', () => {
  const ledger = new OwnCommits();
  expect(ledger.covers(look(3, ['b']), 0, false)).toBe(false);
  ledger.announce(own('a'), 1);
  expect(ledger.covers(look(1, ['a']), 2, false)).toBe(true);
});

test('a commit that was reported before its announcement is not expected again', () => {
  const ledger = new OwnCommits();
  expect(ledger.covers(look(1, ['a']), 0, true)).toBe(false);
  ledger.announce(own('a'), 1);
  // if it were counted, a commit of another program would be taken for it
  expect(ledger.covers(look(1, ['a']), 2, false)).toBe(false);
});

test('a check that began after an announcement settles it, whatever it counts', () => {
  const ledger = new OwnCommits();
  ledger.announce(own('a'), 0);
  ledger.settle(ledger.announced);
  expect(ledger.covers(look(1, ['a']), 1, false)).toBe(false);
});
