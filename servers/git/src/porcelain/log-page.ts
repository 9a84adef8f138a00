import { ToolError } from '@rootbound/protocol';
import type { Oid } from '../run/oid.ts';

/** The end of a page of a log. It is valid for the same query with the same tips, whatever was committed since. */
export interface LogCursor {
  readonly last: Oid;
  /** commits on the pages so far */
  readonly seen: number;
}

export interface LogPage {
  readonly limit: number;
  readonly after?: LogCursor | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** undefined where the log ends here */
  readonly next: LogCursor | undefined;
}

/**
 * Returns a page from the output that was printed for it: after the commits that come before it, the last of which the
 * cursor names.
 */
export function cutPage<T extends { readonly oid: Oid }>(
  printed: readonly T[],
  { limit, after }: LogPage,
  before: number,
): Page<T> {
  if (after !== undefined && printed[before - 1]?.oid !== after.last) {
    throw new ToolError('the log cannot continue here: it has changed since this page', {
      code: 'stale-cursor',
      hint: 'ask for it again without a cursor',
    });
  }
  const items = printed.slice(before, before + limit);
  const last = items.at(-1);
  const more = last !== undefined && printed.length > before + limit;
  return { items, next: more ? { last: last.oid, seen: (after?.seen ?? 0) + items.length } : undefined };
}
