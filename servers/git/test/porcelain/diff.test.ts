import { expect, test } from 'vitest';
import { type Change, parseChanges } from '../../src/porcelain/changes.ts';
import { changesCommand, emptyTree, patchCommand, type Sides } from '../../src/porcelain/diff.ts';
import { joinPatch, parsePatch } from '../../src/porcelain/hunks.ts';
import { nameOfByteString } from '../../src/porcelain/names.ts';
import { linesOf } from '../../src/porcelain/patch-lines.ts';
import { toOid } from '../../src/run/oid.ts';
import { scratch } from '../scratch.ts';
import { seeds } from '../seeds.ts';
import { States } from './changed-states.ts';
import { printed } from './printed.ts';

/** Each kind of diff of a state with two commits, staged and other changes, and git's own arguments for it. */
function sidesOf(states: States): [Sides, string[]][] {
  states.change(12);
  const first = toOid(states.commit());
  states.change(6);
  const second = toOid(states.commit());
  states.change(6);
  states.git('add', '--all');
  states.change(6);
  return [
    [{ kind: 'unstaged' }, []],
    [{ kind: 'staged' }, ['--cached']],
    [{ kind: 'staged', from: first }, ['--cached', first]],
    [{ kind: 'worktree', from: second }, [second]],
    [{ kind: 'between', from: first, to: second }, [first, second]],
    [{ kind: 'since', from: second, to: first }, [`${second}...${first}`]],
    [{ kind: 'between', from: emptyTree('sha1'), to: first }, [emptyTree('sha1'), first]],
  ];
}

const letters: Record<string, Change['kind']> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type-changed',
};

/** Returns the output of git in its plain format: letter and paths. */
function nameStatus(bytes: Buffer): string[][] {
  const tokens = bytes.toString('latin1').split('\0').slice(0, -1);
  const rows: string[][] = [];
  while (tokens.length > 0) {
    const letter = tokens.shift()!;
    const count = /^[RC]/.test(letter) ? 2 : 1;
    rows.push([letters[letter[0]!]!, ...tokens.splice(0, count).map(nameOfByteString)]);
  }
  return rows;
}

const chosen = seeds(20);

test.each(chosen)(
  'every kind of diff has the paths, letters, counts and bytes that git prints, in state %i',
  async (seed) => {
    const states = new States(seed);
    for (const [sides, args] of sidesOf(states)) {
      const ours = parseChanges(await printed(states.folder, changesCommand({ sides }, { lines: true })));
      const reported = ours.map(({ kind, from, path }) => (from ? [kind, from.path, path] : [kind, path]));
      expect(reported).toEqual(nameStatus(states.git('diff', '--name-status', '-z', '-M', ...args)));

      const raw = states.git('diff', '--full-index', '-M', ...args);
      const bytes = await printed(states.folder, patchCommand({ sides }));
      expect(bytes.equals(raw)).toBe(true);
      const patch = parsePatch(bytes);
      expect(joinPatch(patch).equals(raw)).toBe(true);
      expect(patch.rest.length).toBe(0);
      expect(patch.files.map((file) => file.path)).toEqual(ours.map((change) => change.path));
      for (const [index, file] of patch.files.entries()) {
        const { lines, old, new: now, kind } = ours[index]!;
        // of what is only renamed git counts the lines too
        if (file.binary) expect(lines).toBe('binary');
        else if (file.oldOids.length > 0) expect(lines).toBeTypeOf('object');
        if (file.newMode !== undefined && kind !== 'type-changed') expect(file.newMode).toBe(now.mode);
        if (file.oldOids.length > 0 && old[0]!.oid !== undefined) expect(file.oldOids).toEqual([old[0]!.oid]);
        if (typeof lines !== 'object' || kind === 'type-changed') continue;
        const all = file.hunks.flatMap((hunk) => linesOf(hunk.body));
        expect(all.filter((line) => line.sign === '+').length).toBe(lines.added);
        expect(all.filter((line) => line.sign === '-').length).toBe(lines.deleted);
      }
    }
  },
);

test.each(chosen)(
  'a patch that was cut anywhere is whole files and hunks, and a rest, in state %i',
  async (seed) => {
    const states = new States(seed);
    states.change(8);
    states.commit();
    states.change(8);
    const bytes = await printed(
      states.folder,
      patchCommand({ sides: { kind: 'unstaged' } }, { binary: true }),
    );
    const whole = parsePatch(bytes).files.flatMap((file) =>
      file.hunks.map((hunk) => hunk.bytes.toString('latin1')),
    );
    for (let time = 0; time < 25; time++) {
      const cut = bytes.subarray(0, states.next(bytes.length + 1));
      const patch = parsePatch(cut, { cut: true });
      expect(joinPatch(patch).equals(cut)).toBe(true);
      const hunks = patch.files.flatMap((file) => file.hunks.map((hunk) => hunk.bytes.toString('latin1')));
      expect(hunks).toEqual(whole.slice(0, hunks.length));
    }
  },
);

