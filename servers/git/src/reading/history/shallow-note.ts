import type { Opened } from '../../call/open-repository.ts';
import { DEEPEN } from '../../repository/unknown.ts';
import type { Oid } from '../../run/oid.ts';

/** Ends that one note names at most. */
const MOST_NAMED = 3;

/** Returns the commits of a result at which a shallow clone ends. */
export function endsAmong({ objects }: Opened, commits: Iterable<Oid>): Oid[] {
  const ends = objects.ends();
  return ends === undefined || ends.size === 0 ? [] : [...commits].filter((oid) => ends.has(oid));
}

/** Returns a line for a result that reaches the end of a shallow clone; none for another result. */
export function shallowLines(ends: readonly string[] = []): string[] {
  if (ends.length === 0) return [];
  const named = ends.slice(0, MOST_NAMED).map((oid) => oid.slice(0, 12));
  const more = ends.length > MOST_NAMED ? ' and others' : '';
  return [`[this clone is shallow: its history ends at ${named.join(', ')}${more}; ${DEEPEN}]`];
}
