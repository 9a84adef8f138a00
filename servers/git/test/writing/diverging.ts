import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Scratch } from '../scratch.ts';

/** A path of a commit: a mode, and its content or the commit of a submodule. */
export type Entry = readonly [mode: string, content: string | Buffer];
export type Files = Readonly<Record<string, Entry | string | Buffer>>;

export interface Sides {
  readonly base: Files;
  readonly main: Files;
  readonly side: Files;
}

const lines = Array.from({ length: 12 }, (_, at) => `line ${at}\n`).join('');
const module = (digit: string): Entry => ['160000', digit.repeat(40)];
const other = { other: 'as it is\n' };

/** One of each way in which two sides cannot be merged. */
export const kinds: Readonly<Record<string, Sides>> = {
  'both modified': {
    base: { a: 'one\ntwo\nthree\n' },
    main: { a: 'one\nmain\nthree\n' },
    side: { a: 'one\nside\nthree\n' },
  },
  'both added': { base: {}, main: { a: 'main\n' }, side: { a: 'side\n' } },
  'deleted by us': { base: { a: lines }, main: {}, side: { a: `${lines}more\n` } },
  'deleted by them': { base: { a: lines }, main: { a: `${lines}more\n` }, side: {} },
  'both renamed': { base: { a: lines }, main: { b: lines }, side: { c: lines } },
  mode: { base: {}, main: { a: ['100755', 'main\n'] }, side: { a: ['100644', 'side\n'] } },
  binary: {
    base: { a: Buffer.from([0, 1]) },
    main: { a: Buffer.from([0, 2]) },
    side: { a: Buffer.from([0, 3]) },
  },
  submodule: { base: { s: module('1') }, main: { s: module('2') }, side: { s: module('3') } },
  link: {
    base: { l: ['120000', 'one'] },
    main: { l: ['120000', 'main'] },
    side: { l: ['120000', 'side'] },
  },
  'names that are no UTF-8': {
    base: { '"caf\\351"': 'one\n' },
    main: { '"caf\\351"': 'main\n' },
    side: { '"caf\\351"': 'side\n' },
  },
};

/**
 * A repository with the branches `base`, `main` and `side`, where the two are on base, and `line`, where side and main
 * follow each other; `main` is checked out. All in one run of git.
 */
export function diverging({ folder, git }: Scratch, name: string, sides: Sides, format = 'sha1'): string {
  const path = join(folder, name);
  git(folder, 'init', '-q', `--object-format=${format}`, path);
  for (const setting of ['user.name=Ann Example', 'user.email=ann@example.org'])
    git(path, 'config', ...setting.split('='));
  const { base, main, side } = sides;
  const commits = [
    commit('base', base, undefined, format),
    commit('main', main, 'base', format),
    commit('side', side, 'base', format),
    commit('line', side, 'base', format),
    commit('line', main, undefined, format),
  ];
  git(path, 'fast-import', '--quiet', { input: Buffer.concat(commits) });
  git(path, 'reset', '-q', '--hard');
  return path;
}

function commit(branch: string, files: Files, from: string | undefined, format: string): Buffer {
  const head = [
    `commit refs/heads/${branch}`,
    'committer Ann Example <ann@example.org> 1767225600 +0000',
    `data ${Buffer.byteLength(branch)}`,
    branch,
    ...(from === undefined ? [] : [`from refs/heads/${from}`]),
    'deleteall',
    '',
  ];
  const parts: (string | Buffer)[] = [head.join('\n')];
  for (const [path, entry] of Object.entries({ ...other, ...files })) {
    const [mode, content]: Entry =
      typeof entry === 'string' || Buffer.isBuffer(entry) ? ['100644', entry] : entry;
    if (mode === '160000') {
      parts.push(`M ${mode} ${String(content).padEnd(format === 'sha256' ? 64 : 40, '0')} ${path}\n`);
      continue;
    }
    const bytes = Buffer.from(content as string);
    parts.push(`M ${mode} inline ${path}\ndata ${bytes.length}\n`, bytes, '\n');
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

/** Another one that is the same. */
export function copyOf(path: string, name: string): string {
  const copy = `${path}-${name}`;
  // not by cpSync: it takes names for UTF-8
  execFileSync('cp', ['-a', path, copy]);
  return copy;
}

/** The commits of HEAD with their trees and messages, the index and the work tree, without what depends on the time. */
export function stateOf({ git }: Scratch, path: string): unknown {
  const text = (...args: string[]) => git(path, ...args).toString('latin1');
  const rows = text('log', '--topo-order', '--format=%H%x01%T%x01%P%x01%an%x01%B%x00', 'HEAD').split('\0\n');
  const commits = rows.filter((row) => row !== '').map((row) => row.split('\x01'));
  const trees = new Map(commits.map(([oid, tree]) => [oid, tree]));
  return {
    commits: commits.map(([, tree, parents, ...rest]) => [
      tree,
      parents!.split(' ').map((parent) => trees.get(parent) ?? parent),
      ...rest,
    ]),
    status: text('status', '--porcelain=v2', '--branch', '--untracked-files=all').replace(
      /^# branch.oid .*$/m,
      '',
    ),
  };
}
