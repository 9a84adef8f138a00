import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseMarkers } from '../../src/porcelain/conflict-markers.ts';
import {
  type ConflictedPath,
  conflictsCommand,
  markerSizesCommand,
  parseConflicts,
  parseMarkerSizes,
  type Stage,
} from '../../src/porcelain/conflicts.ts';
import { mergeTreeCommand, mergeTreeStatuses, parseMergeTree } from '../../src/porcelain/merge-tree.ts';
import { resolveMarkers, type Side, type Taken, takeSide } from '../../src/porcelain/resolve.ts';
import { toOid } from '../../src/run/oid.ts';
import { seeds } from '../seeds.ts';
import { States } from './changed-states.ts';
import { printed } from './printed.ts';

const chosen = seeds(20);
const styles = ['merge', 'diff3', 'zdiff3'] as const;

/** Two branches that changed the same state by chance. */
function diverged(seed: number): States {
  const states = new States(seed);
  states.change(12);
  states.commit('base');
  states.git('switch', '--create', 'side');
  states.change(8);
  states.commit('side');
  states.git('switch', 'main');
  states.change(8);
  states.commit('main');
  return states;
}

const oidOf = (states: States, name: string) => toOid(states.git('rev-parse', name).toString().trim());

async function preflight(states: States) {
  const merge = { ours: oidOf(states, 'main'), theirs: oidOf(states, 'side') };
  return parseMergeTree(await printed(states.folder, mergeTreeCommand(merge), mergeTreeStatuses));
}

test.each(chosen)('a preflight tells the conflicts that the merge then has, in state %i', async (seed) => {
  const states = diverged(seed);
  const reported = await preflight(states);
  const oids = [oidOf(states, 'main'), oidOf(states, 'side')];
  states.git('merge', '--no-edit', 'side', { okay: [0, 1] });
  const conflicts = parseConflicts(await printed(states.folder, conflictsCommand()));
  // a path that gets out of the way is named after what was merged: here an object, there a branch
  const named = (name: string) => name.replaceAll(oids[0]!, 'HEAD').replaceAll(oids[1]!, 'side');
  // so are the markers in a version that was merged already
  const content = (version: Stage | undefined) =>
    version && [version.mode, named(states.git('cat-file', 'blob', version.oid).toString('latin1'))];
  const contents = (all: readonly ConflictedPath[]) =>
    all
      .map(({ path, conflict, base, ours, theirs }) => [
        named(path),
        conflict,
        ...[base, ours, theirs].map(content),
      ])
      .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
  expect(contents(reported.conflicts)).toEqual(contents(conflicts));
  expect(reported.messages.some(({ kind }) => kind.startsWith('CONFLICT'))).toBe(conflicts.length > 0);
  if (conflicts.length === 0) expect(oidOf(states, 'HEAD^{tree}')).toBe(reported.tree);
});

test.each(chosen)('taking a side of all conflicts leaves what that side has, in state %i', async (seed) => {
  const states = diverged(seed);
  states.git('merge', '--no-edit', 'side', { okay: [0, 1] });
  const conflicts = parseConflicts(await printed(states.folder, conflictsCommand()));
  const side = states.pick<Side>(['base', 'ours', 'theirs']);
  const { index, worktree, removal } = takeSide(conflicts, side);
  for (const command of [index, worktree, removal]) {
    if (command !== undefined) await printed(states.folder, command);
  }
  expect(parseConflicts(await printed(states.folder, conflictsCommand()))).toEqual([]);
  const staged = new Map(
    states
      .git('ls-files', '--stage', '-z')
      .toString('latin1')
      .split('\0')
      .slice(0, -1)
      .map((record) => {
        const [facts, name] = record.split('\t', 2);
        return [name!, facts!] as const;
      }),
  );
  for (const conflict of conflicts) {
    const version = conflict[side];
    const name = Buffer.from(conflict.path).toString('latin1');
    if (conflict.path.startsWith('"')) continue;
    expect(staged.get(name)).toBe(version === undefined ? undefined : `${version.mode} ${version.oid} 0`);
  }
  // and the work tree is the same as the index in all of these
  const changed = states.git('diff', '--name-only', '-z').toString('latin1').split('\0').filter(Boolean);
  expect(changed).toEqual([]);
});

