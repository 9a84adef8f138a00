import { accessSync, constants, fchmodSync, fstatSync, ftruncateSync, type Stats, writeSync } from 'node:fs';
import { ToolError } from '@rootbound/protocol';
import type { Place } from '../opening/places.ts';
import { fromSystem, refuse, showPath, systemCode } from '../scope/refusal.ts';
import { close } from '../verifying/handle.ts';
import { isSameFile, isUnchanged } from '../verifying/identity.ts';
import { readContent, sync } from './content.ts';
import { openToChange } from './open-to-change.ts';
import { steadfast, type Work } from './work.ts';

/**
 * Bytes of the largest file that is overwritten: its old content is kept in memory until the new content is complete.
 */
const mostKept = 64 * 1024 * 1024;

export interface Overwriting {
  readonly old: Stats;
  /** the file that must be there */
  readonly expect?: Stats | undefined;
  readonly fsync?: boolean | undefined;
  /** writes the content at the descriptor's position and returns the number of bytes */
  fill(fd: number): Work<number>;
}

/** Throws for a file that this process may not write, as an editor that saves it would fail. */
export function assertSavable({ folder, name }: Place, displayPath: string): void {
  try {
    accessSync(folder.child(name), constants.W_OK);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EACCES' || code === 'EPERM')
      throw refuse(
        'permission',
        displayPath,
        'it may not be written by the user that the server runs as',
        error,
      );
    throw error;
  }
}

/** Returns the failure for a file whose other names may be outside, where it cannot be replaced. */
export function linkedInPlace(displayPath: string): ToolError {
  return refuse(
    'linked',
    displayPath,
    'its owner, access list or extended attributes cannot be given to a new file, and in place all names would change',
  );
}

/** Overwrites a file, whose attributes stay; a failure restores its content. */
export function* overwrite(
  place: Place,
  displayPath: string,
  { old, expect, fsync, fill }: Overwriting,
): Work<Stats> {
  const { fd, stat } = openToChange(place, displayPath);
  try {
    const isSame = expect === undefined ? isSameFile(stat, old) : isUnchanged(stat, expect);
    if (!isSame || stat.nlink !== old.nlink)
      throw refuse('changed', displayPath, 'read it again, then repeat the change');
    if (stat.size > mostKept)
      throw refuse(
        'too-large',
        displayPath,
        `it can only be written in place, which is done up to ${mostKept} bytes`,
      );
    const before = yield* readContent(fd, stat.size);
    try {
      ftruncateSync(fd, yield* fill(fd));
      yield steadfast;
      // the system removes set-user-id and set-group-id for all users but root
      if (stat.mode & 0o6000) fchmodSync(fd, stat.mode & 0o1777);
      if (fsync) yield* sync(fd);
      return fstatSync(fd);
    } catch (error) {
      putBack(fd, before, displayPath, error);
      throw error;
    }
  } catch (error) {
    throw fromSystem(error, displayPath);
  } finally {
    close(fd);
  }
}

function putBack(fd: number, before: Buffer, displayPath: string, cause: unknown): void {
  try {
    for (let at = 0; at < before.length; ) at += writeSync(fd, before, at, before.length - at, at);
    ftruncateSync(fd, before.length);
  } catch {
    throw new ToolError(
      `written in part, and the old content could not be put back: ${showPath(displayPath)}`,
      {
        code: 'failed',
        hint: 'write the whole file again',
        cause,
      },
    );
  }
}
