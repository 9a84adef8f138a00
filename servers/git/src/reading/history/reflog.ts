import { ToolError } from '@rootbound/protocol';
import { readHead } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import { parseReflog, type ReflogEntry, reflogCommand } from '../../porcelain/reflog.ts';
import { refName } from '../../run/operand.ts';

/** The next entry, by its content and its number. */
export type ReflogPlace = readonly [position: number, commit: string, time: number];

/** Moves of the ref between two pages that are followed. */
const MOST_MOVES = 1_000;

/**
 * Reads a page of a reflog, from the newest entry or from a position; each new move increases the position's number.
 */
export async function readReflog(
  opened: Opened,
  ref: string,
  limit: number,
  place?: ReflogPlace,
): Promise<{ entries: ReflogEntry[]; placeOf(kept: number): ReflogPlace | undefined }> {
  const name = refName(ref);
  // nothing has moved it yet, and git would call it unknown
  if (await isUnborn(opened, ref)) return { entries: [], placeOf: () => undefined };
  await opened.resolve(ref);
  const read = async (skip: number, count: number): Promise<ReflogEntry[]> => {
    const options = { skip, limit: count };
    const { stdout } = await opened.run(reflogCommand(name, options));
    return parseReflog(stdout, options).entries;
  };
  let entries = await read(place?.[0] ?? 0, limit + 1);
  if (place !== undefined && !isAt(place, entries[0])) {
    const later = await read(place[0], MOST_MOVES + limit + 1);
    const moved = later.findIndex((entry) => isAt(place, entry));
    if (moved === -1) throw changed();
    entries = later.slice(moved, moved + limit + 1);
  }
  return {
    entries,
    placeOf: (kept) => {
      const next = entries[kept];
      return next && [next.position, next.commit, next.time];
    },
  };
}

async function isUnborn({ objects, repository }: Opened, ref: string): Promise<boolean> {
  const isHead = ref === 'HEAD' || ref === readHead(repository).branch;
  return isHead && (await objects.info('HEAD')) === undefined;
}

function isAt([, commit, time]: ReflogPlace, entry: ReflogEntry | undefined): boolean {
  return entry?.commit === commit && entry.time === time;
}

export function isReflogPlace(value: unknown): value is ReflogPlace {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [position, commit, time] = value as unknown[];
  return (
    Number.isSafeInteger(position) &&
    Number(position) >= 0 &&
    typeof commit === 'string' &&
    typeof time === 'number'
  );
}

function changed(): ToolError {
  return new ToolError('the reflog is no longer what the cursor continues', {
    code: 'changed',
    hint: 'start again without cursor',
  });
}
