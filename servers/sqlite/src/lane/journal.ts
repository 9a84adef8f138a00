import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { defined } from '@rootbound/kit/primitives';
import { LaneError } from '../shared/error.ts';

/** How a journal ends that is part of a transaction over several files. */
const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
/** Length of the name, its checksum, and the eight bytes above. */
const TRAILER_BYTES = 16;
/** Longer than any path that SQLite takes. */
const LONGEST_NAME = 4096;
const sideFiles = ['-journal', '-wal', '-shm'] as const;

/**
 * The file that the rollback journal of a database names as its super-journal; undefined when it names none. SQLite
 * removes that file when it rolls the journal back, wherever it is; before 3.54 whatever its name and content.
 * Source: https://sqlite.org/atomiccommit.html#_multi_file_commit, readSuperJournal in https://sqlite.org/src/file/src/pager.c
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
    // the checksum is not asked: a name that SQLite may take as damaged is no better
    const name = Buffer.alloc(Math.min(length, LONGEST_NAME));
    readSync(fd, name, 0, name.length, size - TRAILER_BYTES - length);
    return name.toString();
  } finally {
    closeSync(fd);
  }
}

/** Throws when a file that SQLite keeps beside the database is a link, a pipe or a folder. */
export function assertPlainSideFiles(path: string): void {
  const hazard = irregularSideFile(path);
  if (hazard !== undefined) throw hazard;
}

/**
 * Throws when writing to the database could touch other files: when what is beside it is not plain, or when its journal
 * names a file for SQLite to remove.
 */
export function assertSafeToWrite(path: string): void {
  const hazard = hazardOf(path);
  if (hazard !== undefined) throw hazard;
}

/** Whether `assertSafeToWrite` lets the database pass. */
export function isSafeToWrite(path: string): boolean {
  return hazardOf(path) === undefined;
}

function hazardOf(path: string): LaneError | undefined {
  const side = irregularSideFile(path);
  if (side !== undefined) return side;
  if (superJournalOf(path) === undefined) return undefined;
  return hostile(
    'the -journal beside the database belongs to a transaction over several files, and rolling it back would remove one',
    'let the program that made it open all of those files, or remove the -journal',
  );
}

function irregularSideFile(path: string): LaneError | undefined {
  for (const side of sideFiles) {
    const stat = lstatSync(path + side, { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) continue;
    const kind = stat.isSymbolicLink() ? 'a symbolic link' : 'no file';
    return hostile(`the ${side} beside the database is ${kind}`, 'remove it, when nothing else needs it');
  }
  return undefined;
}

function openJournal(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw hostile('the -journal beside the database cannot be read', 'look at who made it', error);
  }
}

function hostile(message: string, hint: string, cause?: unknown): LaneError {
  return new LaneError(message, { code: 'hostile-journal', hint, ...defined({ cause }) });
}
