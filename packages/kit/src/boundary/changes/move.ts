import { fstatSync, lstatSync, readlinkSync, type Stats, symlinkSync, unlinkSync } from 'node:fs';
import { textOf } from '../names/bytes.ts';
import { type EntryKind, kindOf } from '../opening/entries.ts';
import { etagOf } from '../opening/etag.ts';
import { assertEnding, openPlace, type Place } from '../opening/places.ts';
import { fromSystem, notFound, refuse, stays, systemCode } from '../scope/refusal.ts';
import { isInside, type Scope } from '../scope/scope.ts';
import { close } from '../verifying/handle.ts';
import { isSameFile, isUnchanged } from '../verifying/identity.ts';
import { type ChangeOptions, copyContent } from './content.ts';
import { install, linkInto, renameFolder, syncFolder } from './install.ts';
import { openToRead } from './open-to-change.ts';
import { hold } from './queue.ts';
import { nameOf, openChildFolder, walk } from './tree.ts';
import { perform, steadfast, type Work } from './work.ts';

export interface Moved {
  /** its earlier real path */
  readonly from: string;
  /** its real path */
  readonly to: string;
  readonly kind: EntryKind;
  /** of a file */
  readonly etag?: string;
}

interface Move {
  readonly scope: Scope;
  readonly from: string;
  readonly to: string;
  readonly source: Place;
  readonly target: Place;
  readonly stat: Stats;
  readonly options: ChangeOptions;
}

/**
 * Moves an entry to a free name, never over anything; for a link it moves the link itself, not its target. A file moves
 * to another file system as a copy, in pieces; a folder does not: that would take two steps, and a failure between them
 * leaves half of it in each place.
 */
export function moveEntry(
  scope: Scope,
  from: string,
  to: string,
  options: ChangeOptions = {},
): Moved | Promise<Moved> {
  return perform(moving(scope, from, to, options), options);
}

function* moving(scope: Scope, from: string, to: string, options: ChangeOptions): Work<Moved> {
  const { places, release } = yield* hold(() => openBoth(scope, from, to), options);
  try {
    const [source, target] = places;
    const { stat } = source;
    if (stat === undefined) throw notFound(from);
    assertEnding(from, stat);
    assertEnding(to, stat);
    const move = { scope, from, to, source, target, stat, options };
    if (stat.isDirectory()) yield* moveFolder(move);
    else if (stat.isSymbolicLink()) moveLink(move);
    else yield* moveFile(move);
    yield steadfast;
    const etag = etagAt(target);
    if (options.fsync) {
      yield* syncFolder(target.folder);
      yield* syncFolder(source.folder);
    }
    return { from: source.path, to: target.path, kind: kindOf(stat), ...etag };
  } finally {
    release();
  }
}

/** Returns the etag of the file at a place: after a move, and before other work runs. */
function etagAt({ folder, name }: Place): { etag?: string } {
  try {
    const stat = lstatSync(folder.child(name), { throwIfNoEntry: false });
    return stat?.isFile() ? { etag: etagOf(stat) } : {};
  } catch {
    // it has moved, whatever prevents a look at it
    return {};
  }
}

function openBoth(scope: Scope, from: string, to: string): readonly [Place, Place] {
  const source = openPlace(scope, from, false);
  let target: Place | undefined;
  try {
    if (source.stat === undefined) throw notFound(from);
    if (scope.holdsRoot(source.path)) throw stays(from, 'a root lies in it, and roots are not moved');
    target = openPlace(scope, to, false);
    if (target.stat !== undefined) throw refuse('exists', to, 'choose a name that is free');
    return [source, target];
  } catch (error) {
    source.folder.close();
    target?.folder.close();
    throw error;
  }
}

function* moveFile(move: Move): Work<void> {
  const { source, target, from, to } = move;
  let made = move.stat;
  try {
    if (!linkInto(source.folder.child(source.name), target, from)) return;
  } catch (error) {
    if (systemCode(error) === 'EXDEV' && move.stat.isFile()) made = yield* copyAcross(move);
    else throw fromSystem(error, to);
  }
  removeSource(move, made);
}

