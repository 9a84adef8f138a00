import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { scratch } from '../scratch.ts';

const { git: run } = scratch();
const letters: Readonly<Record<string, string>> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type-changed',
};

/** Commits before one among which a filter looks: git compares each with its parent. */
const NEAR = 40;

/** Returns the repositories of a folder: itself, or those right below it. */
export function repositoriesIn(folder: string): string[] {
  const isTop = (path: string) =>
    existsSync(join(path, '.git')) ||
    ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
  if (isTop(folder)) return [realpathSync(folder)];
  const below = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
  return below.filter(isTop).map((path) => realpathSync(path));
}

/** A path that a commit changed, as git names it in text. */
export interface ChangedPath {
  readonly change: string;
  readonly path: string;
  readonly from?: string;
}

/** The answers of git itself for one repository. */
export class RealHistory {
  readonly top: string;
  readonly commits: readonly string[];

  constructor(top: string, count: number) {
    this.top = top;
    this.commits = this.lines('log', '--format=%H', `--max-count=${count}`);
  }

  git(...args: string[]): Buffer {
    return run(this.top, '--literal-pathspecs', ...args);
  }

  lines(...args: string[]): string[] {
    return this.git(...args)
      .toString()
      .split('\n')
      .filter((line) => line !== '');
  }

  /** the folder with the objects, which may be outside of a linked work tree */
  get commonDir(): string {
    return realpathSync(resolve(this.top, this.lines('rev-parse', '--git-common-dir')[0]!));
  }

  /** the first parent, or the empty tree */
  parentOf(commit: string): string {
    const [line = ''] = this.lines('rev-list', '--no-walk', '--parents', commit);
    return line.split(' ')[1] ?? this.lines('hash-object', '-t', 'tree', '/dev/null')[0]!;
  }

  /** a range that ends with a commit, or that commit with all before it */
  near(commit: string): string {
    const [first] = this.lines('log', '--first-parent', '--format=%H', `--skip=${NEAR}`, '-1', commit);
    return first === undefined ? commit : `${first}..${commit}`;
  }

  namesOf(commit: string): ChangedPath[] {
    const fields = this.git(
      'diff-tree',
      '-r',
      '-z',
      '--find-renames',
      '--name-status',
      this.parentOf(commit),
      commit,
    )
      .toString('latin1')
      .split('\0');
    const found: ChangedPath[] = [];
    for (let at = 0; at + 1 < fields.length; ) {
      const change = letters[fields[at]![0]!]!;
      const isMoved = change === 'renamed' || change === 'copied';
      const [from, path] = isMoved ? [fields[at + 1]!, fields[at + 2]!] : [undefined, fields[at + 1]!];
      found.push({ change, path, ...(from !== undefined && { from }) });
      at += isMoved ? 3 : 2;
    }
    return found;
  }

  patchOf(commit: string): Buffer {
    const same = ['--full-index', '--find-renames', '--indent-heuristic', '--diff-algorithm=myers'];
    return this.git(
      'diff',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      ...same,
      this.parentOf(commit),
      commit,
    );
  }

  /** each line of a file with the commit that made it, and its number there */
  blameOf(commit: string, path: string): string[] {
    return this.git('blame', '--porcelain', '--root', commit, '--', path)
      .toString('latin1')
      .split('\n')
      .flatMap((line) => /^([0-9a-f]{40,64} \d+) \d+(?: \d+)?$/.exec(line)?.[1] ?? []);
  }
}

/** The checkout that holds this test; undefined where it has no history. */
export function ownHistory(): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder;
  return undefined;
}

/** Decodes a patch as results do: a line that is not UTF-8 as Latin-1. */
export function decoded(patch: Buffer): string {
  const lines = patch.toString('latin1').split('\n');
  return lines
    .map((line) => {
      const bytes = Buffer.from(line, 'latin1');
      const text = bytes.toString();
      return Buffer.from(text).equals(bytes) ? text : line;
    })
    .join('\n');
}

/** Whether results and git's lists have the same text for a name: it is not quoted. */
export function isPlain({ path, from = '' }: Pick<ChangedPath, 'path' | 'from'>): boolean {
  return /^[ !#-[\]-~]*$/.test(path + from);
}

/** A word that a patch adds. */
export function addedWord(patch: string): string | undefined {
  return /^\+(?!\+\+ )[^\n]*?([A-Za-z_]{6,40})/m.exec(patch)?.[1];
}
