import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patchCommand, type Sides } from '../../src/porcelain/diff.ts';
import { type FilePatch, parsePatch } from '../../src/porcelain/hunks.ts';
import {
  type ApplyOptions,
  applyCommand,
  buildPatch,
  type Choice,
  contextOfChoices,
} from '../../src/porcelain/patch.ts';
import { linesOf } from '../../src/porcelain/patch-lines.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { seeds } from '../seeds.ts';
import { States } from './changed-states.ts';
import { printed } from './printed.ts';

const unstaged: Sides = { kind: 'unstaged' };
const staged: Sides = { kind: 'staged' };
const chosen = seeds(20);

async function filesOf(
  folder: string,
  sides: Sides,
  renames = true,
  context = 3,
): Promise<readonly FilePatch[]> {
  const bytes = await printed(folder, patchCommand({ sides, renames }, { binary: true, context }));
  return parsePatch(bytes, { context }).files;
}

const idsOf = (file: FilePatch) => [
  ...(file.changeId === undefined ? [] : [file.changeId]),
  ...file.hunks.map((hunk) => hunk.id),
];

async function apply(
  folder: string,
  files: readonly FilePatch[],
  choices: readonly Choice[],
  options: ApplyOptions,
) {
  const patch = buildPatch(files, choices, options.reverse ? { reverse: true } : {});
  await printed(folder, applyCommand(patch, options));
}

/** A state with a commit, and changes of tracked files that are not staged. */
function changed(seed: number): States {
  const states = new States(seed);
  states.change(12);
  states.commit();
  states.change(10);
  return states;
}

/** The tree that `git add` of what is tracked would leave. */
function addedTree(states: States): string {
  const index = join(states.folder, '.git', 'other-index');
  copyFileSync(join(states.folder, '.git', 'index'), index);
  const environment = { GIT_INDEX_FILE: index };
  states.git('add', '--update', { environment });
  return states.git('write-tree', { environment }).toString();
}

test.each(chosen)('staging every hunk one after the other equals git add, in state %i', async (seed) => {
  const states = changed(seed);
  const wanted = addedTree(states);
  for (let files = await filesOf(states.folder, unstaged); files.length > 0; ) {
    const file = files[states.next(files.length)]!;
    const ids = idsOf(file);
    await apply(states.folder, files, [{ id: states.pick(ids) }], { to: 'index' });
    files = await filesOf(states.folder, unstaged);
  }
  expect(states.git('write-tree').toString()).toBe(wanted);
});

test.each(chosen)(
  'unstaging some hunks, then the others, leads back to the commit, in state %i',
  async (seed) => {
    const states = changed(seed);
    states.git('add', '--all');
    const files = await filesOf(states.folder, staged);
    const some = files.flatMap(idsOf).filter(() => states.next(2) === 0);
    if (some.length > 0) {
      await apply(
        states.folder,
        files,
        some.map((id) => ({ id })),
        { to: 'index', reverse: true },
      );
    }
    const left = await filesOf(states.folder, staged);
    const rest = left.flatMap(idsOf).map((id) => ({ id }));
    if (rest.length > 0) await apply(states.folder, left, rest, { to: 'index', reverse: true });
    expect(states.git('write-tree').toString()).toBe(states.git('rev-parse', 'HEAD^{tree}').toString());
  },
);

test.each(chosen)(
  'discarding every hunk leaves the work tree as the index has it, in state %i',
  async (seed) => {
    const states = changed(seed);
    const files = await filesOf(states.folder, unstaged);
    const choices = files.flatMap(idsOf).map((id) => ({ id }));
    if (choices.length > 0) await apply(states.folder, files, choices, { to: 'worktree', reverse: true });
    expect(states.git('diff', '--name-only', '-z').toString()).toBe('');
  },
);

/** Two versions of a file that share most of their lines, each with or without a newline at its end. */
function twoVersions(states: States): [string, string] {
  const old = states.lines(30);
  const now = [...old];
  for (let edit = states.next(5); edit >= 0; edit--) {
    now.splice(states.next(now.length + 1), states.next(4), ...states.lines(3));
  }
  return [old.join('\n') + states.pick(['\n', '']), now.join('\n') + states.pick(['\n', ''])];
}

/** Applies the lines by hand: each line of the old text, and the chosen parts of the hunks. */
function expected(source: string, file: FilePatch, chosen: ReadonlySet<string>, reverse: boolean): string {
  const before = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const after: string[] = [];
  let at = 0;
  for (const hunk of file.hunks) {
    const from = reverse ? hunk.new : hunk.old[0]!;
    const start = from.lines === 0 ? from.start : from.start - 1;
    after.push(...before.slice(at, start));
    at = start;
    for (const [index, line] of linesOf(hunk.body).entries()) {
      const isChosen = chosen.has(`${hunk.id} ${index + 1}`);
      const comes = line.sign === (reverse ? '-' : '+');
      if (comes && isChosen) after.push(line.bytes.toString('latin1') + (line.ended ? '\n' : ''));
      if (comes) continue;
      if (line.sign === ' ' || !isChosen) after.push(before[at]!);
      at += 1;
    }
  }
  after.push(...before.slice(at));
  return after
    .map((line, index) => (index < after.length - 1 && !line.endsWith('\n') ? `${line}\n` : line))
    .join('');
}

