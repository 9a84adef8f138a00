import { join } from 'node:path';
import type { Scratch } from '../scratch.ts';
import type { State } from './random-states.ts';

/** A side of a path by a raw diff: all texts as git prints them, byte by byte. */
interface Raw {
  readonly modes: readonly [string, string];
  readonly oids: readonly [string, string];
  readonly letter: string;
  readonly score: number | undefined;
  readonly from: string | undefined;
}

/** The facts of a state in lines, by name, read from git's other commands. */
export interface Reading {
  readonly changes: readonly string[];
  readonly unmerged: readonly string[];
}

const none = ['000000', '0'.repeat(40)] as const;

/** Returns the expected status of tracked paths, put together from diff-index, diff-files and ls-files. */
export function readChanges({ repository, module }: State, renames: boolean): Reading {
  const { folder, git } = repository;
  git(folder, 'update-index', '-q', '--refresh', { okay: [0, 1] });
  const top = git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD^{tree}', { okay: [0, 1] })
    .toString()
    .trim();
  const tree = top || git(folder, 'hash-object', '-t', 'tree', '--stdin').toString().trim();
  const detect = renames ? '--find-renames' : '--no-renames';
  const raw = ['-z', '--raw', '--no-abbrev', '--ignore-submodules=none'];
  const index = readRaw(
    git(
      folder,
      'diff-index',
      '--cached',
      '--ita-invisible-in-index',
      top ? detect : '--no-renames',
      ...raw,
      tree,
    ),
  );
  const worktree = readRaw(git(folder, 'diff-files', detect, ...raw));
  const unmerged = readStages(repository);
  const paths = [...new Set([...index.keys(), ...worktree.keys()])].filter((path) => !unmerged.has(path));
  return {
    changes: paths
      .map((path) => {
        const [staged, changed] = [index.get(path), worktree.get(path)];
        const changedFrom = changed && [changed.modes[0], changed.oids[0]];
        // a path that is gone from the index, and renamed to in the work tree, has the version that was renamed
        const stagedTo = staged && staged.letter !== 'D' ? [staged.modes[1], staged.oids[1]] : undefined;
        const head = staged ? [staged.modes[0], staged.oids[0]] : changedFrom!;
        const versions = [...head, ...(stagedTo ?? changedFrom ?? none)];
        const mode = changed ? changed.modes[1] : staged!.modes[1];
        const source = [staged, changed].find((side) => side?.from !== undefined);
        const from = source ? `${source.score} ${source.from}` : '';
        const inside =
          path === module && versions[2] === '160000' && mode === '160000'
            ? readModule(repository, path, versions[3]!)
            : '';
        return lineOf([
          path,
          (staged?.letter ?? '.') + (changed?.letter ?? '.'),
          ...versions,
          mode,
          inside,
          from,
        ]);
      })
      .sort(),
    unmerged: [...unmerged].map(([path, stages]) => lineOf([path, ...stages.flat()])).sort(),
  };
}

/** Untracked and ignored names, by ls-files. */
export function readOthers({ repository: { folder, git } }: State) {
  const list = (...args: string[]) =>
    split(git(folder, 'ls-files', '-z', '--others', '--exclude-standard', ...args)).sort();
  return { all: list(), folders: list('--directory', '--no-empty-directory'), ignored: list('--ignored') };
}

export function lineOf(facts: readonly (string | undefined)[]): string {
  return facts.map((fact) => fact ?? '').join(' | ');
}

function split(bytes: Buffer): string[] {
  return bytes.toString('latin1').split('\0').slice(0, -1);
}

function readRaw(bytes: Buffer): Map<string, Raw> {
  const read = new Map<string, Raw>();
  const tokens = split(bytes);
  while (tokens.length > 0) {
    const [mode1, mode2, oid1, oid2, status] = tokens.shift()!.slice(1).split(' ');
    const letter = status![0]!;
    const first = tokens.shift()!;
    const path = 'RC'.includes(letter) ? tokens.shift()! : first;
    // of an unmerged path a second entry is printed
    if (letter === 'U') continue;
    const from = path === first ? undefined : first;
    const score = from === undefined ? undefined : Number(status!.slice(1));
    read.set(path, { modes: [mode1!, mode2!], oids: [oid1!, oid2!], letter, score, from });
  }
  return read;
}

function readStages({ folder, git }: Scratch): Map<string, (readonly [string, string])[]> {
  const read = new Map<string, (readonly [string, string])[]>();
  for (const record of split(git(folder, 'ls-files', '-z', '--unmerged'))) {
    const end = record.indexOf('\t');
    const [mode, oid, stage] = record.slice(0, end).split(' ');
    const path = record.slice(end + 1);
    const stages = read.get(path) ?? [none, none, none];
    read.set(path, stages.with(Number(stage) - 1, [mode!, oid!]));
  }
  return read;
}

function readModule({ folder, git }: Scratch, path: string, recorded: string): string {
  const inner = join(folder, path);
  git(inner, 'update-index', '-q', '--refresh', { okay: [0, 1] });
  const commits = git(inner, 'rev-parse', 'HEAD').toString().trim() !== recorded;
  const modified = git(inner, 'diff-index', 'HEAD').length > 0;
  const untracked = git(inner, 'ls-files', '--others').length > 0;
  return [commits, modified, untracked].join();
}
