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
import type { OpenDirectory } from '../opening/directories.ts';
import type { Place } from '../opening/places.ts';
import { largeBytes } from '../opening/sizes.ts';
import { fromSystem, notFound, refuse, systemCode } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { newFileFlags } from '../verifying/flags.ts';
import { close } from '../verifying/handle.ts';
import { isUnchanged } from '../verifying/identity.ts';
import { copyContent, sync } from './content.ts';
import { otherNames } from './links.ts';
import { linkedInPlace, overwrite } from './overwrite.ts';
import { isPlain, rememberPlain } from './plain.ts';
import { renameEntry } from './rename.ts';
import { type Staged, stage } from './staging.ts';
import { steadfast, type Work, wait } from './work.ts';

export interface Installation {
  /** writes the content and returns the number of bytes */
  fill(fd: number): Work<number>;
  /** the file that must be at the place right before the change; undefined for any */
  expect?: Stats | undefined;
  /** nothing may be at the place */
  exclusive?: boolean;
  /** waits until the content is on disk */
  fsync?: boolean | undefined;
  /** the file whose content is replaced, and whose attributes stay; undefined: the attributes of a new file */
  like?: Stats | undefined;
  /** the place of `like`, when it moves here and is not the replaced file */
  from?: { readonly place: Place; readonly displayPath: string } | undefined;
  /** the mode of a new file, without `like` */
  mode?: number | undefined;
  /** a temporary file to continue */
  staged?: Staged | undefined;
  /** takes over the temporary file of a failure, or leaves it to be removed */
  leave?: ((staged: Staged) => boolean) | undefined;
}

/** Installed content, and facts about the way of its installation. */
export interface Installed extends Kept {
  readonly stat: Stats;
}

/** The unusual steps that kept everything but the content. */
export interface Kept {
  /** the file was overwritten: a concurrent reader, or a crash, may have seen a part */
  readonly inPlace?: true;
  /** set-user-id or set-group-id was removed: new content must not run with the old content's rights */
  readonly lostSetId?: true;
}

/**
 * Installs new content at a place. A file that can be recreated exactly is replaced in one step, so that nobody ever
 * sees a part; another one (another owner, an access list, extended attributes, a mount point, a folder that takes no
 * new file) is overwritten, once the content is complete where that is possible. A failure keeps the old file.
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
  // no folder takes a temporary file: only the file itself remains
  const stat = yield* overwrite(place, displayPath, { ...work, old, fill: work.fill });
  return { stat, inPlace: true };
}

/** Returns the failure where the system permits no temporary file. */
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

/**
 * Returns whether a new file can replace the old one with equal attributes; throws for one with other names where it
 * cannot.
 */
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

/** Overwrites the file with a temporary file's content. */
function* overwriteFrom(
  staged: Staged,
  bytes: number,
  place: Place,
  displayPath: string,
  { expect, fsync }: Installation,
  old: Stats,
): Work<Stats> {
  const fill = (fd: number): Work<number> => copyContent(staged.fd, fd, bytes, { fsync });
  // the content is complete: the rest takes no longer than a copy
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
  // freeing the blocks of the replaced file takes long
  yield steadfast;
  yield* wait(renaming(from, to));
}

/** Throws when the file at the place is not the one that was seen before. */
export function assertUnchanged(place: Place, seen: Stats, displayPath: string): void {
  const now = lstatSync(place.folder.child(place.name), { throwIfNoEntry: false });
  if (now === undefined) throw notFound(displayPath);
  if (!isUnchanged(now, seen)) throw refuse('changed', displayPath, 'read it again, then repeat the change');
}

/**
 * Gives an entry a second name that must be free; throws EEXIST when it is not. Returns false where there are no hard
 * links, and the entry has the new name alone. `displayPath` names the entry in a failure that is not about the new
 * name.
 */
export function linkInto(from: string | Buffer, place: Place, displayPath?: string): boolean {
  const to = place.folder.child(place.name);
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (!cannotLink.has(systemCode(error) ?? '')) throw error;
    // no hard links here: hold the name with an empty file, then replace that by the content
    close(openSync(to, newFileFlags, 0o600));
    try {
      renameEntry(from, place.folder.child(place.name), place.name);
    } catch (failure) {
      unlinkSync(place.folder.child(place.name));
      // the new name could be created, so it is the old one that cannot be removed
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

/** Renames a folder to a free name; throws EEXIST when it is not. */
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
    // another process put something in it: it keeps the name
  }
}

/** Gives new content its attributes; returns false where the system does not permit it. */
function giveAttributes(fd: number, work: Installation, place: Place, beside: boolean): boolean {
  const { like, from } = work;
  if (like === undefined) {
    newAttributes(fd, work, place, beside);
    return true;
  }
  // new content must not run with the old content's rights; moved content is the same content
  if (!takeAttributes(fd, like, from === undefined ? 0o1777 : 0o7777)) return false;
  if (from !== undefined) futimesSync(fd, like.atimeMs / 1000, like.mtimeMs / 1000);
  return true;
}

/** Returns whether this process can create a file of that owner and group. */
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
    // root without the right, or a group that was taken from this process: the caller tries another way
    return false;
  }
}

function newAttributes(fd: number, { mode }: Installation, { folder }: Place, beside: boolean): void {
  const own = fstatSync(fd);
  const { gid } = folder.stat;
  if (folder.stat.mode & 0o2000 && gid !== own.gid && !giveTo(fd, own.uid, gid)) {
    // a user outside of the group gets it from the folder alone
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
  // Windows opens no folders, and keeps names without a sync
  if (process.platform === 'win32') return;
  const fd = openSync(folder.child('.'), constants.O_RDONLY);
  try {
    yield* syncNames(fd);
  } finally {
    close(fd);
  }
}

/** Does the same for a folder that is open for reading. */
export function* syncNames(fd: number): Work<void> {
  // Windows syncs only files that are open for writing
  if (process.platform === 'win32') return;
  try {
    yield* sync(fd);
  } catch (error) {
    // network file systems have no such call for folders
    if (!cannotSync.has(systemCode(error) ?? '')) throw error;
  }
}