test.each(chosen.flatMap((seed) => [[seed, false] as const, [seed, true] as const]))(
  'chosen lines alone are taken, and all others stay, in state %i, in reverse %s',
  async (seed, reverse) => {
    const states = new States(1000 + seed);
    const [old, now] = twoVersions(states);
    if (old === now || old === '' || now === '') return;
    states.made.write('file', Buffer.from(old, 'latin1'));
    states.commit();
    states.made.write('file', Buffer.from(now, 'latin1'));
    if (reverse) states.git('add', 'file');
    const context = states.pick([1, 3, 8]);
    const files = await filesOf(states.folder, reverse ? staged : unstaged, true, context);
    const chosen = new Set<string>();
    const choices = files[0]!.hunks.flatMap((hunk): Choice[] => {
      const lines = linesOf(hunk.body).flatMap((line, index) =>
        line.sign !== ' ' && states.next(2) === 0 ? [index + 1] : [],
      );
      for (const line of lines) chosen.add(`${hunk.id} ${line}`);
      return lines.length === 0 ? [] : [{ id: hunk.id, lines }];
    });
    if (choices.length === 0) return;
    expect(contextOfChoices(choices)).toBe(context);
    await apply(states.folder, files, choices, { to: 'index', reverse });
    expect(states.git('show', ':file').toString('latin1')).toBe(
      expected(reverse ? now : old, files[0]!, chosen, reverse),
    );
  },
);

async function oneFile(old: string | undefined, now: string | undefined): Promise<Scratch> {
  const made = scratch();
  made.git(made.folder, 'init');
  if (old !== undefined) made.write('file', old);
  made.git(made.folder, 'add', '--all');
  made.git(made.folder, 'commit', '--allow-empty', '-m', 'one');
  if (now !== undefined) made.write('file', now);
  else made.git(made.folder, 'rm', '--cached', 'file');
  return made;
}

test('a hunk of a file that changed since is stale', async () => {
  const { folder, write } = await oneFile('a\nb\n', 'a\nB\n');
  const [file] = await filesOf(folder, unstaged);
  const choices = [{ id: file!.hunks[0]!.id }];
  write('file', 'a\nC\n');
  const files = await filesOf(folder, unstaged);
  expect(() => buildPatch(files, choices)).toThrow(expect.objectContaining({ code: 'stale-hunk' }));
  expect(() => contextOfChoices([{ id: 'made up' }])).toThrow(
    expect.objectContaining({ code: 'stale-hunk' }),
  );
});

test('an id is the same again when the file is as it was', async () => {
  const { folder, write } = await oneFile('a\nb\n', 'a\nB\n');
  const [before] = await filesOf(folder, unstaged);
  write('file', 'x\n');
  write('file', 'a\nB\n');
  expect((await filesOf(folder, unstaged))[0]!.hunks[0]!.id).toBe(before!.hunks[0]!.id);
});

test('some lines of a new file can be unstaged, and the others stay', async () => {
  const { folder, git } = await oneFile(undefined, 'a\nb\nc\n');
  git(folder, 'add', 'file');
  const files = await filesOf(folder, staged);
  await apply(folder, files, [{ id: files[0]!.hunks[0]!.id, lines: [2] }], { to: 'index', reverse: true });
  expect(git(folder, 'show', ':file').toString()).toBe('a\nc\n');
});

test('some lines of a removal can be unstaged, and the file is back with these', async () => {
  const { folder, git } = await oneFile('a\nb\nc\n', undefined);
  const files = await filesOf(folder, staged);
  await apply(folder, files, [{ id: files[0]!.hunks[0]!.id, lines: [1, 3] }], { to: 'index', reverse: true });
  expect(git(folder, 'show', ':file').toString()).toBe('a\nc\n');
});

test('some lines of a file that git only knows of can be staged', async () => {
  const { folder, git } = await oneFile(undefined, 'a\nb\nc\n');
  git(folder, 'add', '--intent-to-add', 'file');
  const files = await filesOf(folder, unstaged);
  await apply(folder, files, [{ id: files[0]!.hunks[0]!.id, lines: [3] }], { to: 'index' });
  expect(git(folder, 'show', ':file').toString()).toBe('c\n');
});

test('a mode is staged without the lines, and the lines without the mode', async () => {
  const { folder, git, write } = await oneFile('a\nb\n', undefined);
  git(folder, 'reset');
  write('file', 'a\nB\n');
  git(folder, 'update-index', '--chmod=+x', 'file');
  git(folder, 'add', 'file');
  git(folder, 'update-index', '--chmod=+x', 'file');
  const files = await filesOf(folder, staged);
  await apply(folder, files, [{ id: files[0]!.changeId! }], { to: 'index', reverse: true });
  expect(git(folder, 'ls-files', '--stage').toString()).toMatch(/^100644/);
  expect(git(folder, 'show', ':file').toString()).toBe('a\nB\n');
});

test('a hunk of a renamed file is unstaged and the new name stays', async () => {
  const text = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('');
  const { folder, git, write } = await oneFile(text, text);
  git(folder, 'mv', 'file', 'ne w');
  write('ne w', text.replace('line 20\n', 'changed\n'));
  git(folder, 'add', '--all');
  const files = await filesOf(folder, staged);
  expect(files[0]).toMatchObject({ kind: 'renamed', from: 'file', path: 'ne w' });
  await apply(folder, files, [{ id: files[0]!.hunks[0]!.id }], { to: 'index', reverse: true });
  expect(git(folder, 'show', ':ne w').toString()).toBe(text);
});

test('lines that a hunk does not have, or that are no change, cannot be chosen alone', async () => {
  const { folder } = await oneFile('a\nb\n', 'a\nB\n');
  const files = await filesOf(folder, unstaged);
  const { id } = files[0]!.hunks[0]!;
  for (const lines of [[0], [9], [1], [1.5], []]) {
    expect(() => buildPatch(files, [{ id, lines }])).toThrow(
      expect.objectContaining({ code: 'invalid-choice' }),
    );
  }
});
