import { endianness } from 'node:os';
import { type OpenFile, readAt } from './files.ts';

/** The state of a WAL as in the wal-index. Source: https://sqlite.org/walformat.html */
export interface WalState {
  /** salt, which identifies one generation of the WAL, from restart to restart */
  readonly salt: string;
  /** number of committed frames */
  readonly frames: number;
  /** counter of commits; undefined without wal-index */
  readonly commits: number | undefined;
  /** identity of the wal-index file */
  readonly index: string | undefined;
  /** number of pages of the database */
  readonly pages: number | undefined;
}

export interface Frame {
  readonly page: number;
  readonly commits: boolean;
}

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const INDEX_BYTES = 48;
const VERSION = 3_007_000;
const little = endianness() === 'LE';

/** Salt of a WAL without frames; every new wal-index has it, so it identifies nothing. */
export const NO_RUN = '0'.repeat(16);

/** Reads the wal-index; returns 'unsettled' while it is being written, undefined if there is none. */
export function readWalIndex(file: OpenFile | undefined): WalState | 'unsettled' | undefined {
  if (file === undefined || file.size < 2 * INDEX_BYTES) return undefined;
  const bytes = readAt(file.fd, 0, 2 * INDEX_BYTES);
  const number = (at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  if (!bytes.subarray(0, INDEX_BYTES).equals(bytes.subarray(INDEX_BYTES))) return 'unsettled';
  if (number(0) !== VERSION || bytes[12] !== 1) return undefined;
  return {
    salt: bytes.toString('hex', 32, 40),
    frames: number(16),
    commits: number(8),
    index: `${file.dev}:${file.ino}`,
    pages: number(20),
  };
}

/** Scans a WAL without wal-index up to its last commit. */
export function scanWal(file: OpenFile | undefined, pageSize: number): WalState | undefined {
  if (file === undefined || file.size < WAL_HEADER_BYTES) return undefined;
  const salt = readAt(file.fd, 16, 8).toString('hex');
  const found = framesFrom(file, pageSize, 1, salt);
  const frames = found.findLastIndex(({ commits }) => commits) + 1;
  return { salt, frames, commits: undefined, index: undefined, pages: undefined };
}

/** Reads the frames of one generation from `first` up to `last` or the end of the generation. */
export function framesFrom(
  file: OpenFile,
  pageSize: number,
  first: number,
  salt: string,
  last = Number.POSITIVE_INFINITY,
): Frame[] {
  const found: Frame[] = [];
  for (let number = first; number <= last; number++) {
    const head = readAt(file.fd, frameAt(number, pageSize), FRAME_HEADER_BYTES);
    if (head.length < FRAME_HEADER_BYTES || head.toString('hex', 8, 16) !== salt) break;
    found.push({ page: head.readUInt32BE(0), commits: head.readUInt32BE(4) !== 0 });
  }
  return found;
}

/** Returns the page in a frame. */
export function pageOfFrame(file: OpenFile, number: number, pageSize: number): Buffer {
  return readAt(file.fd, frameAt(number, pageSize) + FRAME_HEADER_BYTES, pageSize);
}

/** Returns whether a commit is in the WAL that the wal-index does not contain yet. */
export function commitIsComing(file: OpenFile, pageSize: number, state: WalState | undefined): boolean {
  if (state !== undefined && readAt(file.fd, 16, 8).toString('hex') === state.salt)
    return framesFrom(file, pageSize, state.frames + 1, state.salt).some(({ commits }) => commits);
  return (scanWal(file, pageSize)?.frames ?? 0) > 0;
}

function frameAt(number: number, pageSize: number): number {
  return WAL_HEADER_BYTES + (number - 1) * (FRAME_HEADER_BYTES + pageSize);
}
