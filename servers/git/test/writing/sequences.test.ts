import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { full } from '../seeds.ts';
import { copyOf, diverging, kinds, stateOf } from './diverging.ts';

const served = new Served();
const made = scratch();
const { git } = made;

/** How each operation begins, as our tool and as plain git. */
const operations = {
  merge: {
    on: 'main',
    tool: 'git_merge',
    args: { revisions: ['side'] },
    plain: ['merge', '--no-edit', 'side'],
  },
  rebase: { on: 'main', tool: 'git_rebase', args: { upstream: 'side' }, plain: ['rebase', 'side'] },
  'cherry-pick': {
    on: 'main',
    tool: 'git_cherry_pick',
    args: { commits: ['side'] },
    plain: ['cherry-pick', 'side'],
  },
  revert: {
    on: 'line',
    tool: 'git_revert',
    args: { commits: ['line~1'] },
    plain: ['revert', '--no-edit', 'line~1'],
  },
} as const;

type Kind = keyof typeof operations;
const ends = ['continue', 'abort', 'skip'] as const;

/** Takes theirs of all conflicts by plumbing. */
function takeTheirs(path: string): void {
  const stages = git(path, 'ls-files', '-u', '-z')
    .toString('latin1')
    .split('\0')
    .filter((entry) => entry !== '');
  const removed = stages.map((entry) => `0 ${'0'.repeat(40)}\t${entry.slice(entry.indexOf('\t') + 1)}\0`);
  const theirs = stages
    .filter((entry) => / 3\t/.test(entry))
    .map((entry) => `${entry}\0`.replace(/ 3\t/, ' 0\t'));
  git(path, 'update-index', '-z', '--index-info', {
    input: Buffer.from([...removed, ...theirs].join(''), 'latin1'),
  });
  git(path, 'checkout-index', '-fa');
  git(path, 'clean', '-fdq');
}

const indexOf = (path: string) => git(path, 'ls-files', '-s').toString();

const table = Object.keys(kinds).flatMap((conflict, row) =>
  (Object.keys(operations) as Kind[]).map((kind, column) => ({
    conflict,
    kind,
    end: ends[(row + column) % 3]!,
  })),
);

/** One operation for each conflict, each operation and each end for several; in the full run all others. */
const chosen = table.filter((_, index) => (index % 4 === Math.floor(index / 4) % 4) !== full);

describe('what plain git leaves is left by', () => {
  for (const [conflict, sides] of Object.entries(kinds)) {
    const first = diverging(made, conflict.replaceAll(' ', '-'), sides);
    test.each(chosen.filter((row) => row.conflict === conflict))(
      `$kind of "${conflict}" and $end`,
      async ({ kind, end }) => {
        const { on, tool, args, plain } = operations[kind];
        const [ours, theirs] = [copyOf(first, `${kind}-ours`), copyOf(first, `${kind}-plain`)];
        if (on !== 'main') for (const path of [ours, theirs]) git(path, 'checkout', '-q', on);
        const client = await served.client([ours]);
        const begun = await call<{ state: string; conflicts?: { path: string }[] }>(client, tool, args);
        git(theirs, ...plain, { okay: [0, 1] });
        expect([begun.failed, indexOf(ours)]).toEqual([false, indexOf(theirs)]);
        if (begun.facts.state !== 'conflicts')
          return expect(stateOf(made, ours)).toEqual(stateOf(made, theirs));
        const paths = begun.facts.conflicts!.map(({ path }) => path);
        const action = end === 'skip' && kind === 'merge' ? 'abort' : end;
        if (action === 'continue') {
          const resolved = await call(client, 'git_resolve', { paths, side: 'theirs' });
          expect([resolved.failed, resolved.facts]).toMatchObject([false, { total_conflicts: 0 }]);
          takeTheirs(theirs);
          expect(indexOf(ours)).toBe(indexOf(theirs));
        }
        const ended = await call<{ state: string }>(client, 'git_continue', { action, expected: kind });
        git(theirs, kind, `--${action}`, { okay: [0, 1] });
        expect([ended.text, ended.failed, stateOf(made, ours)]).toEqual([
          ended.text,
          false,
          stateOf(made, theirs),
        ]);
      },
    );
  }
});
