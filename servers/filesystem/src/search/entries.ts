import { type Dirent, lstatSync, opendirSync, readdirSync } from 'node:fs';
import { isAscii } from './order.ts';

export const FILE = 1;
export const DIRECTORY = 2;
export const SYMLINK = 4;
export const OTHER = 8;

/** Receives every entry of a directory, in no particular order, and can halt the read. */
export interface EntrySink {
  begin(): void;
  entry(name: string, kind: number): void;
  halted(): boolean;
}

const BATCH = 1024;
/** Size of a directory, in bytes, above which it is read in batches; some file systems reach it at about 5,000 entries. */
export const LARGE_DIRECTORY = 256 * 1024;

/** Reads the directory at `path` (a byte string that ends in '/'); a large one in batches, between which it can halt. */
export function readEntries(path: string, large: boolean, sink: EntrySink): void {
  const place = systemPath(path);
  sink.begin();
  try {
    if (large) readBatches(place, sink);
    else
      for (const entry of readdirSync(place, { encoding: 'latin1', withFileTypes: true })) give(entry, sink);
  } catch (error) {
    // where readdir gives no types, Node calls lstat with a UTF-8 path, which fails for other names
    if (!hasCode(error, 'ENOENT')) throw error;
    const names = readdirSync(place, 'latin1');
    sink.begin();
    for (const name of names) sink.entry(name, lookUp(path + name));
  }
}

function readBatches(place: string | Buffer, sink: EntrySink): void {
  // the types of Node lack Buffer here
  const entries = opendirSync(place as string, { encoding: 'latin1', bufferSize: BATCH });
  try {
    let until = BATCH;
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      give(entry, sink);
      if (--until > 0) continue;
      if (sink.halted()) return;
      until = BATCH;
    }
  } finally {
    entries.closeSync();
  }
}

function give(entry: Dirent, sink: EntrySink): void {
  let kind = OTHER;
  if (entry.isFile()) kind = FILE;
  else if (entry.isDirectory()) kind = DIRECTORY;
  else if (entry.isSymbolicLink()) kind = SYMLINK;
  sink.entry(entry.name, kind);
}

function lookUp(path: string): number {
  const stats = lstatSync(systemPath(path), { throwIfNoEntry: false });
  if (stats === undefined) return OTHER;
  if (stats.isFile()) return FILE;
  if (stats.isDirectory()) return DIRECTORY;
  return stats.isSymbolicLink() ? SYMLINK : OTHER;
}

/** Returns a byte string in the form that `node:fs` accepts. */
export function systemPath(path: string): string | Buffer {
  return isAscii(path) ? path : Buffer.from(path, 'latin1');
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error));
}

export const UNKNOWN_CODE = 'EUNKNOWN';

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : UNKNOWN_CODE;
}
