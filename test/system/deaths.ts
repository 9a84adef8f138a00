import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { snapshot, words } from './snapshot.ts';

const MiB = 1024 * 1024;

/** A call during which the server is killed. */
export interface Deed {
  readonly tool: string;
  /** contents by path below the first or second root */
  readonly paths: Readonly<Record<string, string>>;
  readonly args?: Readonly<Record<string, unknown>>;
  /** entries of the snapshot that may exist in an intermediate state */
  readonly between?: readonly string[];
  /** error codes of the repeated call besides `done` */
  readonly again?: string;
}

const small = 'new content\n'.repeat(100);
const large = 'new content\n'.repeat((2.5 * MiB) / 12);
const old = 'old content\n'.repeat((2 * MiB) / 12);
// the end of a piece, and its middle
const cuts = [MiB / 2, MiB, 1.5 * MiB, 2 * MiB, MiB + large.length / 2];
const folders = { source: 'folder', destination: 'copy' };
const oldText = 'old\n';

export const deeds: Readonly<Record<string, Deed>> = {
  'replacing a file': { tool: 'write_file', paths: { path: 'f' }, args: { content: small } },
  'replacing a file in pieces': { tool: 'write_file', paths: { path: 'big' }, args: { content: large } },
  'making a file': { tool: 'write_file', paths: { path: 'new' }, args: { content: small } },
  'making a file that must not be there': {
    tool: 'write_file',
    paths: { path: 'new' },
    args: { content: small, exclusive: true },
    again: 'exists',
  },
  'making a file and the folders above it': {
    tool: 'write_file',
    paths: { path: 'p/q/new' },
    args: { content: small, createParents: true },
    between: ['p/', 'p/q/'],
  },
  'editing a file': {
    tool: 'edit_file',
    paths: { path: 'f' },
    args: { edits: [{ oldText, newText: small }] },
    again: 'no-match',
  },
  'editing a file in pieces': {
    tool: 'edit_file',
    paths: { path: 'big' },
    args: { edits: [{ insertLine: 0, newText: large }] },
  },
  // an append grows the file in place
  'appending to a file': {
    tool: 'write_file',
    paths: { path: 'f' },
    args: { content: 'and more', append: true },
    between: [lineOf('f', `${oldText}and `)],
  },
  'appending to a file in pieces': {
    tool: 'write_file',
    paths: { path: 'big' },
    args: { content: large, append: true },
    between: cuts.map((length) => lineOf('big', old + large.slice(0, length))),
  },
  'copying a file': {
    tool: 'copy_file',
    paths: { source: 'big', destination: 'copy' },
    again: 'exists',
  },
  // an empty folder reserves the name for a moment
  'copying a folder': { tool: 'copy_file', paths: folders, between: ['copy/'], again: 'exists' },
  'moving a file': {
    tool: 'move_file',
    paths: { source: 'f', destination: 'moved' },
    between: [`moved: ${oldText}`],
    again: 'not-found|exists',
  },
  'moving a file to another disk': {
    tool: 'move_file',
    paths: { source: 'big', destination: 'second/moved' },
    between: [lineOf('second/moved', old)],
    again: 'not-found|exists',
  },
  'moving a link': {
    tool: 'move_file',
    paths: { source: 'folder/link', destination: 'moved' },
    between: ['moved -> small'],
    again: 'not-found|exists',
  },
  'moving a folder': { tool: 'move_file', paths: folders, between: ['copy/'], again: 'not-found|exists' },
  'deleting a file': { tool: 'delete_file', paths: { path: 'f' }, again: 'not-found' },
  'deleting a folder': {
    tool: 'delete_file',
    paths: { path: 'folder' },
    args: { recursive: true },
    again: 'not-found',
  },
  'making folders': { tool: 'create_directory', paths: { path: 'p/q/r' }, between: ['p/', 'p/q/'] },
};

/** Two roots, on two file systems if the machine has them. */
export interface Pair {
  readonly root: string;
  readonly second: string;
}

/** Lists everything in both roots. */
export function seenIn({ root, second }: Pair): string[] {
  return [...snapshot(root), ...snapshot(second).map((line) => `second/${line}`)];
}

/** Lists the names in both roots; undefined if some were deleted meanwhile. */
export function namesIn({ root, second }: Pair): string[] | undefined {
  try {
    return [root, second].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Restores the roots to their state before each call. */
export function furnish({ root, second }: Pair): void {
  for (const folder of [root, second]) mkdirSync(folder);
  const files = {
    f: oldText,
    big: old,
    'folder/small': 'small',
    'folder/deep/one': 'x'.repeat(2000),
    'folder/deep/two': 'two',
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  symlinkSync('small', join(root, 'folder', 'link'));
}

/** Returns the arguments of a call in its roots. */
export function argsOf({ paths, args }: Deed, { root, second }: Pair): Record<string, unknown> {
  const place = (path: string): string =>
    path.startsWith('second/') ? join(second, path.slice(7)) : join(root, path);
  const places = Object.entries(paths).map(([name, path]) => [name, place(path)]);
  return { ...Object.fromEntries(places), ...args };
}

/** Returns whether a snapshot is the old state, the new state, or an allowed intermediate one. */
export function isWhole(deed: Deed, seen: readonly string[], before: string[], after: string[]): boolean {
  const text = seen.join('\n');
  if (text === before.join('\n') || text === after.join('\n')) return true;
  const { between = [] } = deed;
  // each new entry is known, and each missing one was replaced by another version
  const added = seen.filter((line) => !before.includes(line));
  const gone = before.filter((line) => !seen.includes(line));
  return (
    added.length > 0 &&
    added.every((line) => between.includes(line)) &&
    gone.every((line) => isNamed(line, added))
  );
}

function isNamed(line: string, others: readonly string[]): boolean {
  const [name] = line.split(':');
  return others.some((other) => other.split(':')[0] === name);
}

/** Returns the line of a file in a snapshot. */
export function lineOf(name: string, content: string): string {
  return `${name}: ${words(content)}`;
}
