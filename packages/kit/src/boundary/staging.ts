import { closeSync, mkdirSync, openSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type OpenDirectory, openFolderAt } from './directories.ts';
import { readEntries, statChild } from './entries.ts';
import { newFileFlags } from './flags.ts';
import type { Place } from './places.ts';
import { fromSystem, systemCode } from './refusal.ts';
import type { Root, Scope } from './scope.ts';

/**
 * The folder at the top of a root where new content waits for its rename; it exists only while something is written.
 * One known place per root lets the next start find what a killed process left, without walking the tree. (A file
 * made with O_TMPFILE would leave nothing, but link(2), which is what Node has, cannot give it a name: EXDEV.)
 */
export const stagingName = '.rootbound-staging';

/** A temporary file, open for writing. */
export interface Staged {
  readonly fd: number;
  /** its path, good for one call right away */
  path(): string;
  /** closes it, and removes it unless it was renamed into place */
  finish(renamed: boolean): void;
}

/** Opens a temporary file on the device of the place: at the top of the root, or beside it where that is not possible. */
export function stage(scope: Scope, place: Place, beside: boolean): Staged {
  const root = beside ? undefined : scope.rootOf(place.path);
  const staged = root && stageAtTop(scope, root, place.folder.stat.dev);
  if (staged !== undefined) return staged;
  sweep(place.folder);
  return openTemporary(place.folder, () => {});
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
    if (folder !== undefined) sweep(folder);
    folder?.close();
    removeStaging(top, folder !== undefined);
  }
}

/** Whether a name is that of a temporary file or folder of ours, which lists and watchers leave out. */
export function isStagingName(name: string): boolean {
  return name === stagingName || temporaryName.test(name);
}

const attempts = 20;
const temporaryName = /^\.rootbound-([0-9a-z]+)-(\d+)-[0-9a-f]{24}\.tmp$/;
const dayMs = 86_400_000;
// beside the place there may be any number of names, and a write should not wait for all of them
const sweepLimit = 10_000;

function stageAtTop(scope: Scope, root: Root, dev: number): Staged | undefined {
  let top: OpenDirectory;
  try {
    top = openFolderAt(scope, root.real, root.path);
  } catch {
    // a root that is a file, or that went away: the place itself will do, or will say why not
    return undefined;
  }
  let folder: OpenDirectory | undefined;
  for (let attempt = 0; top.stat.dev === dev && attempt < attempts; attempt++) {
    try {
      const found = makeStaging(top);
      folder = findStaging(scope, root);
      if (folder === undefined) break;
      // it goes with each write, so one that is there belongs to another writer or was left by one
      if (found) sweep(folder);
      return openTemporary(folder, () => {
        folder?.close();
        removeStaging(top, true);
      });
    } catch (error) {
      folder?.close();
      // another process removed the folder, empty, just before: make it again; all else the place itself will tell
      if (systemCode(error) !== 'ENOENT') break;
    }
  }
  top.close();
  return undefined;
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

function openTemporary(folder: OpenDirectory, after: () => void): Staged {
  const name = newName();
  const fd = openSync(folder.child(name), newFileFlags, 0o600);
  return {
    fd,
    path: () => String(folder.child(name)),
    finish(renamed) {
      try {
        closeSync(fd);
      } catch {
        // an error on close comes too late to matter: what had to be on disk was synced before
      }
      if (!renamed) removeQuietly(folder, name);
      after();
    },
  };
}

function newName(): string {
  // loaded at the first write: the start needs no randomness
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  return `.rootbound-${hostKey()}-${process.pid}-${randomBytes(12).toString('hex')}.tmp`;
}

function hostKey(): string {
  let key = 0;
  for (const character of hostname()) key = (key * 31 + character.codePointAt(0)!) >>> 0;
  return key.toString(36);
}

function sweep(folder: OpenDirectory): void {
  let looked = 0;
  try {
    for (const { name } of readEntries(folder, stagingName)) {
      if (isLeft(folder, name)) removeQuietly(folder, name);
      if (++looked >= sweepLimit) return;
    }
  } catch (error) {
    // a folder that may not be listed is left as it is; the write goes on
    fromSystem(error, stagingName);
  }
}

function isLeft(folder: OpenDirectory, name: string): boolean {
  const match = temporaryName.exec(name);
  if (match === null) return false;
  const mtimeMs = statChild(folder, name)?.mtimeMs ?? 0;
  const now = Date.now();
  // of another machine or container, where the process cannot be asked: a day is enough for any write
  if (match[1] !== hostKey()) return now - mtimeMs > dayMs;
  const pid = Number(match[2]);
  // the same number in an earlier life, as after a restart in a container
  if (pid === process.pid) return mtimeMs < now - process.uptime() * 1000 - 1000;
  return !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

function removeQuietly(folder: OpenDirectory, name: string): void {
  try {
    unlinkSync(folder.child(name));
  } catch {
    // renamed into place, or removed by another sweep
  }
}