function moveLink(move: Move): void {
  const { source, target, to } = move;
  let made: Stats;
  try {
    // created anew rather than linked: link(2) follows links on some systems, and fails across devices on all
    const text = readlinkSync(source.folder.child(source.name), { encoding: 'buffer' });
    symlinkSync(text, target.folder.child(target.name));
    made = lstatSync(target.folder.child(target.name));
  } catch (error) {
    throw fromSystem(error, to);
  }
  removeSource(move, made);
}

/**
 * Removes the old name when it is still the moved entry; another process's newer file stays. Where the old name cannot
 * be removed, or another process was faster, removes the new one again: of all processes that move an entry, one
 * succeeds.
 */
function removeSource({ source, target, stat, from }: Move, made: Stats): void {
  try {
    if (!removeSame(source, stat) && !isOnlyName(target, stat)) throw notFound(from);
  } catch (error) {
    takeBack(target, made);
    throw fromSystem(error, from);
  }
}

/** Returns whether a place has the only remaining name of a file: no other process has moved it. */
function isOnlyName({ folder, name }: Place, stat: Stats): boolean {
  const now = lstatSync(folder.child(name), { throwIfNoEntry: false });
  return now !== undefined && isSameFile(now, stat) && now.nlink === 1;
}

function takeBack(target: Place, made: Stats): void {
  try {
    removeSame(target, made);
  } catch {
    // both names stay; the caller gets the failure that caused this
  }
}

/** Removes the entry at a place if it is still the same; returns false where it vanished. */
function removeSame({ folder, name }: Place, stat: Stats): boolean {
  const now = lstatSync(folder.child(name), { throwIfNoEntry: false });
  if (now === undefined) return false;
  if (!isSameFile(now, stat)) return true;
  try {
    unlinkSync(folder.child(name));
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function* moveFolder(move: Move): Work<void> {
  const { scope, source, target, from, to } = move;
  if (isInside(target.path, source.path))
    throw refuse('invalid-path', to, 'a folder cannot move into itself');
  // a pattern may deny its content by its present path
  if (!scope.hidesAfterMove(source.path, target.path))
    throw stays(from, "it may hold something that the operator's policy keeps");
  if (scope.denies) yield* assertNothingDenied(move);
  try {
    renameFolder(source.folder.child(source.name), target, from);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EXDEV')
      throw refuse('unsupported', from, 'a folder moves within one file system only: copy it instead', error);
    throw fromSystem(error, code === 'ENOTEMPTY' || code === 'EEXIST' ? to : from);
  }
}

/** Throws for a folder that contains something denied, at any depth; links in it are entries, and are not followed. */
function* assertNothingDenied({ scope, source, stat, from }: Move): Work<void> {
  const folder = openChildFolder(scope, source.folder, source.name, from);
  try {
    if (!isSameFile(folder.stat, stat)) throw refuse('changed', from, 'repeat the call');
    yield* walk(
      scope,
      { folder, displayPath: from },
      {
        takes(level) {
          const isDenied = scope.hiddenIn(level.folder.path);
          return (entry) => {
            if (!isDenied(textOf(nameOf(entry)))) return true;
            throw stays(from, "it holds something that the operator's policy keeps; move the rest by name");
          };
        },
      },
    );
  } finally {
    folder.close();
  }
}

/** Opens the copied file on the other file system; an entry that cannot be recreated there stays where it is. */
function* copyAcross({ scope, source, target, stat, from, to, options }: Move): Work<Stats> {
  const { fd, stat: opened } = openToRead(source, from);
  try {
    const { stat: made } = yield* install(scope, target, to, {
      *fill(into) {
        const bytes = yield* copyContent(fd, into, opened.size, { ...options, sparse: true });
        if (!isUnchanged(fstatSync(fd), stat)) throw refuse('changed', from, 'repeat the call');
        return bytes;
      },
      like: stat,
      from: { place: source, displayPath: from },
      exclusive: true,
      fsync: options.fsync,
    });
    return made;
  } finally {
    close(fd);
  }
}
