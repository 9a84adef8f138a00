import { RpcError } from '../jsonrpc/errors.ts';
import { errors } from '../protocol/errors.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError } from './errors.ts';

/** The maximum number of pages of a list, for a server whose list never ends. */
const MOST_PAGES = 10_000;

/** Reads the page at a cursor. */
export type ReadPage<P extends t.PaginatedResult> = (cursor: string | undefined) => Promise<P>;

/**
 * Reads all pages of a list. If the server no longer knows a cursor, reads the list again from the start,
 * once, after calling `forget`.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export async function readPages<P extends t.PaginatedResult>(
  method: string,
  read: ReadPage<P>,
  forget: () => void,
): Promise<P[]> {
  const pages: P[] = [];
  let seen = new Set<string>();
  let begun = 1;
  let cursor: string | undefined;
  for (;;) {
    if (pages.length >= MOST_PAGES)
      throw new AnswerError(`${method} has more than ${MOST_PAGES} pages; read it page by page with request`);
    let page: P;
    try {
      page = await read(cursor);
    } catch (error) {
      if (cursor === undefined || begun > 1 || !isInvalidParams(error)) throw error;
      begun += 1;
      forget();
      pages.length = 0;
      seen = new Set();
      cursor = undefined;
      continue;
    }
    pages.push(page);
    cursor = page.nextCursor;
    // only an absent cursor ends a list
    if (cursor === undefined) return pages;
    if (seen.has(cursor))
      throw new AnswerError(`${method} returned the same cursor twice, so the list would never end`);
    seen.add(cursor);
  }
}

function isInvalidParams(error: unknown): boolean {
  return error instanceof RpcError && error.code === errors.InvalidParams.code;
}
