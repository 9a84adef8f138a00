import { close, lstatSync, openSync, unlinkSync } from 'node:fs';
import { sep } from 'node:path';
import { hostName } from '../names/machine.ts';
import { fromSystem, systemCode } from '../scope/refusal.ts';
import { readFlags } from '../verifying/flags.ts';
import type { OpenDirectory } from './directories.ts';
import { readEntries, statChild } from './entries.ts';
import { largeBytes } from './sizes.ts';

/** The folder at the top of a root where new content waits for its rename. */
export const stagingName = '.rootbound-staging';

/** Returns whether a name is that of a temporary file or folder of this package, which lists and watchers leave out. */
export function isStagingName(name: string): boolean {
  return name === stagingName || temporaryName.test(name);
}

/** Returns whether a path leads to or through a temporary entry. */
export function isStagingPath(path: string): boolean {
  return path.includes('.rootbound-') && path.split(sep).some(isStagingName);
}

const temporaryName = /^\.rootbound-([0-9a-z]+)-(\d+)-[0-9a-f]{24}\.tmp$/;
const dayMs = 86_400_000;
// beside a place there may be any number of names, and a write should not wait for all of them
const sweepLimit = 10_000;

/** Returns a name for a temporary entry, with the process that creates it. */
export function newName(): string {
  // loaded at the first write: the start needs no randomness
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  return `.rootbound-${hostKey()}-${process.pid}-${randomBytes(12).toString('hex')}.tmp`;
}

/** Removes the files in a folder that killed processes left; returns the names of folders that they left. */
export function sweep(folder: OpenDirectory): string[] {
  const folders: string[] = [];
  let looked = 0;
  try {
    for (const { name, kind } of readEntries(folder, stagingName)) {
      if (isLeft(folder, name)) {
        if (kind === 'directory') folders.push(name);
        else removeQuietly(folder, name);
      }
      if (++looked >= sweepLimit) break;
    }
  } catch (error) {
    // a folder that may not be listed is left as it is; the write continues
    fromSystem(error, stagingName);
  }
  return folders;
}

/** Removes a file that may be deleted already. */
export function removeQuietly(folder: OpenDirectory, name: string): void {
  const held = holdIfLarge(folder, name);
  try {
    unlinkSync(folder.child(name));
  } catch {
    // renamed into place, or removed by another sweep
  }
  if (held !== undefined) close(held, () => {});
}

/** Opens a file before its removal: it frees its blocks when it is closed, for which nobody has to wait. */
function holdIfLarge(folder: OpenDirectory, name: string): number | undefined {
  try {
    const { size, nlink } = lstatSync(folder.child(name));
    if (nlink === 1 && size >= largeBytes) return openSync(folder.child(name), readFlags);
  } catch {
    // deleted, or not to be opened: it is removed the slow way
  }
  return undefined;
}

function hostKey(): string {
  let key = 0;
  for (const character of hostName()) key = (key * 31 + character.codePointAt(0)!) >>> 0;
  return key.toString(36);
}

function isLeft(folder: OpenDirectory, name: string): boolean {
  const match = temporaryName.exec(name);
  if (match === null) return false;
  const mtimeMs = statChild(folder, name)?.mtimeMs ?? 0;
  const now = Date.now();
  // of another machine or container, where the process cannot be checked: a day is enough for any write
  if (match[1] !== hostKey()) return now - mtimeMs > dayMs;
  const pid = Number(match[2]);
  // the same process number in an earlier life, as after a restart in a container
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
