import { endianness } from 'node:os';
import { type OpenFile, readAt } from './files.ts';

/** How far a WAL counts, as the wal-index says. Source: https://sqlite.org/walformat.html */
export interface WalState {
  /** names one run of the WAL; a checkpoint that starts it anew makes another */
  readonly salt: string;
  /** frames that are committed */
  readonly frames: number;
  /** another one after each commit; undefined where there is no wal-index */
  readonly commits: number | undefined;
  /** which wal-index counts them */
  readonly index: string | undefined;
  /** pages of the database */
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

/** A run that has not begun: each wal-index is made with it, so that nothing tells two of them apart. */
export const NO_RUN = '0'.repeat(16);

/** What the wal-index publishes; 'unsettled' while somebody writes it, undefined when there is none. */
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

/** How far a WAL without an index counts: up to its last commit. */
export function scanWal(file: OpenFile | undefined, pageSize: number): WalState | undefined {
  if (file === undefined || file.size < WAL_HEADER_BYTES) return undefined;
  const salt = readAt(file.fd, 16, 8).toString('hex');
  const found = framesFrom(file, pageSize, 1, salt);
  const frames = found.findLastIndex(({ commits }) => commits) + 1;
  return { salt, frames, commits: undefined, index: undefined, pages: undefined };
}

/** The frames of one run from one on, up to the last or to where another run's are. */
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

/** The page that a frame holds. */
export function pageOfFrame(file: OpenFile, number: number, pageSize: number): Buffer {
  return readAt(file.fd, frameAt(number, pageSize) + FRAME_HEADER_BYTES, pageSize);
}

/** Whether a commit is written that the wal-index does not tell yet, in the run that it knows or in the next one. */
export function commitIsComing(file: OpenFile, pageSize: number, state: WalState | undefined): boolean {
  if (state !== undefined && readAt(file.fd, 16, 8).toString('hex') === state.salt)
    return framesFrom(file, pageSize, state.frames + 1, state.salt).some(({ commits }) => commits);
  return (scanWal(file, pageSize)?.frames ?? 0) > 0;
}

function frameAt(number: number, pageSize: number): number {
  return WAL_HEADER_BYTES + (number - 1) * (FRAME_HEADER_BYTES + pageSize);
}
