import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Marked } from '../../porcelain/conflict-markers.ts';
import { type ConflictedPath, MARKER_SIZE } from '../../porcelain/conflicts.ts';
import type { Side } from '../../porcelain/resolve.ts';
import { tooLarge } from './resolved-file.ts';

/** Bytes of a version that are searched. */
const MOST_BYTES = 4 << 20;
const sides: readonly Side[] = ['ours', 'theirs', 'base'];

export type Versions = ReadonlyMap<Side, Buffer>;

/** Reads the versions that git merged, as they are stored. */
export async function versionsOf(opened: Opened, conflict: ConflictedPath): Promise<Versions> {
  const versions = new Map<Side, Buffer>();
  for (const side of sides) {
    const stage = conflict[side];
    if (stage === undefined) continue;
    const bytes = (await opened.objects.contents(stage.oid, MOST_BYTES))?.bytes;
    if (bytes === undefined) throw tooLarge(conflict.path);
    versions.set(side, bytes);
  }
  return versions;
}

/** Returns the sides whose last line has no newline. */
export function unendedOf(versions: Versions): ReadonlySet<Side> {
  return new Set(sides.filter((side) => /[^\n]$/.test(lastOf(versions.get(side)))));
}

function lastOf(bytes: Buffer | undefined): string {
  return bytes?.toString('latin1', bytes.length - 1) ?? '';
}

/** Throws where a marker line of the file may be content: a version has the same line. */
export function refuseAmbiguous(
  { regions }: Marked,
  versions: Versions,
  size: number = MARKER_SIZE,
  path: string,
): void {
  const alike = new Set([...versions.values()].flatMap((bytes) => markersOf(bytes, size)));
  if (alike.size === 0) return;
  const found = regions.find(
    (region) => region.kind === 'conflict' && markersOf(region.bytes, size).some((line) => alike.has(line)),
  );
  if (found?.kind !== 'conflict') return;
  throw new ToolError(`lines of ${path} look like the markers of the conflict in line ${found.line}`, {
    code: 'unsupported',
    hint: 'nothing was done; take a side, or give the content',
  });
}

/** Returns the lines that may begin or end a side; between two of them a line of `=` is never ambiguous. */
function markersOf(bytes: Buffer, size: number): string[] {
  const marks = ['<', '|', '>'].map((mark) => mark.repeat(size));
  const lines = bytes.toString('latin1').split('\n');
  return lines.filter((line) => marks.includes(line.slice(0, size))).map((line) => line.replace(/\r$/, ''));
}
