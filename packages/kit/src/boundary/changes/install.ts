import {
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  rename,
  rmdirSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { OpenDirectory } from '../directories.ts';
import { newFileFlags } from '../flags.ts';
import { close } from '../handle.ts';
import { isSameFile } from '../identity.ts';
import type { Place } from '../places.ts';
import { fromSystem, notFound, refuse, systemCode } from '../refusal.ts';
import type { Scope } from '../scope.ts';
import { largeBytes } from '../sizes.ts';
import { sync } from './content.ts';
import { renameEntry } from './rename.ts';
import { type Staged, stage } from './staging.ts';
import { steadfast, type Work, wait } from './work.ts';

export interface Installation {
  /** writes the content */
  fill(fd: number): Work<void>;
  /** what must still be at the place right before the rename, undefined to take whatever is */
  expect?: Stats | undefined;
  /** nothing may be at the place */
  exclusive?: boolean;
  /** wait until the content is on disk */
  fsync?: boolean | undefined;
  /** whose mode and owner the file takes; without, those of a new file */
  like?: Stats | undefined;
  /** the mode of a new file, without `like` */
  mode?: number | undefined;
  /** a temporary file to go on with */
  staged?: Staged | undefined;
  /** takes the temporary file of what failed, or leaves it to be removed */
  leave?: ((staged: Staged) => boolean) | undefined;
}

/** Puts new content at a place in one step: nobody ever sees a part of it, and a failure leaves what was there. */
export function* install(scope: Scope, place: Place, shown: string, work: Installation): Work<Stats> {
  try {
    return yield* attempt(scope, place, shown, work, false);
  } catch (error) {
    // a bind mount or a quota project between the root and the place
    if (systemCode(error) !== 'EXDEV') throw fromSystem(error, shown);
  }
  try {
    return yield* attempt(scope, place, shown, work, true);
  } catch (error) {
    throw fromSystem(error, shown);
  }
}

function* attempt(
  scope: Scope,
  place: Place,
  shown: string,
  work: Installation,
  beside: boolean,
): Work<Stats> {
  const staged = (beside ? undefined : work.staged) ?? stage(scope, place, beside);
  let placed = false;
  let renamed = false;
  let left = false;
  try {
    yield* work.fill(staged.fd);
    takeAttributes(staged.fd, work, place);
    if (work.fsync) yield* sync(staged.fd);
    const facts = fstatSync(staged.fd);
    if (work.expect !== undefined) assertUnchanged(place, work.expect, shown);
    if (work.exclusive) linkInto(staged.path(), place);
    else {
      yield* renameOver(staged.path(), place, shown, work.like);
      renamed = true;
    }
    placed = true;
    yield steadfast;
    if (work.fsync) yield* syncFolder(place.folder);
    return facts;
  } catch (error) {
    left = !placed && systemCode(error) !== 'EXDEV' && work.leave?.(staged) === true;
    throw error;
  } finally {
    if (!left) staged.finish(renamed);
  }
}

const renaming = promisify(rename);

function* renameOver(from: string | Buffer, place: Place, shown: string, old: Stats | undefined): Work<void> {
  const to = place.folder.child(place.name);
  if (old === undefined || old.size < largeBytes || process.platform === 'win32') {
    renameEntry(from, to, shown);
    return;
  }
  // giving back the blocks of what it replaces takes long
  yield steadfast;
  yield* wait(renaming(from, to));
}

/** Refuses when what is at the place is not what was seen before. */
export function assertUnchanged(place: Place, seen: Stats, shown: string): void {
  const now = lstatSync(place.folder.child(place.name), { throwIfNoEntry: false });
  if (now === undefined) throw notFound(shown);
  if (!isUnchanged(now, seen)) throw refuse('changed', shown, 'read it again, then repeat the change');
}

/** Whether two looks saw the same file with the same content and attributes. */
export function isUnchanged(now: Stats, seen: Stats): boolean {
  return (
    isSameFile(now, seen) &&
    now.size === seen.size &&
    now.mtimeMs === seen.mtimeMs &&
    now.ctimeMs === seen.ctimeMs
  );
}

/**
 * Gives an entry a second name where none may be yet; fails with EEXIST when one is. False where there are no hard
 * links, and the entry has the new name alone. `shown` is what the caller calls the entry, for a refusal that is not
 * about the new name.
 */
export function linkInto(from: string | Buffer, place: Place, shown?: string): boolean {
  const to = place.folder.child(place.name);
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (!cannotLink.has(systemCode(error) ?? '')) throw error;
    // no hard links here: hold the name with an empty file, then put the content over it
    close(openSync(to, newFileFlags, 0o600));
    try {
      renameEntry(from, place.folder.child(place.name), place.name);
    } catch (failure) {
      unlinkSync(place.folder.child(place.name));
      // the new name could be made, so it is the old one that may not be taken away
      if (shown !== undefined && ['EACCES', 'EPERM'].includes(systemCode(failure) ?? ''))
        throw fromSystem(failure, shown);
      throw failure;
    }
    return false;
  }
}

const cannotLink: ReadonlySet<string> = new Set([
  'EPERM',
  'EOPNOTSUPP',
  'ENOTSUP',
  'ENOSYS',
  'EMLINK',
  'EACCES',
]);

/** Renames a folder to a name that is free; fails with EEXIST when it is not. */
export function renameFolder(from: string | Buffer, target: Place, shown: string): void {
  const to = (): string | Buffer => target.folder.child(target.name);
  // an empty folder holds the name, and the rename replaces it in one step; Windows cannot, and refuses by itself
  const holds = process.platform !== 'win32';
  if (holds) mkdirSync(to());
  try {
    renameEntry(from, to(), shown);
  } catch (error) {
    if (holds) release(target);
    throw error;
  }
}

function release(target: Place): void {
  try {
    rmdirSync(target.folder.child(target.name));
  } catch {
    // someone put something in it: theirs now
  }
}

function takeAttributes(fd: number, { like, mode }: Installation, place: Place): void {
  const own = fstatSync(fd);
  const gid = like?.gid ?? (place.folder.stat.mode & 0o2000 ? place.folder.stat.gid : own.gid);
  const uid = like?.uid ?? own.uid;
  if (uid !== own.uid || gid !== own.gid) keepOwner(fd, own, uid, gid);
  // without set-user-id and set-group-id: new content must not run with the old content's rights
  fchmodSync(fd, like === undefined ? (mode ?? 0o666 & ~umask()) : like.mode & 0o777);
}

function keepOwner(fd: number, own: Stats, uid: number, gid: number): void {
  for (const [user, group] of [
    [uid, gid],
    [own.uid, gid],
  ] as const) {
    try {
      fchownSync(fd, user, group);
      return;
    } catch {
      // only root may give files away; the group may still be ours to give
    }
  }
}

let mask: number | undefined;

function umask(): number {
  mask ??= process.umask();
  return mask;
}

const cannotSync: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Waits until the names in a folder are on the disk. */
export function* syncFolder(folder: OpenDirectory): Work<void> {
  // Windows opens no folders, and keeps names without being asked
  if (process.platform === 'win32') return;
  const fd = openSync(folder.child('.'), constants.O_RDONLY);
  try {
    yield* syncNames(fd);
  } finally {
    close(fd);
  }
}

/** The same for a folder that is open for reading. */
export function* syncNames(fd: number): Work<void> {
  // Windows syncs only what is open for writing
  if (process.platform === 'win32') return;
  try {
    yield* sync(fd);
  } catch (error) {
    // network file systems know no such call for folders
    if (!cannotSync.has(systemCode(error) ?? '')) throw error;
  }
}
