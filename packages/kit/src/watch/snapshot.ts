import { type BigIntStats, lstat, lstatSync } from 'node:fs';

/** The facts of a path that the hub remembers: enough to see that it was replaced or changed. */
export interface Snapshot {
  readonly kind: 'file' | 'directory' | 'other';
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** the wall clock when this was read, in milliseconds */
  readonly takenAt: number;
}

/**
 * Returns the facts of `path` now, without following a link in its last part; undefined when it does not exist.
 * Watching is by path: it opens and reads nothing, and its subscribers go through the boundary.
 */
export function takeSnapshot(path: string): Snapshot | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && snapshotOf(stats);
  } catch {
    // a directory on the way that may not be searched, a name that is too long: counts as missing
    return undefined;
  }
}

/** Does the same beside the event loop, for a file system that may be slow. */
export function awaitSnapshot(path: string): Promise<Snapshot | undefined> {
  return new Promise((resolve) => {
    lstat(path, { bigint: true }, (error, stats) => resolve(error === null ? snapshotOf(stats) : undefined));
  });
}

function snapshotOf(stats: BigIntStats): Snapshot {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
  return { kind, dev, ino, size, mtimeNs, ctimeNs, takenAt: Date.now() };
}

/** Returns whether there is a directory. */
export function isDirectory(seen: Snapshot | undefined): seen is Snapshot {
  return seen?.kind === 'directory';
}

/** Returns whether both are the same file or directory, whatever its content. */
export function isSameNode(a: Snapshot, b: Snapshot): boolean {
  return a.ino === b.ino && a.dev === b.dev;
}

/** Returns whether all facts are equal. */
export function isUnchanged(a: Snapshot | undefined, b: Snapshot | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return hasSameContentStamps(a, b) && a.ctimeNs === b.ctimeNs;
}

/** Returns whether all facts that change with the content are equal: mode, owner and links may differ. */
export function hasSameContentStamps(a: Snapshot, b: Snapshot): boolean {
  return isSameNode(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

const TICK_MS = 20;
const COARSE_TICK_MS = 2_000;

/**
 * Returns whether a change after `snapshot` could leave its timestamps unchanged: file systems stamp by the clock tick
 * (10 ms on older kernels, seconds on some media), and a snapshot younger than that proves nothing.
 */
export function mayHideChange({ ctimeNs, takenAt }: Snapshot): boolean {
  return isYoung(ctimeNs, takenAt);
}

/** Returns the same for a change of the content alone. */
export function mayHideContent({ mtimeNs, takenAt }: Snapshot): boolean {
  return isYoung(mtimeNs, takenAt);
}

function isYoung(stampNs: bigint, takenAt: number): boolean {
  const tick = stampNs % 1_000_000_000n === 0n ? COARSE_TICK_MS : TICK_MS;
  return takenAt - Number(stampNs / 1_000_000n) < tick;
}

const BLOCK = 4096n;

/**
 * Returns whether `now` may be a moment during a save: deleted, or cut to whole blocks. Editors move the old file away
 * before they write the new one, or empty it and write it again, in blocks.
 */
export function mayBeHalfSaved(before: Snapshot | undefined, now: Snapshot | undefined): boolean {
  if (before === undefined) return false;
  if (now === undefined) return true;
  return before.kind === 'file' && now.kind === 'file' && now.size < before.size && now.size % BLOCK === 0n;
}
