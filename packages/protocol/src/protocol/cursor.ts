import { rpcError } from './errors.ts';

/** One page of a list and the cursor of the next. */
export interface Page<T> {
  items: readonly T[];
  nextCursor?: string;
}

/**
 * Returns the page of `items` at a cursor. Cursors are opaque; a cursor that this server did not issue for
 * this list is rejected with InvalidParams.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export function pageOf<T>(list: string, items: readonly T[], cursor: unknown, pageSize: number): Page<T> {
  const start = cursor === undefined ? 0 : decodeCursor(list, cursor, items.length);
  const end = start + pageSize;
  if (start === 0 && end >= items.length) return { items };
  const page = items.slice(start, end);
  return end < items.length ? { items: page, nextCursor: encodeCursor(list, end) } : { items: page };
}

function encodeCursor(list: string, offset: number): string {
  const text = `${list}:${offset}`;
  return Buffer.from(`${text}:${checksum(text)}`).toString('base64url');
}

function decodeCursor(list: string, cursor: unknown, length: number): number {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const position = Number(text.split(':')[1]);
  // comparing with the encoded position accepts one spelling of a cursor only
  if (!Number.isSafeInteger(position) || position > length || cursor !== encodeCursor(list, position)) {
    throw rpcError('InvalidParams', `cursor is not one that ${list} returned; start again without it`);
  }
  return position;
}

/** FNV-1a: recognises cursors of other servers. It is no authentication; the page is checked on every request. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(36);
}
