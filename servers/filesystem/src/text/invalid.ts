import { isUtf8 } from 'node:buffer';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import type { Invalid } from './read-text.ts';
import { characterStart, type Source } from './source.ts';

const SLICE_BYTES = 64 * 1024;
const SLICES_IN_ONE_GO = 16;

/** Counts the bytes that become U+FFFD; undefined if all are valid. */
export async function invalidIn(bytes: Buffer, source: Source): Promise<Invalid | undefined> {
  if (source.encoding === 'latin1' || (source.encoding === 'utf-8' && isUtf8(bytes))) return undefined;
  const found: Invalid = { bytes: 0, first: -1 };
  let slices = 1;
  for (let at = 0, end: number; at < bytes.length; at = end, slices++) {
    end = characterStart(bytes, Math.min(bytes.length, at + SLICE_BYTES), source);
    const slice = bytes.subarray(at, end);
    if (source.unit === 2) findLone(slice, at, source, found);
    else if (!isUtf8(slice)) findBroken(slice, at, found);
    if (slices % SLICES_IN_ONE_GO === 0) await yieldToEventLoop();
  }
  return found.bytes === 0 ? undefined : found;
}

function note(found: Invalid, at: number, bytes: number): void {
  if (found.bytes === 0) found.first = at;
  found.bytes += bytes;
}

/** Counts lone surrogates, and a last byte that is half a unit. */
function findLone(slice: Buffer, at: number, { encoding }: Source, found: Invalid): void {
  const high = encoding === 'utf-16le' ? 1 : 0;
  const even = slice.length - (slice.length % 2);
  for (let place = 0; place < even; place += 2) {
    const kind = slice[place + high]! & 0xfc;
    if (kind === 0xd8 && place + 2 < even && (slice[place + 2 + high]! & 0xfc) === 0xdc) place += 2;
    else if (kind === 0xd8 || kind === 0xdc) note(found, at + place, 2);
  }
  if (even < slice.length) note(found, at + even, 1);
}

/** Counts invalid sequences as the Unicode standard splits them: each maximal subpart becomes one U+FFFD. */
function findBroken(slice: Buffer, at: number, found: Invalid): void {
  for (let place = 0; place < slice.length; ) {
    const lead = slice[place]!;
    if (lead < 0x80) {
      place += 1;
      continue;
    }
    const more = lead >= 0xf5 || lead < 0xc2 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    let length = 1;
    while (length <= more && continues(lead, length, slice[place + length])) length += 1;
    if (more === 0 || length <= more) note(found, at + place, length);
    place += length;
  }
}

/** Returns whether a byte is valid at this index of a sequence; after some lead bytes the second one has narrower bounds. */
function continues(lead: number, place: number, byte = 0): boolean {
  const least = place > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = place > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return byte >= least && byte <= most;
}
