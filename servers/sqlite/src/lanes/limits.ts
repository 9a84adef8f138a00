import { readFileSync } from 'node:fs';

/** What one lane may take of the machine. */
export interface LaneLimits {
  /** memory of its own, bytes */
  readonly memoryBytes: number;
  /** the largest file that it may write, bytes: spilled sorts, and databases */
  readonly fileBytes: number;
  /** whether the lane looks at its memory itself, since the system does not */
  readonly watchMemory: boolean;
  /** how long one call may run unless it says otherwise, ms */
  readonly deadlineMs: number;
  /** how long to wait for the locks of others, ms */
  readonly busyMs: number;
}

export const usualLimits: LaneLimits = {
  memoryBytes: 192 << 20,
  fileBytes: 8 * 2 ** 30,
  // elsewhere the limit of the data segment does not count what is mapped
  watchMemory: process.platform !== 'linux',
  deadlineMs: 30_000,
  busyMs: 2_000,
};

/** Bytes by which V8 rounds what it reserves for code, at the most. */
const CODE_ROUNDING = 16 << 20;
/** The lane's own code, and that of the thread which looks on. */
const THREADS = 2;
let reserved: number | undefined;

/**
 * Address space that V8 keeps for code in a lane, bytes. From Node 24 on it may be written from the start, and so counts
 * against the limit of the data segment although next to nothing of it is ever used.
 */
export function reservedForCode(): number {
  reserved ??= THREADS * largestCode(readFileSync('/proc/self/maps', 'latin1'));
  return reserved;
}

function largestCode(maps: string): number {
  let largest = 0;
  for (const [, start, end] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) .wx/gm))
    largest = Math.max(largest, Number.parseInt(end!, 16) - Number.parseInt(start!, 16));
  return largest < CODE_ROUNDING ? 0 : Math.ceil(largest / CODE_ROUNDING) * CODE_ROUNDING;
}
