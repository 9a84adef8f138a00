import { type BigIntStats, lstatSync } from 'node:fs';

/** What the hub remembers of a path: enough to see that it is another thing, or the same thing changed. */
export interface Snapshot {
  readonly directory: boolean;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** the wall clock when this was read, in milliseconds */
  readonly takenAt: number;
}

/**
 * What `path` names now, without following a link in its last part; undefined when there is nothing to see.
 * Watching is by path by nature: this is the only file system call of the folder, it opens and reads nothing,
 * and whoever is called back goes through the boundary again.
 */
export function takeSnapshot(path: string): Snapshot | undefined {
  const stats = lstatOrNothing(path);
  if (stats === undefined) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return { directory: stats.isDirectory(), dev, ino, size, mtimeNs, ctimeNs, takenAt: Date.now() };
}

function lstatOrNothing(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // a directory on the way that may not be searched, a name that is too long: not visible is not there
    return undefined;
  }
}

/** Whether both are the same file or directory, whatever is in it. */
export function isSameNode(a: Snapshot, b: Snapshot): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Whether nothing tells the two apart. */
export function isUnchanged(a: Snapshot | undefined, b: Snapshot | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isSameNode(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

const TICK_MS = 20;
const COARSE_TICK_MS = 2_000;

/**
 * Whether a change made after `snapshot` was taken could leave its stamps as they are: file systems stamp by the
 * clock tick (10 ms on older kernels, seconds on some media), and a snapshot younger than that proves nothing.
 */
export function mayHideChange(snapshot: Snapshot): boolean {
  const tick = snapshot.ctimeNs % 1_000_000_000n === 0n ? COARSE_TICK_MS : TICK_MS;
  return snapshot.takenAt - Number(snapshot.ctimeNs / 1_000_000n) < tick;
}
