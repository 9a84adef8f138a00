import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { openDirectory, readEntries, readSmall, textOfBytes } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Repository } from './repository.ts';
import { Kept, witness } from './witness.ts';

/** The hooks that git would run. */
export interface HookFiles {
  /** their folder inside the boundary; undefined where they are outside, or too many to be read */
  readonly folder: string | undefined;
  /** the existing hooks, by the names that git knows */
  readonly names: readonly string[];
  /**
   * a digest of every file in the folder, as a hook may call its neighbours; empty where the repository has no hooks
   */
  readonly hash: string;
}

/** The folder of `core.hooksPath`, as a byte string, and whether the repository has set it. */
export interface HooksPath {
  readonly written: string;
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

/** The hooks of a repository as they are now. */
export function hookFilesOf(repository: Repository, set: HooksPath | undefined): HookFiles {
  const { place, commonDir, identity } = repository;
  const own = join(toBytes(commonDir), 'hooks');
  const written = set?.written ?? '';
  const elsewhere = isAbsolute(written) || written.startsWith('~');
  // the operator's own hooks are no part of the repository
  if (set?.foreign === false && elsewhere) return { folder: textOf(written), names: [], hash: '' };
  const base = elsewhere ? '' : toBytes(place.workTree ?? place.gitDir);
  const folder = set === undefined ? own : join(base, written);
  const key = `${identity}\0${folder}`;
  const before = known.find(key);
  if (before !== undefined) return before;
  const begun = Date.now();
  const files = [folder];
  const read = readFolder(repository, folder, files);
  return known.keep(key, witness(files, begun), read);
}

/** Paths are byte strings; the files that take part are added to `files`. */
function readFolder({ reach }: Repository, folder: string, files: string[]): HookFiles {
  const found: string[] = [];
  const unpinned = { folder: undefined, names: found, hash: 'unpinned' };
  try {
    const opened = openDirectory(reach, textOf(folder));
    try {
      for (const { name, bytes, kind } of readEntries(opened, 'hooks')) {
        if (kind === 'directory' || name.endsWith('.sample')) continue;
        if (files.length > mostFiles) return unpinned;
        files.push(`${folder}/${bytes?.toString('latin1') ?? toBytes(name)}`);
        if (hooks.has(name.replace(/\.exe$/i, ''))) found.push(name);
      }
    } finally {
      opened.close();
    }
    const hash = createHash('sha256');
    for (const file of files.slice(1).sort()) {
      const small = readSmall(reach, textOf(file), mostBytes);
      if (small === undefined) return unpinned;
      const content = createHash('sha256').update(small.bytes).digest('hex');
      hash.update(`${file.slice(folder.length)}\0${small.stat.mode & 0o111}\0${content}\0`, 'latin1');
    }
    return {
      folder: textOf(folder),
      names: found.sort(),
      hash: found.length === 0 ? '' : hash.digest('hex'),
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // missing, or a part of it is outside: the file is not read, but trust ends when it changes
    return { ...unpinned, hash: statesIn(folder) };
  }
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
