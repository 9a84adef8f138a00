/** The pages that a b-tree page points to: its children, and first overflow pages. */
export interface Pointers {
  readonly below: readonly number[];
  readonly overflow: readonly number[];
}

/** The location of a cell's payload. */
export interface Payload {
  /** bytes of the whole payload */
  readonly size: number;
  /** its offset in the page, and the bytes stored there */
  readonly at: number;
  readonly local: number;
  /** first overflow page, 0 if none */
  readonly next: number;
}

const kinds = { indexInterior: 2, tableInterior: 5, indexLeaf: 10, tableLeaf: 13 } as const;

/**
 * Returns the pages that a page points to; none if it is not a b-tree page. Source:
 * https://sqlite.org/fileformat2.html#b_tree_pages
 */
export function pointersOf(page: Buffer, number: number, usable: number): Pointers {
  const start = number === 1 ? 100 : 0;
  const kind = page[start];
  const below: number[] = [];
  const overflow: number[] = [];
  if (kind === kinds.indexInterior || kind === kinds.tableInterior) {
    for (const at of cellsOf(page, start, 12)) below.push(page.readUInt32BE(at));
    below.push(page.readUInt32BE(start + 8));
  }
  if (kind !== kinds.tableInterior)
    for (const { next } of payloadsOf(page, number, usable)) if (next !== 0) overflow.push(next);
  return { below, overflow };
}

/** Returns the payloads of a page in order. */
export function payloadsOf(page: Buffer, number: number, usable: number): Payload[] {
  const start = number === 1 ? 100 : 0;
  const kind = page[start];
  if (kind === kinds.tableLeaf)
    return cellsOf(page, start, 8).flatMap((at) => payloadAt(page, at, usable, true));
  if (kind === kinds.indexLeaf)
    return cellsOf(page, start, 8).flatMap((at) => payloadAt(page, at, usable, false));
  if (kind === kinds.indexInterior)
    return cellsOf(page, start, 12).flatMap((at) => payloadAt(page, at + 4, usable, false));
  return [];
}

function cellsOf(page: Buffer, start: number, headerBytes: number): number[] {
  const count = page.readUInt16BE(start + 3);
  const cells: number[] = [];
  for (let each = 0; each < count; each++) {
    const place = start + headerBytes + 2 * each;
    if (place + 2 > page.length) break;
    const at = page.readUInt16BE(place);
    if (at + 4 <= page.length) cells.push(at);
  }
  return cells;
}

function payloadAt(page: Buffer, cell: number, usable: number, ofTable: boolean): Payload[] {
  const size = readVarint(page, cell);
  const at = ofTable ? readVarint(page, size.end).end : size.end;
  const most = ofTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size.value <= most) return [{ size: size.value, at, local: size.value, next: 0 }];
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size.value - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  if (at + local + 4 > page.length) return [];
  return [{ size: size.value, at, local, next: page.readUInt32BE(at + local) }];
}

/** Reads a varint of one to nine bytes; values beyond 2^53 are inexact. */
export function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: at + 1 };
  }
  return { value: value * 256 + (bytes[start + 8] ?? 0), end: start + 9 };
}
