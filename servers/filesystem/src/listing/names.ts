import { type Entry, isStagingName, type OpenDirectory, type Scope } from '@rootbound/kit/boundary';
import { displayPath } from '../search/display.ts';
import { isAscii, toBytes, toText } from '../search/order.ts';

/*
 * Names inside listings are byte strings: one character per byte. They hold any name the system can hold, and
 * comparing them compares bytes.
 */

/** A name as results carry it; `bytes` only where it is not UTF-8, and `name` then shows escapes. */
export interface DisplayName {
  name: string;
  bytes?: string;
}

export function displayName(bytes: string): DisplayName {
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

/** The test for names, as byte strings, that a listing of this directory leaves out: what is denied, and ours for writing. */
export function hiddenIn(scope: Scope, folder: OpenDirectory): (name: string) => boolean {
  const isDenied = scope.hiddenIn(folder.path);
  // the prefix decides for nearly every name at a tenth of the cost
  return (name) => (name.startsWith('.rootbound-') && isStagingName(name)) || isDenied(toText(name));
}