function merged() {
  const made = scratch();
  const { folder, git, write } = made;
  git(folder, 'init');
  write('both', 'a\nb\nc\n');
  write('one', 'x\n');
  git(folder, 'add', '--all');
  git(folder, 'commit', '-m', 'base');
  git(folder, 'switch', '-c', 'side');
  write('both', 'a\nside\nc');
  write('one', 'y\n');
  git(folder, 'commit', '-am', 'side');
  git(folder, 'switch', 'main');
  write('both', 'a\nmain\nc\n');
  git(folder, 'commit', '-am', 'main');
  git(folder, 'merge', 'side', { okay: [1] });
  const oid = (name: string) => toOid(git(folder, 'rev-parse', name).toString().trim());
  return { ...made, oid };
}

test('a path in conflict is told once as unmerged, and its patch is against both sides', async () => {
  const { folder } = merged();
  const sides: Sides = { kind: 'unstaged' };
  const changes = parseChanges(await printed(folder, changesCommand({ sides }, { lines: true })));
  expect(changes).toMatchObject([{ path: 'both', kind: 'unmerged', lines: { added: 5 } }]);
  const bytes = await printed(folder, patchCommand({ sides }));
  const patch = parsePatch(bytes);
  expect(patch.files).toMatchObject([{ kind: 'merged', path: 'both', changeId: undefined }]);
  expect(patch.files[0]!.hunks[0]!.old.length).toBe(2);
  expect(joinPatch(patch).equals(bytes)).toBe(true);
  const staged: Sides = { kind: 'staged' };
  expect(
    parsePatch(await printed(folder, patchCommand({ sides: staged }))).files.map(({ path }) => path),
  ).toEqual(['one']);
  expect(parseChanges(await printed(folder, changesCommand({ sides: staged })))).toMatchObject([
    { path: 'both', kind: 'unmerged' },
    { path: 'one', kind: 'modified' },
  ]);
});

test('a merge against all its parents has what none of them has, as git prints it', async () => {
  const { folder, git, write, oid } = merged();
  write('both', 'a\nmain and side\nc');
  git(folder, 'commit', '-am', 'merge');
  const parents = [oid('HEAD^1'), oid('HEAD^2')];
  const sides: Sides = { kind: 'merge', commit: oid('HEAD'), parents };
  const changes = parseChanges(await printed(folder, changesCommand({ sides }, { lines: true })));
  expect(changes).toEqual([
    {
      path: 'both',
      kind: 'modified',
      from: undefined,
      old: parents.map((parent) => ({ mode: '100644', oid: oid(`${parent}:both`) })),
      new: { mode: '100644', oid: oid('HEAD:both') },
      lines: { added: 2, deleted: 2 },
    },
  ]);
  const bytes = await printed(folder, patchCommand({ sides }));
  expect(bytes.equals(git(folder, 'show', '--format=', '--full-index', '--cc', 'HEAD'))).toBe(true);
  const patch = parsePatch(bytes);
  expect(joinPatch(patch).equals(bytes)).toBe(true);
  expect(patch.files).toMatchObject([{ kind: 'merged', path: 'both', hunks: [{ section: '' }] }]);
});

test('a submodule is told by the commit that it is at, and its work tree is not looked into', async () => {
  const inner = scratch();
  inner.git(inner.folder, 'init');
  inner.git(inner.folder, 'commit', '--allow-empty', '-m', 'one');
  const { folder, git, write } = scratch();
  git(folder, 'init');
  git(folder, 'submodule', 'add', inner.folder, 'module');
  git(folder, 'commit', '-m', 'module');
  write('module/new', 'x');
  const sides: Sides = { kind: 'unstaged' };
  expect((await printed(folder, changesCommand({ sides }))).length).toBe(0);
  git(`${folder}/module`, 'commit', '--allow-empty', '-m', 'two');
  expect(parseChanges(await printed(folder, changesCommand({ sides })))).toMatchObject([
    { path: 'module', kind: 'modified', old: [{ mode: '160000' }] },
  ]);
  const [file] = parsePatch(await printed(folder, patchCommand({ sides }))).files;
  expect(linesOf(file!.hunks[0]!.body).map((line) => line.bytes.toString().slice(0, 18))).toEqual([
    'Subproject commit ',
    'Subproject commit ',
  ]);
});

test('configuration does not change what a patch looks like', async () => {
  const states = new States(7);
  states.change(10);
  states.commit();
  states.change(10);
  const command = patchCommand({ sides: { kind: 'unstaged' } });
  const before = await printed(states.folder, command);
  for (const [key, value] of [
    ['diff.noprefix', 'true'],
    ['diff.mnemonicPrefix', 'true'],
    ['diff.context', '9'],
    ['diff.interHunkContext', '9'],
    ['diff.algorithm', 'patience'],
    ['diff.renames', 'false'],
    ['diff.indentHeuristic', 'false'],
    ['color.ui', 'always'],
    ['core.abbrev', '10'],
    ['diff.relative', 'true'],
  ]) {
    states.git('config', key!, value!);
  }
  expect((await printed(states.folder, command)).equals(before)).toBe(true);
  states.git('config', 'diff.suppressBlankEmpty', 'true');
  states.git('config', 'core.quotePath', 'false');
  const bytes = await printed(states.folder, command);
  const paths = (patch: Buffer) =>
    parsePatch(patch).files.map((file) => [file.path, file.hunks.map(({ id }) => id)]);
  expect(joinPatch(parsePatch(bytes)).equals(bytes)).toBe(true);
  expect(paths(bytes)).toEqual(paths(before));
});
