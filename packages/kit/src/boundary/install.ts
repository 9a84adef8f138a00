import {
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { newFileFlags } from './flags.ts';
import { close } from './handle.ts';
import type { Place } from './places.ts';
import { fromSystem, notFound, refuse, systemCode } from './refusal.ts';
import type { Scope } from './scope.ts';
import { stage } from './staging.ts';

export interface Installation {
  /** writes the content */
  fill(fd: number): void;
  /** what must still be at the place right before the rename, undefined to take whatever is */
  expect?: Stats | undefined;
  /** nothing may be at the place */
  exclusive?: boolean;
  /** wait until the content is on disk */
  fsync?: boolean;
  /** whose mode and owner the file takes; without, those of a new file */
  like?: Stats | undefined;
}

/** Puts new content at a place in one step: nobody ever sees a part of it, and a failure leaves what was there. */
export function install(scope: Scope, place: Place, shown: string, work: Installation): Stats {
  try {
    return attempt(scope, place, shown, work, false);
  } catch (error) {
    // a bind mount or a quota project between the root and the place
    if (systemCode(error) !== 'EXDEV') throw fromSystem(error, shown);
  }
  try {
    return attempt(scope, place, shown, work, true);
  } catch (error) {
    throw fromSystem(error, shown);
  }
}

function attempt(scope: Scope, place: Place, shown: string, work: Installation, beside: boolean): Stats {
  const staged = stage(scope, place, beside);
  let renamed = false;
  try {
    work.fill(staged.fd);
    takeAttributes(staged.fd, work.like, place);
    if (work.fsync) fsyncSync(staged.fd);
    const facts = fstatSync(staged.fd);
    if (work.expect !== undefined) assertUnchanged(place, work.expect, shown);
    if (work.exclusive) linkInto(staged.path(), place);
    else {
      renameSync(staged.path(), place.folder.child(place.name));
      renamed = true;
    }
    if (work.fsync) syncFolder(place);
    return facts;
  } finally {
    staged.finish(renamed);
  }
}

/** Refuses when what is at the place is not what was seen before. */
export function assertUnchanged(place: Place, seen: Stats, shown: string): void {
  const now = lstatSync(place.folder.child(place.name), { throwIfNoEntry: false });
  if (now === undefined) throw notFound(shown);
  const same =
    now.ino === seen.ino &&
    now.dev === seen.dev &&
    now.size === seen.size &&
    now.mtimeMs === seen.mtimeMs &&
    now.ctimeMs === seen.ctimeMs;
  if (!same) throw refuse('changed', shown, 'read it again, then repeat the change');
}

/** Gives an entry a second name where none may be yet; fails with EEXIST when one is. */
export function linkInto(from: string | Buffer, place: Place): void {
  const to = place.folder.child(place.name);
  try {
    linkSync(from, to);
  } catch (error) {
    if (!cannotLink.has(systemCode(error) ?? '')) throw error;
    // no hard links here: hold the name with an empty file, then put the content over it
    close(openSync(to, newFileFlags, 0o600));
    try {
      renameSync(from, place.folder.child(place.name));
    } catch (failure) {
      unlinkSync(place.folder.child(place.name));
      throw failure;
    }
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

function takeAttributes(fd: number, like: Stats | undefined, place: Place): void {
  const own = fstatSync(fd);
  const gid = like?.gid ?? (place.folder.stat.mode & 0o2000 ? place.folder.stat.gid : own.gid);
  const uid = like?.uid ?? own.uid;
  if (uid !== own.uid || gid !== own.gid) keepOwner(fd, own, uid, gid);
  // without set-user-id and set-group-id: new content must not run with the old content's rights
  fchmodSync(fd, like === undefined ? 0o666 & ~umask() : like.mode & 0o777);
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

function syncFolder(place: Place): void {
  const fd = openSync(place.folder.child('.'), constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    close(fd);
  }
}
