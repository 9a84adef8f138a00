import { readSync } from 'node:fs';

/** The header of a database file. Source: https://sqlite.org/fileformat2.html#the_database_header */
export interface Header {
  readonly journal: 'rollback' | 'wal';
  readonly pageSize: number;
  readonly encoding: 'UTF-8' | 'UTF-16le' | 'UTF-16be' | undefined;
  /** why SQLite cannot open it */
  readonly problem: string | undefined;
}

const BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const NEWEST_VERSION = 2;
const encodings = [undefined, 'UTF-8', 'UTF-16le', 'UTF-16be'] as const;

/** Returns the header of an open file; undefined if it is not a database. */
export function readHeader(fd: number, size: number): Header | undefined {
  const bytes = Buffer.alloc(BYTES);
  const got = readSync(fd, bytes, 0, BYTES, 0);
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const stored = bytes.readUInt16BE(16);
  // 1 stands for 65536, which does not fit into two bytes
  const pageSize = stored === 1 ? 65_536 : stored;
  const encoding = encodings[bytes.readUInt32BE(56)];
  const header = { journal: bytes[18] === 2 ? ('wal' as const) : ('rollback' as const), pageSize, encoding };
  return { ...header, problem: problemOf(bytes, got, size, pageSize) };
}

function problemOf(bytes: Buffer, got: number, size: number, pageSize: number): string | undefined {
  if (got < BYTES) return 'its header is cut off';
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0)
    return `its header names a page size of ${pageSize}`;
  if (bytes[19]! > NEWEST_VERSION) return 'its format is newer than this SQLite reads';
  if (bytes[21] !== 64 || bytes[22] !== 32 || bytes[23] !== 32) return 'its header is damaged';
  return size < pageSize ? 'it is cut off within its first page' : undefined;
}
