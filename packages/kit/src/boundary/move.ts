import {
  lstatSync,
  mkdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { backendOf } from './backend.ts';
import { type EntryKind, kindOf } from './entries.ts';
import { close } from './handle.ts';
import { assertUnchanged, install, linkInto } from './install.ts';
import { openPlace, type Place } from './places.ts';
import { fromSystem, notFound, refuse, systemCode } from './refusal.ts';
import { isInside, type Scope } from './scope.ts';

export interface Moved {
  /** where it really was */
  readonly from: string;
  /** where it really is */
  readonly to: string;
  readonly kind: EntryKind;
}

interface Move {
  readonly scope: Scope;
  readonly from: string;
  readonly to: string;
  readonly source: Place;
  readonly target: Place;
  readonly stat: Stats;
}

/** Moves an entry to a name that is free, never over anything; of a link the link itself moves, not its target. */
export function moveEntry(scope: Scope, from: string, to: string): Moved {
  const source = openPlace(scope, from, false);
  try {
    const { stat } = source;
    if (stat === undefined) throw notFound(from);
    if (scope.holdsRoot(source.path))
      throw refuse('permission', from, 'a root lies in it, and roots stay where they are');
    const target = openPlace(scope, to, false);
    try {
      if (target.stat !== undefined) throw refuse('exists', to, 'choose a name that is free');
      const move = { scope, from, to, source, target, stat };
      if (stat.isDirectory()) moveFolder(move);
      else if (stat.isSymbolicLink()) moveLink(move);
      else moveFile(move);
      return { from: source.path, to: target.path, kind: kindOf(stat) };
    } finally {
      target.folder.close();
    }
  } finally {
    source.folder.close();
  }
}

function moveFile(move: Move): void {
  const { source, target, to } = move;
  try {
    linkInto(source.folder.child(source.name), target);
  } catch (error) {
    if (systemCode(error) === 'EXDEV' && move.stat.isFile()) copyAcross(move);
    else throw fromSystem(error, to);
  }
  removeSource(move);
}

function moveLink(move: Move): void {
  const { source, target, to } = move;
  try {
    // made anew rather than linked: link(2) follows links on some systems, and not across devices on any
    const text = readlinkSync(source.folder.child(source.name), { encoding: 'buffer' });
    symlinkSync(text, target.folder.child(target.name));
  } catch (error) {
    throw fromSystem(error, to);
  }
  removeSource(move);
}

/** Removes the old name when it is still what was moved; someone's newer file there stays. */
function removeSource({ source, stat, from }: Move): void {
  try {
    const now = lstatSync(source.folder.child(source.name), { throwIfNoEntry: false });
    if (now?.ino === stat.ino && now.dev === stat.dev) unlinkSync(source.folder.child(source.name));
  } catch (error) {
    throw fromSystem(error, from);
  }
}

function moveFolder({ source, target, from, to }: Move): void {
  if (isInside(target.path, source.path))
    throw refuse('invalid-path', to, 'a folder cannot move into itself');
  // an empty folder holds the name, and the rename replaces it in one step; Windows cannot, and refuses by itself
  const holds = process.platform !== 'win32';
  try {
    if (holds) mkdirSync(target.folder.child(target.name));
  } catch (error) {
    throw fromSystem(error, to);
  }
  try {
    renameSync(source.folder.child(source.name), target.folder.child(target.name));
  } catch (error) {
    if (holds) release(target);
    const code = systemCode(error);
    if (code === 'EXDEV')
      throw refuse('unsupported', from, 'a folder moves within one file system only', error);
    throw fromSystem(error, code === 'ENOTEMPTY' || code === 'EEXIST' ? to : from);
  }
}

function release(target: Place): void {
  try {
    rmdirSync(target.folder.child(target.name));
  } catch {
    // someone put something in it: theirs now
  }
}

function copyAcross({ scope, source, target, stat, from, to }: Move): void {
  const handle = backendOf(scope).openRegular(scope, source.path, from);
  try {
    if (handle.stat.ino !== stat.ino || handle.stat.dev !== stat.dev) throw refuse('changed', from);
    install(scope, target, to, {
      fill: (fd) => copyBytes(handle.fd, fd),
      like: stat,
      exclusive: true,
    });
    assertUnchanged(source, stat, from);
  } finally {
    close(handle.fd);
  }
}

function copyBytes(from: number, to: number): void {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  for (let read = readSync(from, buffer); read > 0; read = readSync(from, buffer))
    for (let done = 0; done < read; ) done += writeSync(to, buffer, done, read - done);
}
