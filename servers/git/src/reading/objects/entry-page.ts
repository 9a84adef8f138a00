import type { Entries, Entry } from './entry.ts';

/** Entries with the positions after them. */
export interface EntriesPage<Position> {
  readonly entries: readonly Entry[];
  /** the position after this number of entries; undefined at the end */
  after(kept: number): Position | undefined;
}

/** Reads as many entries as are wanted and looks at one more, so that the end is known. */
export async function pageOf<Position>(
  source: Entries<Position>,
  most: number,
): Promise<EntriesPage<Position>> {
  const start = source.position;
  const entries: Entry[] = [];
  const positions: (Position | undefined)[] = [start];
  try {
    while (entries.length <= most) {
      const entry = await source.next();
      if (entry === undefined) {
        positions[entries.length] = source.position;
        break;
      }
      entries.push(entry);
      positions.push(source.position);
    }
  } finally {
    source.close();
  }
  return { entries: entries.slice(0, most), after: (kept) => positions[kept] };
}
