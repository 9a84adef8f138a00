import type { Document } from './document.ts';
import type { Sliced } from './slices.ts';

/** A byte range that differs between two documents; the ends are excluded. */
export interface Region {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

const CHUNK = 256 * 1024;

/** Returns the ranges in which a document differs from the file whose pieces it contains. */
export function* findRegions(old: Document, now: Document): Sliced<Region[]> {
  const regions: Region[] = [];
  for (const region of changedRegions(old, now)) {
    const trimmed = yield* trim(old, now, region);
    if (trimmed.oldStart < trimmed.oldEnd || trimmed.newStart < trimmed.newEnd) regions.push(trimmed);
    yield;
  }
  return regions;
}

/** Yields the ranges between the pieces that were kept. */
function* changedRegions(old: Document, now: Document): Generator<Region> {
  let oldStart = 0;
  let newStart = 0;
  let at = 0;
  for (const { bytes, from } of now.pieces) {
    if (from >= 0) {
      if (oldStart < from || newStart < at) yield { oldStart, oldEnd: from, newStart, newEnd: at };
      oldStart = from + bytes.length;
      newStart = at + bytes.length;
    }
    at += bytes.length;
  }
  if (oldStart < old.length || newStart < at) yield { oldStart, oldEnd: old.length, newStart, newEnd: at };
}

function* trim(old: Document, now: Document, region: Region): Sliced<Region> {
  const most = Math.min(region.oldEnd - region.oldStart, region.newEnd - region.newStart);
  const lead = yield* equalBytes(most, (from, to) => [
    old.read(region.oldStart + from, region.oldStart + to),
    now.read(region.newStart + from, region.newStart + to),
  ]);
  const trail = yield* equalBytes(
    most - lead,
    (from, to) => [
      old.read(region.oldEnd - to, region.oldEnd - from),
      now.read(region.newEnd - to, region.newEnd - from),
    ],
    true,
  );
  return {
    oldStart: region.oldStart + lead,
    oldEnd: region.oldEnd - trail,
    newStart: region.newStart + lead,
    newEnd: region.newEnd - trail,
  };
}

function* equalBytes(
  most: number,
  read: (from: number, to: number) => readonly [Buffer, Buffer],
  backwards = false,
): Sliced<number> {
  for (let from = 0; from < most; from += CHUNK) {
    if (from > 0) yield;
    const [a, b] = read(from, Math.min(most, from + CHUNK));
    if (a.equals(b)) continue;
    for (let at = 0; ; at++) {
      const index = backwards ? a.length - 1 - at : at;
      if (a[index] !== b[index]) return from + at;
    }
  }
  return most;
}
