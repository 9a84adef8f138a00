import { type Entry, isStagingName, type OpenDirectory, type Scope } from '@rootbound/kit/boundary';
import { displayPath } from '../search/display.ts';
import { isAscii, toBytes, toText } from '../search/order.ts';

/*
 * Names inside listings are byte strings, one character per byte. A byte string can represent any name of the system,
 * and comparing two compares their bytes.
 */

/** A name in a result. If it is not UTF-8, `name` has escapes and `bytes` is the name in base64. */
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

/** Returns a byte string in the form that `node:fs` accepts. */
export function systemName(bytes: string): string | Buffer {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1');
}

/** Returns the name of an entry as a byte string. */
export function byteName(entry: Entry): string {
  return entry.bytes === undefined ? toBytes(entry.name) : entry.bytes.toString('latin1');
}

/** Returns a test for names, as byte strings, that a listing of the directory omits: denied ones and temporary files. */
export function hiddenIn(scope: Scope, folder: OpenDirectory): (name: string) => boolean {
  const isDenied = scope.hiddenIn(folder.path);
  // the prefix alone rules out nearly every name at a tenth of the cost
  return (name) => (name.startsWith('.rootbound-') && isStagingName(name)) || isDenied(toText(name));
}
