import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/** The beginning of the header of a hot rollback journal; a commit deletes the journal. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Returns whether a transaction has begun to write and was not committed, by the files. */
export function isUnfinished(path: string, mode: 'delete' | 'wal'): boolean {
  return mode === 'delete' ? hasHotJournal(`${path}-journal`) : uncommittedFrames(`${path}-wal`) > 0;
}

/** Returns whether pages were spilled from the cache. */
export function isSpilling(path: string, mode: 'delete' | 'wal', before: number): boolean {
  return sizeOf(mode === 'delete' ? path : `${path}-wal`) > before + (1 << 20);
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function hasHotJournal(journal: string): boolean {
  if (!existsSync(journal)) return false;
  const fd = openSync(journal, 'r');
  try {
    const begin = Buffer.alloc(JOURNAL_MAGIC.length);
    readSync(fd, begin, 0, begin.length, 0);
    return begin.equals(JOURNAL_MAGIC);
  } finally {
    closeSync(fd);
  }
}

/** Returns the number of frames of the WAL after the last commit. */
function uncommittedFrames(wal: string): number {
  if (sizeOf(wal) < WAL_HEADER_BYTES) return 0;
  const bytes = readFileSync(wal);
  const step = FRAME_HEADER_BYTES + bytes.readUInt32BE(8);
  const salts = bytes.subarray(16, 24);
  let open = 0;
  for (let at = WAL_HEADER_BYTES; at + step <= bytes.length; at += step) {
    if (!bytes.subarray(at + 8, at + 16).equals(salts)) break;
    open = bytes.readUInt32BE(at + 4) === 0 ? open + 1 : 0;
  }
  return open;
}
