import { expect, test } from 'vitest';
import { type Change, diffLines } from '../../src/pages/line-diff.ts';
import { diffPages } from '../../src/pages/page-diff.ts';
import { snapshotOf } from './readings.ts';

/** Applies the changes to the old lines. */
function apply(old: readonly string[], now: readonly string[], changes: readonly Change[]): string[] {
  const made: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    made.push(...old.slice(at, oldStart), ...now.slice(newStart, newEnd));
    at = oldEnd;
  }
  return [...made, ...old.slice(at)];
}

/** Returns the length of the longest common subsequence, by the textbook algorithm. */
function longestCommon(old: readonly string[], now: readonly string[]): number {
  let row = new Array<number>(now.length + 1).fill(0);
  for (const line of old) {
    const next = [0];
    for (const [at, other] of now.entries())
      next.push(line === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    row = next;
  }
  return row.at(-1)!;
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('the changes turn the old lines into the new ones, and are the fewest', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = randomFrom(seed);
    const letters = 1 + Math.floor(random() * 6);
    const list = () =>
      Array.from({ length: Math.floor(random() * 30) }, () => String(Math.floor(random() * letters)));
    const [old, now] = [list(), list()];
    const { changes, coarse } = diffLines(old, now);
    const removed = changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0);
    expect([seed, apply(old, now, changes)]).toEqual([seed, now]);
    expect([seed, old.length - removed, coarse]).toEqual([seed, longestCommon(old, now), false]);
  }
});

test('beyond the step limit the changes are correct, and marked as coarse', () => {
  const random = randomFrom(7);
  const list = () => Array.from({ length: 2000 }, () => String(Math.floor(random() * 20)));
  const [old, now] = [list(), list()];
  const { changes, coarse } = diffLines(old, now, 10_000);
  expect(coarse).toBe(true);
  expect(apply(old, now, changes)).toEqual(now);
});

const before = snapshotOf(
  '# News\n\nThe price is 10 euros today.\n\nSame here.\n\nGone soon.\n\n# End\n\nlast',
);
const after = snapshotOf(
  '# News\n\nThe price is 12 euros today.\n\nSame here.\n\n# End\n\nlast\n\nAdded now.',
);

test('a diff has the counts of changed paragraphs, the first of them, and their headings', () => {
  const diff = diffPages(before, after);
  expect(diff).toMatchObject({
    same: false,
    added: 1,
    removed: 1,
    changed: 1,
    truncated: false,
    coarse: false,
  });
  expect(diff.changes).toEqual([
    {
      kind: 'changed',
      path: ['News'],
      excerpt: 'The price is 12 euros today.',
      was: 'The price is 10 euros today.',
    },
    { kind: 'removed', path: ['News'], excerpt: 'Gone soon.' },
    { kind: 'added', path: ['End'], excerpt: 'Added now.' },
  ]);
});

test('the lines are a unified diff', () => {
  const lines = diffPages(before, after).text.split('\n');
  expect(lines.slice(0, 2)).toEqual([
    `--- https://example.com/page\t2026-03-01T12:00:00.000Z ${before.hash}`,
    `+++ https://example.com/page\t2026-03-01T12:00:00.000Z ${after.hash}`,
  ]);
  expect(lines.slice(2)).toEqual([
    '@@ -2,3 +2,3 @@',
    ' ',
    '-The price is 10 euros today.',
    '+The price is 12 euros today.',
    ' ',
    '@@ -6,4 +6,2 @@',
    ' ',
    '-Gone soon.',
    '-',
    ' # End',
    '@@ -11 +9,3 @@',
    ' last',
    '+',
    '+Added now.',
  ]);
});

test('of a long paragraph the diff has the changed part', () => {
  const filler = 'some words of a long paragraph '.repeat(30);
  const diff = diffPages(snapshotOf(`${filler}old ${filler}`), snapshotOf(`${filler}new ${filler}`));
  expect(diff.changes[0]!.excerpt).toMatch(/^…[a-z ]*new [a-z ]*…$/);
  expect(diff.changes[0]!.was).toMatch(/^…[a-z ]*old [a-z ]*…$/);
});

test('pages with equal text are the same', () => {
  expect(diffPages(before, before)).toMatchObject({ same: true, changes: [], text: '', truncated: false });
});

test('a diff beyond its budget is cut at a line and marked as truncated', () => {
  const many = (word: string) =>
    snapshotOf(Array.from({ length: 100 }, (_, at) => `${word} ${at}`).join('\n'));
  const diff = diffPages(many('one'), many('two'), { maxBytes: 600, max: 5 });
  expect([diff.truncated, diff.changes.length, diff.added + diff.changed]).toEqual([true, 5, 100]);
  expect(JSON.stringify(diff.text).length - 2).toBeLessThanOrEqual(600);
  expect(diff.text).toMatch(/\n-one \d+$/);
  expect(diffPages(many('one'), many('two'), { max: 5 }).truncated).toBe(true);
});
