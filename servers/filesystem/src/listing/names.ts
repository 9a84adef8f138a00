import type { Entry } from '@rootbound/kit/boundary';
import { displayPath } from '../search/display.ts';
import { isAscii, toBytes, toText } from '../search/order.ts';

/*
 * Names inside listings are byte strings: one character per byte. They hold any name the system can hold, and
 * comparing them compares bytes.
 */

/** A name as results carry it; `bytes` only where it is not UTF-8, and `name` then shows escapes. */
export interface ShownName {
  name: string;
  bytes?: string;
}

export function shownName(bytes: string): ShownName {
  if (isAscii(bytes)) return { name: bytes };
  const name = toText(bytes);
  if (toBytes(name) === bytes) return { name };
  return { name: displayPath(bytes), bytes: Buffer.from(bytes, 'latin1').toString('base64') };
}

/** What `child` takes for a byte string. */
export function systemName(bytes: string): string | Buffer {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1');
}

/** The byte string of an entry's name. */
export function byteName(entry: Entry): string {
  return entry.bytes === undefined ? toBytes(entry.name) : entry.bytes.toString('latin1');
}
