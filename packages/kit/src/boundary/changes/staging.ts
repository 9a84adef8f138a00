import { mkdirSync, openSync, rmdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type OpenDirectory, openFolderAt } from '../directories.ts';
import { newFileFlags } from '../flags.ts';
import { close } from '../handle.ts';
import type { Place } from '../places.ts';
import { systemCode } from '../refusal.ts';
import type { Root, Scope } from '../scope.ts';
import { newName, removeQuietly, stagingName, sweep } from '../temporary.ts';
import { removeTree } from './tree.ts';
import { perform, type Work } from './work.ts';

/** A temporary file, open for writing. */
export interface Staged {
  readonly fd: number;
  /** the real path of the folder that it is in */
  readonly folder: string;
  /** its path, good for one call right away */
  path(): string | Buffer;
  /** closes it, and removes it unless it was renamed into place */
  finish(renamed: boolean): void;
}

/** Something under a temporary name in a folder where nobody looks: it is not in its place yet, or no longer. */
export interface Slot<T> {
  readonly folder: OpenDirectory;
  readonly name: string;
  /** what making it gave */
  readonly made: T;
  /** its path, good for one call right away */
  path(): string | Buffer;
  /** lets go of the folder; what had the name is gone by then */
  close(): void;
}

/**
 * Makes something under a temporary name on the device of the place: in the staging folder at the top of the root, or
 * beside the place where that is not possible. The staging folder exists only while something is in it; one known
 * place per root lets the next start find what a killed process left, without walking the tree. (A file made with
 * O_TMPFILE would leave nothing, but link(2), which is what Node has, cannot give it a name: EXDEV.)
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
      // an error on close comes too late to matter: what had to be on disk was synced before
      close(fd);
      if (!renamed) removeQuietly(slot.folder, slot.name);
      slot.close();
    },
  };
}

/** Removes what killed processes left at the top of the scope's writable roots; for the start of a server. */
export function sweepStaging(scope: Scope): void {
  for (const root of scope.roots) {
    if (root.readOnly) continue;
    let top: OpenDirectory;
    try {
      top = openFolderAt(scope, root.real, root.path);
    } catch {
      // a file, or gone: nothing waits there
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
    // a root that is a file, or that went away: the place itself will do, or will say why not
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
      // it goes with each write, so one that is there belongs to another writer or was left by one
      if (found) removeLeft(scope, folder);
      const staging = folder;
      return slotIn(staging, make, () => {
        staging.close();
        removeStaging(top, true);
      });
    } catch (error) {
      folder?.close();
      // another process removed the folder, empty, just before: make it again; all else the place itself will tell
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
  // only a folder of our own, closed to others: content waits there before it has its final mode
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
    // another writer is using it, and will remove it; or it is gone
  } finally {
    top.close();
  }
}

/** Removes files at once, and folders beside whatever else goes on. */
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
  // what cannot be removed stays for the next start
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
