import { expect, test } from 'vitest';
import { BlameReader, type BlameRun, blameCommand, parseBlame } from '../../src/porcelain/blame.ts';
import { toOid } from '../../src/run/oid.ts';
import { seeds } from '../seeds.ts';
import { States } from './changed-states.ts';
import { printed } from './printed.ts';

const chosen = seeds(20);

/** A file that commits have edited and moved, and that has lines that are not committed. */
function edited(seed: number): States {
  const states = new States(seed);
  let lines = states.lines(20);
  for (let time = 0; time < 6; time++) {
    lines = lines.toSpliced(states.next(lines.length + 1), states.next(3), ...states.lines(4));
    states.made.write('file', Buffer.from(lines.join('\n'), 'latin1'));
    if (time < 5) states.commit(`edit ${time}\n\nauthor x\nfilename y`);
    if (time === 2) states.git('mv', 'file', 'na me');
    if (time === 2) states.git('mv', 'na me', 'file');
  }
  return states;
}

/** One row for each line: commit and the line it was. */
const rowsOf = (runs: readonly BlameRun[]) =>
  runs.flatMap(({ start, count, commit, originalStart }) =>
    Array.from(
      { length: count },
      (_, index) => `${commit.oid ?? '0'.repeat(40)} ${originalStart + index} ${start + index}`,
    ),
  );

const gitRows = (states: States, ...args: string[]) =>
  states
    .git('blame', '--line-porcelain', ...args, '--', 'file')
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [, row] = /^([0-9a-f]{40} \d+ \d+)(?: \d+)?$/.exec(line) ?? [];
      return row === undefined ? [] : [row];
    });

test.each(chosen)('each line is of the commit and the line that git says, in state %i', async (seed) => {
  const states = edited(seed);
  const at = toOid(states.git('rev-parse', 'HEAD').toString().trim());
  const committed = parseBlame(await printed(states.folder, blameCommand({ path: 'file', at })));
  expect(rowsOf(committed)).toEqual(gitRows(states, at));
  const now = parseBlame(await printed(states.folder, blameCommand({ path: 'file', ignoreSpace: true })));
  expect(rowsOf(now)).toEqual(gitRows(states, '-w'));
  const part = { path: 'file', at, lines: [{ from: 2, to: 3 }] };
  if (rowsOf(committed).length > 3) {
    expect(rowsOf(parseBlame(await printed(states.folder, blameCommand(part))))).toEqual(
      gitRows(states, '-L2,3', at),
    );
  }
  for (const [index, run] of committed.entries()) {
    expect(run.commit.summary).toMatch(/^edit \d$/);
    const next = committed[index + 1];
    expect(next?.start ?? run.start + run.count).toBe(run.start + run.count);
  }
});

test('output in pieces is read as in one, and tells how many lines are known', async () => {
  const states = edited(1);
  const bytes = await printed(states.folder, blameCommand({ path: 'file' }));
  const reader = new BlameReader();
  for (let at = 0; at < bytes.length; at += 7) reader.push(bytes.subarray(at, at + 7));
  expect(reader.runs()).toEqual(parseBlame(bytes));
  expect(reader.lines).toBe(rowsOf(reader.runs()).length);
});

test('a run names its author, its time and the path it had, and what is not committed has no commit', async () => {
  const states = new States(1);
  states.made.write('old name', 'a\nb\n');
  states.commit('first');
  states.git('mv', 'old name', 'ne\tw');
  states.commit('second');
  states.made.write('ne\tw', 'a\nb\nc\n');
  expect(parseBlame(await printed(states.folder, blameCommand({ path: 'ne\tw' })))).toMatchObject([
    {
      start: 1,
      count: 2,
      path: 'old name',
      commit: { author: { name: 'Ann Example', email: 'ann@example.org', zone: '+0000' }, summary: 'first' },
    },
    { start: 3, count: 1, commit: { oid: undefined } },
  ]);
});
