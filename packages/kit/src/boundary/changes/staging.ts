import { mkdirSync, openSync, rmdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type OpenDirectory, openFolderAt } from '../opening/directories.ts';
import type { Place } from '../opening/places.ts';
import { newName, removeQuietly, stagingName, sweep } from '../opening/temporary.ts';
import { systemCode } from '../scope/refusal.ts';
import type { Root, Scope } from '../scope/scope.ts';
import { newFileFlags } from '../verifying/flags.ts';
import { close } from '../verifying/handle.ts';
import { removeTree } from './tree.ts';
import { perform, type Work } from './work.ts';

/** A temporary file, open for writing. */
export interface Staged {
  readonly fd: number;
  /** the real path of its folder */
  readonly folder: string;
  /** its path, valid for one call right away */
  path(): string | Buffer;
  /** closes it, and removes it unless it was renamed to its place */
  finish(renamed: boolean): void;
}

/** An entry under a temporary name in a staging folder: it is not at its place yet, or no longer. */
export interface Slot<T> {
  readonly folder: OpenDirectory;
  readonly name: string;
  /** the value that its creation returned */
  readonly made: T;
  /** its path, valid for one call right away */
  path(): string | Buffer;
  /** closes the folder; the temporary name is gone by then */
  close(): void;
}

/**
 * Creates an entry under a temporary name on the device of the place: in the staging folder at the top of the root, or
 * beside the place where that is not possible. The staging folder exists only while something is in it; one known place
 * per root lets the next start find the entries of a killed process, without a walk through the tree. (A file created
 * with O_TMPFILE would leave nothing, but link(2), which is the call that Node has, cannot give it a name: EXDEV.)
 */
export function takeSlot<T>(
  scope: Scope,
  place: Place,
  beside: boolean,
  make: (path: string | Buffer) => T,
): Slot<T> {
  const root = beside ? undefined : scope.rootOf(place.path);
  const atTop = root && slotAtTop(scope, root, place.folder.stat.dev, make);
  if (atTop !== undefined) return atTop;
  removeLeft(scope, place.folder);
  return slotIn(place.folder, make, () => {});
}

/** Opens a temporary file for the place. */
export function stage(scope: Scope, place: Place, beside: boolean): Staged {
  const { made: fd, ...slot } = takeSlot(scope, place, beside, (path) => openSync(path, newFileFlags, 0o600));
  return {
    fd,
    folder: slot.folder.path,
    path: slot.path,
    finish(renamed) {
      // an error on close comes too late to matter: required data was synced before
      close(fd);
      if (!renamed) removeQuietly(slot.folder, slot.name);
      slot.close();
    },
  };
}

/** Removes the entries of killed processes at the top of the scope's writable roots; for the start of a server. */
export function sweepStaging(scope: Scope): void {
  for (const root of scope.roots) {
    if (root.readOnly) continue;
    let top: OpenDirectory;
    try {
      top = openFolderAt(scope, root.real, root.path);
    } catch {
      // a file, or deleted: nothing is staged there
      continue;
    }
    const folder = findStaging(scope, root);
    if (folder !== undefined) removeLeft(scope, folder);
    folder?.close();
    removeStaging(top, folder !== undefined);
  }
}

const attempts = 20;

function slotAtTop<T>(
  scope: Scope,
  root: Root,
  dev: number,
  make: (path: string | Buffer) => T,
): Slot<T> | undefined {
  let top: OpenDirectory;
  try {
    top = openFolderAt(scope, root.real, root.path);
  } catch {
    // a root that is a file, or that vanished: the place itself is tried, or fails with the reason
    return undefined;
  }
  let made = false;
  for (let attempt = 0; top.stat.dev === dev && attempt < attempts; attempt++) {
    let folder: OpenDirectory | undefined;
    try {
      const found = makeStaging(top);
      made ||= !found;
      folder = findStaging(scope, root);
      if (folder === undefined) break;
      // it is removed after each write, so an existing one belongs to another writer or was left by one
      if (found) removeLeft(scope, folder);
      const staging = folder;
      return slotIn(staging, make, () => {
        staging.close();
        removeStaging(top, true);
      });
    } catch (error) {
      folder?.close();
      // another process removed the empty folder just before: create it again; other errors show at the place itself
      if (systemCode(error) !== 'ENOENT') break;
    }
  }
  removeStaging(top, made);
  return undefined;
}

function slotIn<T>(folder: OpenDirectory, make: (path: string | Buffer) => T, close: () => void): Slot<T> {
  const name = newName();
  const path = (): string | Buffer => folder.child(name);
  return { folder, name, made: make(path()), path, close };
}

function makeStaging(top: OpenDirectory): boolean {
  try {
    mkdirSync(top.child(stagingName), 0o700);
    return false;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return true;
    throw error;
  }
}

function findStaging(scope: Scope, root: Root): OpenDirectory | undefined {
  const path = join(root.real, stagingName);
  let folder: OpenDirectory;
  try {
    folder = openFolderAt(scope, path, stagingName);
  } catch {
    // none, or not a folder: nothing was left
    return undefined;
  }
  // only a folder of this user, closed to others: content waits there before it has its final mode
  if (folder.path === path && isOurs(folder.stat)) return folder;
  folder.close();
  return undefined;
}

function isOurs(stat: Stats): boolean {
  return process.geteuid === undefined || (stat.uid === process.geteuid() && (stat.mode & 0o077) === 0);
}

function removeStaging(top: OpenDirectory, present: boolean): void {
  try {
    if (present) rmdirSync(top.child(stagingName));
  } catch {
    // another writer uses it and will remove it; or it is deleted
  } finally {
    top.close();
  }
}

/** Removes files at once, and folders in the background. */
function removeLeft(scope: Scope, folder: OpenDirectory): void {
  for (const name of sweep(folder)) removeFolder(scope, folder, name);
}

const leaving = new Set<string>();

function removeFolder(scope: Scope, parent: OpenDirectory, name: string): void {
  const path = join(parent.path, name);
  if (leaving.has(path)) return;
  leaving.add(path);
  const again = (): void => {
    leaving.delete(path);
  };
  // entries that cannot be removed stay for the next start
  new Promise((resolve) => resolve(perform(removingLeft(scope, parent.path, name), {}))).then(again, again);
}

function* removingLeft(scope: Scope, path: string, name: string): Work<void> {
  const folder = openFolderAt(scope, path, stagingName);
  try {
    yield* removeTree(scope, folder, name, stagingName);
    const root = scope.roots.find(({ real }) => join(real, stagingName) === path);
    if (root !== undefined) removeStaging(openFolderAt(scope, root.real, root.path), true);
  } finally {
    folder.close();
  }
}
