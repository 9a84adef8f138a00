import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { defined } from '@rootbound/kit/primitives';
import { codeOf, LaneError } from '../shared/error.ts';

/** The last bytes of a journal that is part of a transaction over several files. */
const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
/** Bytes of the name's length, its checksum and the magic. */
const TRAILER_BYTES = 16;
/** Most bytes of a name; longer than any path that SQLite accepts. */
const LONGEST_NAME = 4096;
const sideFiles = ['-journal', '-wal', '-shm'] as const;

/**
 * Returns the super-journal that the rollback journal of a database names; undefined if none. SQLite deletes that file,
 * wherever it is, when it rolls the journal back; before 3.54 whatever its name and content. Source:
 * https://sqlite.org/atomiccommit.html#_multi_file_commit, readSuperJournal in https://sqlite.org/src/file/src/pager.c
 */
export function superJournalOf(path: string): string | undefined {
  const fd = openJournal(`${path}-journal`);
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    const trailer = Buffer.alloc(TRAILER_BYTES);
    if (size < TRAILER_BYTES || readSync(fd, trailer, 0, TRAILER_BYTES, size - TRAILER_BYTES) < TRAILER_BYTES)
      return undefined;
    if (!trailer.subarray(8).equals(MAGIC)) return undefined;
    const length = trailer.readUInt32BE(0);
    if (length === 0 || length > size - TRAILER_BYTES) return undefined;
    // the checksum is ignored: a damaged name is refused as well
    const name = Buffer.alloc(Math.min(length, LONGEST_NAME));
    readSync(fd, name, 0, name.length, size - TRAILER_BYTES - length);
    return name.toString();
  } finally {
    closeSync(fd);
  }
}

/** Throws if a side file of the database is a link, a pipe or a folder. */
export function assertPlainSideFiles(path: string): void {
  const hazard = irregularSideFile(path);
  if (hazard !== undefined) throw hazard;
}

/**
 * Throws if writing to the database could affect other files: if a side file is not a regular file, or if the journal
 * names a file that SQLite would delete.
 */
export function assertSafeToWrite(path: string): void {
  const hazard = hazardOf(path);
  if (hazard !== undefined) throw hazard;
}

/** Returns whether `assertSafeToWrite` would pass. */
export function isSafeToWrite(path: string): boolean {
  return hazardOf(path) === undefined;
}

function hazardOf(path: string): LaneError | undefined {
  const side = irregularSideFile(path);
  if (side !== undefined) return side;
  if (superJournalOf(path) === undefined) return undefined;
  return hostile(
    'the -journal beside the database belongs to a transaction over several files, and rolling it back would delete one of them',
    'open those files with the program that wrote the -journal, or delete the -journal',
  );
}

function irregularSideFile(path: string): LaneError | undefined {
  for (const side of sideFiles) {
    const stat = lstatSync(path + side, { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) continue;
    const kind = stat.isSymbolicLink() ? 'a symbolic link' : 'not a regular file';
    return hostile(`the ${side} beside the database is ${kind}`, 'delete it if no program needs it');
  }
  return undefined;
}

function openJournal(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw hostile(
      'the -journal beside the database cannot be read',
      'check its owner and permissions',
      error,
    );
  }
}

function hostile(message: string, hint: string, cause?: unknown): LaneError {
  return new LaneError(message, { code: 'hostile-journal', hint, ...defined({ cause }) });
}
