import { createHash } from 'node:crypto';
import { readdirSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import {
  openDirectory,
  readEntries,
  readSmall,
  type Scope,
  statEntry,
  textOfBytes,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { isNotFound } from './refusals.ts';
import type { Repository } from './repository.ts';
import { Kept, witness } from './witness.ts';

/** The hooks that git would run. */
export interface HookFiles {
  /** their folder; undefined where its files are not read: outside the boundary, or too much */
  readonly folder: string | undefined;
  /** whether they are the operator's: in a folder of the operator's own, and not one of each work tree */
  readonly isOperators: boolean;
  /** the hooks that git would start, by the names that git knows */
  readonly names: readonly string[];
  /** the same in a folder that the repository names outside the boundary: not for results, unless it is trusted */
  readonly outside: readonly string[];
  /** whether there may be such a folder */
  readonly isHidden: boolean;
  /**
   * a digest of every file in the folder, as a hook may call its neighbours; empty where the repository has no hooks
   */
  readonly hash: string;
}

/** The folder of `core.hooksPath`, as a byte string. */
export interface HooksPath {
  readonly written: string;
  /** where it is set: the operator's own, if that is neither `local` nor `worktree` */
  readonly scope: string;
  /** whether the repository has set it */
  readonly foreign: boolean;
}

const hooks = new Set([
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit'],
  ...['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge'],
  ...['pre-push', 'pre-receive', 'update', 'proc-receive', 'post-receive', 'post-update'],
  ...['reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite', 'sendemail-validate'],
  ...['fsmonitor-watchman', 'p4-changelist', 'p4-prepare-changelist', 'p4-post-changelist'],
  ...['p4-pre-submit', 'post-index-change'],
]);
const mostFiles = 500;
const mostBytes = 1 << 20;
const known = new Kept<HookFiles>(64);

/** The hooks of a repository as they are now; `home` is the operator's. Paths are byte strings. */
export function hookFilesOf(repository: Repository, set: HooksPath | undefined, home: string): HookFiles {
  const { place, commonDir, identity } = repository;
  const own = join(toBytes(commonDir), 'hooks');
  const written = set?.written ?? '';
  const expanded = /^~(?=\/|$)/.test(written) ? home + written.slice(1) : written;
  const base = isAbsolute(expanded) ? '' : toBytes(place.workTree ?? place.gitDir);
  const folder = set === undefined ? own : join(base, expanded);
  const isOperators = set?.foreign === false && isAbsolute(expanded);
  const key = `${identity}\0${folder}\0${isOperators}`;
  const before = known.find(key);
  if (before !== undefined) return before;
  const begun = Date.now();
  const files = [folder];
  const read = { isOperators, ...readFolder(repository, folder, files, isOperators) };
  return known.keep(key, witness(files, begun), read);
}

type Read = Omit<HookFiles, 'isOperators'>;

/** The files that take part are added to `files`. */
function readFolder({ reach }: Repository, folder: string, files: string[], isOperators: boolean): Read {
  try {
    const names = new Map<string, string>();
    const opened = openDirectory(reach, textOf(folder));
    try {
      for (const { name, bytes, kind } of readEntries(opened, 'hooks')) {
        if (kind === 'directory' || name.endsWith('.sample')) continue;
        if (files.length > mostFiles) return unread(folder, files);
        const file = `${folder}/${bytes?.toString('latin1') ?? toBytes(name)}`;
        files.push(file);
        if (isHook(name)) names.set(file, name);
      }
    } finally {
      opened.close();
    }
    const found: string[] = [];
    const hash = createHash('sha256');
    for (const file of files.slice(1).sort()) {
      const small = readSmall(reach, textOf(file), mostBytes);
      if (small === undefined) return unread(folder, files);
      const content = createHash('sha256').update(small.bytes).digest('hex');
      hash.update(`${file.slice(folder.length)}\0${small.stat.mode & 0o111}\0${content}\0`, 'latin1');
      const name = names.get(file);
      if (name !== undefined && isRunnable(small.stat)) found.push(name);
    }
    return {
      folder: textOf(folder),
      names: found.sort(),
      outside: [],
      isHidden: false,
      hash: found.length === 0 ? '' : hash.digest('hex'),
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // missing, or a part of it is outside: the file is not read, but trust ends when it changes
    const names = namesIn(folder, files);
    // the operator's own hooks are no part of the repository, and may change
    if (isOperators) return { folder: textOf(folder), names, outside: [], isHidden: false, hash: '' };
    const isHidden = !isMissing(reach, textOf(folder));
    return { folder: undefined, names: [], outside: names, isHidden, hash: statesIn(folder) };
  }
}

/** Returns the hooks of a folder inside the boundary that has too much to be read. */
function unread(folder: string, files: string[]): Read {
  const names = namesIn(folder, files);
  return { folder: undefined, names, outside: [], isHidden: false, hash: statesIn(folder) };
}

/** Returns whether a folder inside the boundary does not exist; a link that leads out does. */
function isMissing(reach: Scope, folder: string): boolean {
  if (reach.rootOf(folder) === undefined) return false;
  try {
    statEntry(reach, folder);
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

function isHook(name: string): boolean {
  return hooks.has(name.replace(/\.exe$/i, ''));
}

/** Returns whether git would start a hook; elsewhere than on Windows it skips one that may not be executed. */
function isRunnable(stat: Pick<Stats, 'mode'>): boolean {
  return process.platform === 'win32' || (stat.mode & 0o111) !== 0;
}

function namesIn(folder: string, files: string[]): string[] {
  const found: string[] = [];
  try {
    for (const bytes of readdirSync(Buffer.from(folder, 'latin1'), { encoding: 'buffer' })) {
      const name = bytes.toString('latin1');
      if (!isHook(name)) continue;
      const file = `${folder}/${name}`;
      files.push(file);
      const stat = statSync(Buffer.from(file, 'latin1'), { throwIfNoEntry: false });
      if (stat?.isFile() === true && isRunnable(stat)) found.push(name);
    }
  } catch {
    // nothing exists there that could be started
  }
  return found.sort();
}

/** Returns a digest of the files of a folder outside; empty where there is none. */
function statesIn(folder: string): string {
  try {
    const bytes = Buffer.from(folder, 'latin1');
    const names = readdirSync(bytes, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
    if (names.length > mostFiles) return `${names.length} files`;
    const states = names.sort().map((name) => {
      const stat = statSync(Buffer.from(`${folder}/${name}`, 'latin1'), { bigint: true });
      return `${name}:${stat.ino}:${stat.mode}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
    });
    return states.join('\n');
  } catch {
    // nothing exists there that could be started
    return '';
  }
}

function textOf(bytes: string): string {
  return textOfBytes(Buffer.from(bytes, 'latin1'));
}

function toBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}