test.each(chosen.flatMap((seed) => styles.map((style) => [seed, style] as const)))(
  'each conflict of a file is read, and taking a side is what git takes, in state %i and style %s',
  async (seed, style) => {
    const states = new States(seed);
    const base = states.lines(30);
    const edit = () => {
      const lines = [...base];
      for (let time = states.next(4); time >= 0; time--) {
        lines.splice(states.next(lines.length + 1), states.next(4), ...states.lines(3));
      }
      return Buffer.from(lines.join('\n') + states.pick(['\n', '']), 'latin1');
    };
    const size = states.pick([7, 7, 12]);
    const crlf = states.next(3) === 0;
    const write = (name: string, bytes: Buffer) => {
      const text = bytes.toString('latin1');
      return states.made.write(name, Buffer.from(crlf ? text.replaceAll(/\r?\n/g, '\r\n') : text, 'latin1'));
    };
    const files = [
      write('ours', edit()),
      write('base', Buffer.from(base.join('\n'), 'latin1')),
      write('theirs', edit()),
    ];
    const merge = (...args: string[]) =>
      states.git('merge-file', '-p', `--marker-size=${size}`, ...args, ...files, {
        okay: Array.from({ length: 128 }, (_, n) => n),
      });
    const bytes = merge(
      '-L',
      'HEAD',
      '-L',
      'be fore',
      '-L',
      'side',
      ...(style === 'merge' ? [] : [`--${style}`]),
    );
    const marked = parseMarkers(bytes, size);
    expect(Buffer.concat(marked.regions.map((region) => region.bytes)).equals(bytes)).toBe(true);
    expect(marked.stray).toEqual([]);
    const conflicts = marked.regions.filter((region) => region.kind === 'conflict');
    const markers = bytes
      .toString('latin1')
      .split('\n')
      .filter((line) => line.startsWith(`${'<'.repeat(size)} HEAD`));
    expect(conflicts.length).toBe(markers.length);
    for (const { labels, base: reported } of conflicts) {
      expect(labels).toEqual({
        ours: 'HEAD',
        base: style === 'merge' ? undefined : 'be fore',
        theirs: 'side',
      });
      expect(reported === undefined).toBe(style === 'merge');
    }
    const sides = ['ours', 'base', 'theirs'] as const;
    const unended = new Set(sides.filter((_, at) => !readFileSync(files[at]!, 'latin1').endsWith('\n')));
    const all = (taken: (region: (typeof conflicts)[number]) => Taken) =>
      resolveMarkers(marked, conflicts.map(taken), unended).toString('latin1');
    for (const side of ['ours', 'theirs'] as const)
      expect([side, all(() => side)]).toEqual([side, merge(`--${side}`).toString('latin1')]);
    // in a style that tells the base, git cuts conflicts in another way
    if (style === 'merge') expect(all(() => ['ours', 'theirs'])).toBe(merge('--union').toString('latin1'));
    for (const side of ['ours', 'theirs'] as const) {
      const [other] = sides.filter((each) => each !== side && each !== 'base');
      const bare = (text: Buffer) => text.toString('latin1').replace(/\r?\n$/, '');
      // lines that differ in their end alone can be told from each other by nobody
      if (conflicts.some((region) => bare(region[side]!) === bare(region[other!]!))) continue;
      expect([side, all((region) => region[side]!)]).toEqual([side, all(() => side)]);
      // without the newline of an empty line, a text is one of a line less
      if (conflicts.some((region) => /(?:^|\n)\r?\n$/.test(region[side].toString('latin1')))) continue;
      expect([side, all((region) => Buffer.from(bare(region[side]), 'latin1'))]).toEqual([
        side,
        all(() => side),
      ]);
    }
    expect(
      resolveMarkers(
        marked,
        conflicts.map(() => undefined),
      ).equals(bytes),
    ).toBe(true);
  },
);

test('what only looks like a marker is told as stray and stays in the text', () => {
  const text =
    '=======\n<<<<<<< a\nx\n<<<<<<< b\none\n=======\ntwo\n>>>>>>> c\n>>>>>>>\n<<<<<<<<\n||||||| \n';
  const { regions, stray } = parseMarkers(Buffer.from(text));
  expect(regions.map((region) => region.kind)).toEqual(['agreed', 'conflict', 'agreed']);
  expect(regions[1]).toMatchObject({ line: 4, ours: Buffer.from('one\n'), theirs: Buffer.from('two\n') });
  expect(stray).toEqual([1, 2, 9, 11]);
});

test('each conflict can be decided on its own: sides one after the other, other bytes, or left', () => {
  const conflict = (name: string) => `<<<<<<< a\n${name}1\n=======\n${name}2\n>>>>>>> b\n`;
  const marked = parseMarkers(Buffer.from(`${conflict('x')}mid\n${conflict('y')}${conflict('z')}`));
  expect(resolveMarkers(marked, [['theirs', 'ours'], undefined, Buffer.from('new\n')]).toString()).toBe(
    `x2\nx1\nmid\n${conflict('y')}new\n`,
  );
  expect(() => resolveMarkers(marked, ['ours'])).toThrow(expect.objectContaining({ code: 'invalid-choice' }));
  expect(() => resolveMarkers(marked, ['base', 'ours', 'ours'])).toThrow(/diff3/);
});

test('the length of markers is what the attributes of a path say', async () => {
  const states = new States(1);
  states.made.write('.gitattributes', '*.md conflict-marker-size=20\n*.txt conflict-marker-size=what\n');
  const sizes = parseMarkerSizes(await printed(states.folder, markerSizesCommand(['a.md', 'b.txt', 'c'])));
  expect([...sizes]).toEqual([['a.md', 20]]);
  expect(readFileSync(join(states.folder, '.gitattributes'), 'utf8')).toContain('20');
});
