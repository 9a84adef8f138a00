import {
  fchmodSync,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  type Stats,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../names/bytes.ts';
import { type OpenDirectory, openFolderAt } from '../opening/directories.ts';
import type { Entry } from '../opening/entries.ts';
import { isStagingName } from '../opening/temporary.ts';
import { denied, fromSystem, refuse, systemCode } from '../scope/refusal.ts';
import { isInside, type Scope } from '../scope/scope.ts';
import { newFileFlags, readFlags } from '../verifying/flags.ts';
import { close } from '../verifying/handle.ts';
import { type ChangeOptions, sync } from './content.ts';
import { type Copy, changed, copyLimit, copyWhole } from './copy-job.ts';
import { renameFolder, syncNames } from './install.ts';
import { assertOneName } from './links.ts';
import { takeSlot } from './staging.ts';
import { nameOf, openChildFolder, removeTree, tally, walk } from './tree.ts';
import { pause, steadfast, type Work } from './work.ts';

/** The result of a copied folder. */
export interface CopiedTree {
  readonly entries: number;
  readonly bytes: number;
  readonly skipped: number;
}

/** Copies a folder with everything in it that the caller may see; it appears when it is complete. */
export function* copyFolder(copy: Copy): Work<CopiedTree> {
  const { scope, from, to, seen, target } = copy;
  if (isInside(target.path, seen.path))
    throw refuse('invalid-path', to, 'a folder cannot be copied into itself');
  const source = openFolderAt(scope, seen.path, from);
  try {
    if (source.stat.ino !== seen.stat.ino || source.stat.dev !== seen.stat.dev) throw changed(from);
    const { entries } = yield* tally(
      scope,
      { folder: source, displayPath: from },
      copy.options.maxEntries ?? copyLimit,
    );
    yield* pause();
    try {
      return yield* buildFolder(copy, source, entries, false);
    } catch (error) {
      // a bind mount between the root and the place
      if (systemCode(error) !== 'EXDEV') throw error;
    }
    return yield* buildFolder(copy, source, entries, true);
  } catch (error) {
    throw fromSystem(error, to);
  } finally {
    source.close();
  }
}

/** Builds the copy under a temporary name, then renames it. */
function* buildFolder(copy: Copy, source: OpenDirectory, total: number, beside: boolean): Work<CopiedTree> {
  const { scope, to, target, options } = copy;
  const slot = takeSlot(scope, target, beside, (path) => mkdirSync(path, 0o700));
  let placed = false;
  try {
    const top = openChildFolder(scope, slot.folder, slot.name, to);
    try {
      takeGroup(top, target.folder.stat, beside);
      const made = yield* fillFolder(copy, source, top, total);
      setMode(top, source.stat);
      if (options.fsync) yield* syncNames(top.fd);
      renameFolder(slot.path(), target, to);
      placed = true;
      yield steadfast;
      return made;
    } finally {
      top.close();
    }
  } finally {
    if (!placed) {
      yield steadfast;
      yield* removeQuietly(scope, slot.folder, slot.name, to);
    }
    slot.close();
  }
}

function* removeQuietly(scope: Scope, folder: OpenDirectory, name: string, displayPath: string): Work<void> {
  try {
    yield* removeTree(scope, folder, name, displayPath);
  } catch {
    // the next start removes it; the caller gets the failure that caused this
  }
}

function setMode({ fd }: OpenDirectory, { mode }: Stats): void {
  // Windows has no modes for folders, and rejects one through such a handle
  if (process.platform === 'win32') return;
  fchmodSync(fd, (mode & 0o777) | (fstatSync(fd).mode & 0o2000));
}

/** Gives a new folder the group that it would have got at its final place: that of a folder with set-group-id. */
function takeGroup({ fd }: OpenDirectory, { mode, gid }: Stats, beside: boolean): void {
  const own = fstatSync(fd);
  if (!(mode & 0o2000) || beside) return;
  try {
    if (own.gid !== gid) fchownSync(fd, own.uid, gid);
  } catch (error) {
    // a user outside of the group gets it from the folder alone
    throw Object.assign(new Error('the group is given by the folder', { cause: error }), { code: 'EXDEV' });
  }
  fchmodSync(fd, (own.mode & 0o777) | 0o2000);
}

interface Target {
  readonly folder: OpenDirectory;
  /** its final path */
  readonly path: string;
}

function* fillFolder(copy: Copy, source: OpenDirectory, top: OpenDirectory, total: number): Work<CopiedTree> {
  const { scope, from, to, target, options } = copy;
  const targets: Target[] = [{ folder: top, path: target.path }];
  let entries = 1;
  let bytes = 0;
  let skipped = 0;
  let done = 0;
  const at = (): Target => targets[targets.length - 1]!; // the walk enters and leaves in pairs
  const step = (): void => options.progress?.(++done, total);
  try {
    yield* walk(
      scope,
      { folder: source, displayPath: from },
      {
        takes({ folder }) {
          const hides = scope.hiddenIn(folder.path);
          const mayNot = scope.hiddenIn(at().path);
          return (entry) => {
            const name = textOf(nameOf(entry));
            // unfinished files of other writes there belong to nobody
            if (isStagingName(name)) return false;
            if (hides(name)) skipped++;
            else if (mayNot(name)) throw denied(`${to}/${name}`);
            else return true;
            return false;
          };
        },
        *entry(entry, { folder }, displayPath) {
          const into = `${to}${displayPath.slice(from.length)}`;
          const made = yield* copyChild(entry, folder, at().folder, [displayPath, into], {
            ...options,
            progress: (read, size = 1) => options.progress?.(done + read / (size + 1), total),
          });
          if (made === undefined) skipped++;
          else {
            entries++;
            bytes += made;
          }
          step();
        },
        enter(entry, { displayPath }) {
          const { folder, path } = at();
          const name = nameOf(entry);
          mkdirSync(folder.child(name), 0o700);
          targets.push({
            folder: openChildFolder(scope, folder, name, displayPath),
            path: join(path, textOf(name)),
          });
          entries++;
          step();
        },
        *leave(_entry, { folder }) {
          const { folder: made } = at();
          setMode(made, folder.stat);
          if (options.fsync) yield* syncNames(made.fd);
          targets.pop();
          made.close();
        },
      },
    );
    return { entries, bytes, skipped };
  } finally {
    for (const { folder } of targets.slice(1)) folder.close();
  }
}

/** Copies an entry that is no folder and returns its bytes; undefined for one that is not copied. */
function* copyChild(
  entry: Entry,
  folder: OpenDirectory,
  target: OpenDirectory,
  [displayPath, into]: readonly [from: string, to: string],
  options: ChangeOptions,
): Work<number | undefined> {
  const name = nameOf(entry);
  try {
    if (entry.kind === 'symlink') {
      symlinkSync(readlinkSync(folder.child(name), { encoding: 'buffer' }), target.child(name));
      return 0;
    }
    if (entry.kind !== 'file') return undefined;
    const from = openSync(folder.child(name), readFlags);
    try {
      const stat = fstatSync(from);
      if (!stat.isFile()) throw changed(displayPath);
      assertOneName(stat, displayPath, options.hardLinks);
      const to = openSync(target.child(name), newFileFlags, 0o600);
      try {
        const bytes = yield* copyWhole(from, to, stat, displayPath, options);
        fchmodSync(to, stat.mode & 0o777);
        if (options.fsync) yield* sync(to);
        return bytes;
      } finally {
        close(to);
      }
    } finally {
      close(from);
    }
  } catch (error) {
    const code = systemCode(error) ?? '';
    // it existed a moment ago
    if (code === 'ENOENT' || code === 'ELOOP') throw changed(displayPath);
    throw fromSystem(error, ofTarget.has(code) ? into : displayPath);
  }
}

// errors that only writing causes
const ofTarget: ReadonlySet<string> = new Set(['EDQUOT', 'EEXIST', 'EFBIG', 'ENOSPC', 'EROFS']);
