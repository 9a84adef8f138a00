import { expect, test } from 'vitest';
import { bytesOfName } from '../../src/porcelain/names.ts';
import { parseStatus, type Status, type StatusOptions, statusCommand } from '../../src/porcelain/status.ts';
import type { StatusEntry, Version } from '../../src/porcelain/status-entries.ts';
import { run } from '../../src/run/run.ts';
import { cleanGit, placeOf } from '../scratch.ts';
import { randomStates, type State } from './random-states.ts';
import { lineOf, readChanges, readOthers } from './reading.ts';

const statesOfEach = 10;

const bytes = (path: string) => bytesOfName(path).toString('latin1');

function pathsOf({ entries }: Status, kind: StatusEntry['kind']): string[] {
  return entries.flatMap((entry) => (entry.kind === kind ? bytes(entry.path) : [])).sort();
}

function facts({ mode, oid }: Version): string[] {
  return [mode, oid ?? '0'.repeat(40)];
}

/** The tracked paths of a status in the lines that `readChanges` writes. */
function changesOf({ entries }: Status) {
  const changes: string[] = [];
  const unmerged: string[] = [];
  for (const entry of entries) {
    if (entry.kind === 'changed') {
      const { index, worktree, head, staged, worktreeMode, submodule, from } = entry;
      const inside = submodule && [submodule.newCommits, submodule.modified, submodule.untracked].join();
      const source = from && `${from.similarity} ${bytes(from.path)}`;
      changes.push(
        lineOf([
          bytes(entry.path),
          index + worktree,
          ...facts(head),
          ...facts(staged),
          worktreeMode,
          inside,
          source,
        ]),
      );
    } else if (entry.kind === 'unmerged') {
      unmerged.push(
        lineOf([bytes(entry.path), ...facts(entry.base), ...facts(entry.ours), ...facts(entry.theirs)]),
      );
    }
  }
  return { changes: changes.sort(), unmerged: unmerged.sort() };
}

/** A status in which git itself looks into submodules, as in a trusted repository. */
async function statusOf({ repository: { folder } }: State, options: StatusOptions): Promise<Status> {
  const place = { ...placeOf(folder), byHand: folder };
  const { stdout } = await run(cleanGit(), statusCommand(options), { place });
  return parseStatus(stdout);
}

/** Together they go through all kinds of states. */
const seeds = Array.from({ length: 8 }, (_, index) => index + 1);
const seen = new Set<string>();

test.each(seeds)(
  'status says what diff-index, diff-files and ls-files say together, in the states of repository %i',
  async (seed) => {
    for (const state of randomStates(seed, statesOfEach)) {
      const plain = await statusOf(state, { untracked: 'all', ignored: true, renames: false });
      const others = readOthers(state);
      expect(changesOf(plain)).toEqual(readChanges(state, false));
      expect(pathsOf(plain, 'untracked')).toEqual(others.all);
      expect(pathsOf(plain, 'ignored')).toEqual(others.ignored);
      const renamed = await statusOf(state, {});
      expect(changesOf(renamed)).toEqual(readChanges(state, true));
      expect(pathsOf(renamed, 'untracked')).toEqual(others.folders);
      for (const entry of [...plain.entries, ...renamed.entries]) seen.add(shapeOf(entry));
    }
  },
);

test('those states are of all kinds', () => {
  expect(expectedShapes.filter((shape) => !seen.has(shape))).toEqual([]);
});

const expectedShapes = [
  ...[
    '.M',
    '.D',
    '.T',
    '.A',
    '.R',
    'M.',
    'A.',
    'D.',
    'T.',
    'R.',
    'AM',
    'AD',
    'MM',
    'RD',
    'untracked',
    'ignored',
  ],
  ...[
    'both-deleted',
    'added-by-us',
    'deleted-by-them',
    'added-by-them',
    'deleted-by-us',
    'both-added',
    'both-modified',
  ],
  ...['submodule .M', 'quoted'],
];

function shapeOf(entry: StatusEntry): string {
  if (entry.kind === 'unmerged') return entry.conflict;
  if (entry.kind !== 'changed') return entry.path.startsWith('"') ? 'quoted' : entry.kind;
  return `${entry.submodule ? 'submodule ' : ''}${entry.index}${entry.worktree}`;
}
