import { rpcError } from './errors.ts';

/** One page of a list and the cursor of the next. */
export interface Page<T> {
  items: readonly T[];
  nextCursor?: string;
}

/**
 * The page of `items` that a cursor names. Cursors are opaque; one that this server did not make for this list
 * is refused with InvalidParams.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export function pageOf<T>(list: string, items: readonly T[], cursor: unknown, pageSize: number): Page<T> {
  const start = cursor === undefined ? 0 : openCursor(list, cursor, items.length);
  const end = start + pageSize;
  if (start === 0 && end >= items.length) return { items };
  const page = items.slice(start, end);
  return end < items.length ? { items: page, nextCursor: sealCursor(list, end) } : { items: page };
}

function sealCursor(list: string, offset: number): string {
  const text = `${list}:${offset}`;
  return Buffer.from(`${text}:${checksum(text)}`).toString('base64url');
}

function openCursor(list: string, cursor: unknown, length: number): number {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const position = Number(text.split(':')[1]);
  // sealing it again leaves one spelling for each
  if (!Number.isSafeInteger(position) || position > length || cursor !== sealCursor(list, position)) {
    throw rpcError('InvalidParams', `cursor is not one that ${list} returned; start again without it`);
  }
  return position;
}

/** FNV-1a: tells cursors of other servers from ours; what a cursor reaches is checked again anyway. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(36);
}
