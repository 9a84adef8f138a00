import type { Json } from './cursor.ts';
import { counted, fit, moreNote, openPosition, sealPosition } from './page.ts';

/** A list that is read anew for each of its pages. */
export interface Listing<T> {
  readonly tool: string;
  /** the list and its arguments */
  readonly query: Json;
  readonly cursor: string | undefined;
  readonly items: readonly T[];
  /** the key of an item, stable while others appear and vanish; it stands in cursors, so it contains no secret */
  readonly keyOf: (item: T) => string;
  /** whether `items` is complete, default yes */
  readonly whole?: boolean;
  /** the word for one of them, and for many */
  readonly words: readonly [one: string, many: string];
  readonly maxOutput: number;
  /** items of one page at most, default as many as fit */
  readonly most?: number;
}

/** The members of every page about the rest. */
export interface Rest {
  /** undefined: more than were read */
  readonly total?: number | undefined;
  readonly truncated: boolean;
  readonly next_cursor?: string | undefined;
}

/** The key of a page's last item, and its index. */
type Position = readonly [key: string, index: number];

/** Returns the start of the page: after the last item of the page before, or at its index if it is deleted. */
export function startOf<T>({ tool, query, cursor, items, keyOf }: Listing<T>): number {
  if (cursor === undefined) return 0;
  const [key, index] = openPosition(tool, query, cursor, isPosition);
  const isIt = (item: T | undefined): boolean => item !== undefined && keyOf(item) === key;
  const found = isIt(items[index]) ? index : items.findIndex(isIt);
  return found === -1 ? Math.min(index, items.length) : found + 1;
}

/** Returns the halves of one page: as many items as fit, and the members about the rest. */
export function pageOf<T, S extends object>(
  listing: Listing<T>,
  toStructured: (displayPath: readonly T[], rest: Rest) => S,
  toLines: (structured: S) => readonly string[],
): { structured: S; content: string } {
  const { items, keyOf, whole = true, maxOutput, most = items.length } = listing;
  const start = startOf(listing);
  const { halves } = fit(Math.min(most, items.length - start), maxOutput, (kept) => {
    const end = start + kept;
    const more = end < items.length;
    const rest: Rest = {
      ...(whole && { total: items.length }),
      truncated: more || !whole,
      ...(more && {
        next_cursor: sealPosition(listing.tool, listing.query, [keyOf(items[end - 1]!), end - 1]),
      }),
    };
    const structured = toStructured(items.slice(start, end), rest);
    const lines = [...toLines(structured)];
    if (rest.truncated) lines.push(noteOf(kept, listing, rest));
    return { structured, text: lines.join('\n') };
  });
  return { structured: halves.structured, content: halves.text };
}

function noteOf<T>(kept: number, { words }: Listing<T>, { total, next_cursor }: Rest): string {
  return moreNote(`${counted(kept, ...words)} of ${total ?? 'more than were looked at'}`, next_cursor);
}

function isPosition(value: unknown): value is Position {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    Number.isSafeInteger(value[1]) &&
    value[1] >= 0
  );
}
