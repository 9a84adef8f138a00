import type { Sliced } from '../edit/slices.ts';
import type { Table } from './table.ts';

const PIECE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Decodes a file to UTF-8 in pieces that end at a line end. */
export function* decodeByTable(bytes: Buffer, table: Table): Sliced<Buffer> {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf(NEWLINE, at + PIECE_BYTES);
    const end = line < 0 ? bytes.length : line + 1;
    parts.push(Buffer.from(table.decode(bytes.subarray(at, end))));
    at = end;
    yield;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
