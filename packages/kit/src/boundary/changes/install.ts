import {
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  futimesSync,
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
import type { ToolError } from '@rootbound/protocol';
import type { OpenDirectory } from '../directories.ts';
import { newFileFlags } from '../flags.ts';
import { close } from '../handle.ts';
import { isUnchanged } from '../identity.ts';
import type { Place } from '../places.ts';
import { fromSystem, notFound, refuse, systemCode } from '../refusal.ts';
import type { Scope } from '../scope.ts';
import { largeBytes } from '../sizes.ts';
import { copyContent, sync } from './content.ts';
import { otherNames } from './links.ts';
import { linkedInPlace, overwrite } from './overwrite.ts';
import { isPlain, rememberPlain } from './plain.ts';
import { renameEntry } from './rename.ts';
import { type Staged, stage } from './staging.ts';
import { steadfast, type Work, wait } from './work.ts';

export interface Installation {
  /** writes the content, and gives how many bytes that was */
  fill(fd: number): Work<number>;
  /** what must still be at the place right before the change, undefined to take whatever is */
  expect?: Stats | undefined;
  /** nothing may be at the place */
  exclusive?: boolean;
  /** wait until the content is on disk */
  fsync?: boolean | undefined;
  /** the file whose content is replaced: nothing else of it changes; without, that of a new file */
  like?: Stats | undefined;
  /** where `like` is, when it moves to the place and is not what is replaced there */
  from?: { readonly place: Place; readonly displayPath: string } | undefined;
  /** the mode of a new file, without `like` */
  mode?: number | undefined;
  /** a temporary file to go on with */
  staged?: Staged | undefined;
  /** takes the temporary file of what failed, or leaves it to be removed */
  leave?: ((staged: Staged) => boolean) | undefined;
}

/** New content that is in its place, and what the caller may want to know of how it came there. */
export interface Installed extends Kept {
  readonly stat: Stats;
}

/** The steps that kept all but the content, apart from the usual ones. */
export interface Kept {
  /** the file was written over: whoever read meanwhile, or a crash, may have seen a part */
  readonly inPlace?: true;
  /** set-user-id or set-group-id is gone: new content must not run with the old content's rights */
  readonly lostSetId?: true;
}

/**
 * Puts new content at a place. A file that can be made anew exactly is replaced in one step, so that nobody ever sees
 * a part; one that cannot (another owner, an access list, extended attributes, a mount point, a folder that takes no
 * new file) is written over, once the content is complete where that can be. A failure leaves what was there.
 */
export function* install(
  scope: Scope,
  place: Place,
  displayPath: string,
  work: Installation,
): Work<Installed> {
  const { like: old } = work;
  try {
    if (old === undefined || work.from !== undefined) return yield* placeNew(scope, place, displayPath, work);
    const stat = yield* replace(scope, place, displayPath, work, old);
    const lostSetId = (old.mode & 0o6000) !== 0 ? ({ lostSetId: true } as const) : {};
    return { ...stat, ...lostSetId };
  } catch (error) {
    throw fromSystem(error, displayPath);
  }
}

function* placeNew(scope: Scope, place: Place, displayPath: string, work: Installation): Work<Installed> {
  try {
    return yield* attempt(scope, place, displayPath, work, false);
  } catch (error) {
    // a bind mount or a quota project between the root and the place, or a group that the folder alone gives
    if (systemCode(error) !== 'EXDEV') throw error;
  }
  return yield* attempt(scope, place, displayPath, work, true);
}

function* replace(
  scope: Scope,
  place: Place,
  displayPath: string,
  work: Installation,
  old: Stats,
): Work<Installed> {
  try {
    return yield* placeNew(scope, place, displayPath, work);
  } catch (error) {
    if (!(error instanceof Unstageable)) throw error;
  }
  if (otherNames(old) > 0) throw linkedInPlace(displayPath);
  // no folder takes a temporary file: all that is left is the file itself
  const stat = yield* overwrite(place, displayPath, { ...work, old, fill: work.fill });
  return { stat, inPlace: true };
}

/** The failure to make a temporary file where the system allows none. */
class Unstageable extends Error {}

function makeStage(scope: Scope, place: Place, beside: boolean, replaces: boolean): Staged {
  try {
    return stage(scope, place, beside);
  } catch (error) {
    if (replaces && cannotMake.has(systemCode(error) ?? '')) throw new Unstageable('', { cause: error });
    throw error;
  }
}

const cannotMake: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

function* attempt(
  scope: Scope,
  place: Place,
  displayPath: string,
  work: Installation,
  beside: boolean,
): Work<Installed> {
  const { like: old, from } = work;
  const replaces = old !== undefined && from === undefined;
  const staged = (beside ? undefined : work.staged) ?? makeStage(scope, place, beside, replaces);
  let placed = false;
  let renamed = false;
  let left = false;
  try {
    const whole = old === undefined || canBeMade(old, staged, place, displayPath, from);
    const bytes = yield* work.fill(staged.fd);
    const alike = whole && giveAttributes(staged.fd, work, place, beside);
    if (!alike && from !== undefined) throw cannotMove(from.displayPath);
    if (old !== undefined && !alike) {
      const stat = yield* overwriteFrom(staged, bytes, place, displayPath, work, old);
      return { stat, inPlace: true };
    }
    if (work.fsync) yield* sync(staged.fd);
    if (work.expect !== undefined) assertUnchanged(place, work.expect, displayPath);
    const stat = fstatSync(staged.fd);
    if (work.exclusive) linkInto(staged.path(), place);
    else {
      try {
        yield* renameOver(staged.path(), place, displayPath, old);
      } catch (error) {
        if (old === undefined || otherNames(old) > 0 || !isMountPoint(error)) throw error;
        // a file that is mounted by itself, as containers do
        const over = yield* overwriteFrom(staged, bytes, place, displayPath, work, old);
        return { stat: over, inPlace: true };
      }
      renamed = true;
      if (old !== undefined) rememberPlain(staged.fd);
    }
    placed = true;
    yield steadfast;
    if (work.fsync) yield* syncFolder(place.folder);
    return { stat };
  } catch (error) {
    left = !placed && systemCode(error) !== 'EXDEV' && work.leave?.(staged) === true;
    throw error;
  } finally {
    if (!left) staged.finish(renamed);
  }
}

/** Whether a new file can be what the old one is; one with other names is refused where it cannot. */
function canBeMade(
  old: Stats,
  staged: Staged,
  place: Place,
  displayPath: string,
  from: Installation['from'],
): boolean {
  const can = isOurs(old) && isPlain(from?.place ?? place, old, staged.fd, from?.displayPath ?? displayPath);
  if (!can && from === undefined && otherNames(old) > 0) throw linkedInPlace(displayPath);
  return can;
}

function cannotMove(displayPath: string): ToolError {
  return refuse(
    'unsupported',
    displayPath,
    'its owner, access list or extended attributes cannot be given to a file on the other file system: copy it instead',
  );
}

function isMountPoint(error: unknown): boolean {
  return process.platform !== 'win32' && systemCode(error) === 'EBUSY';
}

/** Writes what a temporary file holds over the file. */
function* overwriteFrom(
  staged: Staged,
  bytes: number,
  place: Place,
  displayPath: string,
  { expect, fsync }: Installation,
  old: Stats,
): Work<Stats> {
  const fill = (fd: number): Work<number> => copyContent(staged.fd, fd, bytes, { fsync });
  // the content is complete: from here to the end takes no longer than a copy
  yield steadfast;
  return yield* overwrite(place, displayPath, { old, expect, fsync, fill });
}

const renaming = promisify(rename);

function* renameOver(
  from: string | Buffer,
  place: Place,
  displayPath: string,
  old: Stats | undefined,
): Work<void> {
  const to = place.folder.child(place.name);
  if (old === undefined || old.size < largeBytes || process.platform === 'win32') {
    renameEntry(from, to, displayPath);
    return;
  }
  // giving back the blocks of what it replaces takes long
  yield steadfast;
  yield* wait(renaming(from, to));
}

/** Refuses when what is at the place is not what was seen before. */
export function assertUnchanged(place: Place, seen: Stats, displayPath: string): void {
  const now = lstatSync(place.folder.child(place.name), { throwIfNoEntry: false });
  if (now === undefined) throw notFound(displayPath);
  if (!isUnchanged(now, seen)) throw refuse('changed', displayPath, 'read it again, then repeat the change');
}

/**
 * Gives an entry a second name where none may be yet; fails with EEXIST when one is. False where there are no hard
 * links, and the entry has the new name alone. `shown` is what the caller calls the entry, for a refusal that is not
 * about the new name.
 */
export function linkInto(from: string | Buffer, place: Place, displayPath?: string): boolean {
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
      if (displayPath !== undefined && ['EACCES', 'EPERM'].includes(systemCode(failure) ?? ''))
        throw fromSystem(failure, displayPath);
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
export function renameFolder(from: string | Buffer, target: Place, displayPath: string): void {
  const to = (): string | Buffer => target.folder.child(target.name);
  // an empty folder holds the name, and the rename replaces it in one step; Windows cannot, and refuses by itself
  const holds = process.platform !== 'win32';
  if (holds) mkdirSync(to());
  try {
    renameEntry(from, to(), displayPath);
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

/** Gives new content the attributes that it is to have; false where the system does not let it. */
function giveAttributes(fd: number, work: Installation, place: Place, beside: boolean): boolean {
  const { like, from } = work;
  if (like === undefined) {
    newAttributes(fd, work, place, beside);
    return true;
  }
  // new content must not run with the old content's rights; what moves is the same content
  if (!takeAttributes(fd, like, from === undefined ? 0o1777 : 0o7777)) return false;
  if (from !== undefined) futimesSync(fd, like.atimeMs / 1000, like.mtimeMs / 1000);
  return true;
}

/** Whether this process can make a file of that owner and group. */
function isOurs({ uid, gid }: Stats): boolean {
  const own = process.geteuid?.();
  if (own === undefined || own === 0) return true;
  return uid === own && (gid === process.getegid?.() || process.getgroups?.().includes(gid) === true);
}

function takeAttributes(fd: number, { uid, gid, mode }: Stats, kept: number): boolean {
  const own = fstatSync(fd);
  if ((uid !== own.uid || gid !== own.gid) && !giveTo(fd, uid, gid)) return false;
  fchmodSync(fd, mode & kept);
  return true;
}

function giveTo(fd: number, uid: number, gid: number): boolean {
  try {
    fchownSync(fd, uid, gid);
    return true;
  } catch {
    // root without the right to, or a group that was taken from this process: the caller goes another way
    return false;
  }
}

function newAttributes(fd: number, { mode }: Installation, { folder }: Place, beside: boolean): void {
  const own = fstatSync(fd);
  const { gid } = folder.stat;
  if (folder.stat.mode & 0o2000 && gid !== own.gid && !giveTo(fd, own.uid, gid)) {
    // whoever is no member of the group gets it from the folder alone
    if (!beside) throw Object.assign(new Error('the group is given by the folder'), { code: 'EXDEV' });
  }
  fchmodSync(fd, mode ?? 0o666 & ~umask());
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
