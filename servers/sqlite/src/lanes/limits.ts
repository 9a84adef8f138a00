import { readFileSync } from 'node:fs';

/** Resource limits of a lane. */
export interface LaneLimits {
  /** most memory, bytes */
  readonly memoryBytes: number;
  /** largest file that it may write, temporary files and databases, bytes */
  readonly fileBytes: number;
  /** whether the lane checks its own memory, since the system has no limit */
  readonly watchMemory: boolean;
  /** default time limit of a call, ms */
  readonly deadlineMs: number;
  /** how long to wait for locks of other programs, ms */
  readonly busyMs: number;
}

export const usualLimits: LaneLimits = {
  memoryBytes: 192 << 20,
  fileBytes: 8 * 2 ** 30,
  // on other systems the limit of the data segment does not include mapped memory
  watchMemory: process.platform !== 'linux',
  deadlineMs: 30_000,
  busyMs: 2_000,
};

/** Rounding of V8's code reservation, bytes. */
const CODE_ROUNDING = 16 << 20;
/** Threads with a code reservation: the main thread and the watchdog. */
const THREADS = 2;
let reserved: number | undefined;

/**
 * Returns the address space that V8 reserves for code in a lane, bytes. From Node 24 on it is writable and counts
 * against the limit of the data segment, although hardly any of it is used.
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
