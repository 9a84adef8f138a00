import { isAscii, isUtf8 } from 'node:buffer';
import { byteOrderMark, type Encoding, isBinary } from '@rootbound/kit/media';
import type { Units } from './lines.ts';

/** The encoding of a file, and the values that depend on it. */
export interface Source {
  readonly encoding: Encoding;
  /** length of the byte order mark, in bytes */
  readonly base: number;
  /** size of a code unit, in bytes */
  readonly unit: 1 | 2;
  /** LF as a code unit read in the machine's byte order */
  readonly newline: number;
}

const NEWLINE = 10;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Returns the source for the caller's encoding, or else the byte order mark, or else UTF-8; undefined for a binary file. */
export function sourceOf(start: Buffer, wanted: Encoding | undefined): Source | undefined {
  const mark = byteOrderMark(start);
  const encoding = wanted ?? mark?.encoding ?? 'utf-8';
  const base = mark?.encoding === encoding ? mark.bytes : 0;
  if (encoding === 'utf-8' || encoding === 'latin1')
    return isBinary(start) ? undefined : { encoding, base, unit: 1, newline: NEWLINE };
  const asMemory = (encoding === 'utf-16le') === isLittleEndian;
  return { encoding, base, unit: 2, newline: asMemory ? NEWLINE : NEWLINE << 8 };
}

/** Returns bytes of a file as its code units. */
export function unitsOf(bytes: Buffer, { unit }: Source): Units {
  return unit === 1 ? bytes : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
}

/** Converts complete characters of a file to UTF-8; invalid bytes become U+FFFD. */
export function toUtf8(bytes: Buffer, { encoding }: Source): Buffer {
  switch (encoding) {
    case 'utf-8':
      return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8'));
    case 'latin1':
      return isAscii(bytes) ? bytes : Buffer.from(bytes.toString('latin1'));
    case 'utf-16le':
      return Buffer.from(bytes.toString('utf16le'));
    case 'utf-16be':
      return Buffer.from(Buffer.from(bytes).swap16().toString('utf16le'));
  }
}

/** Returns the length of a text in the file, in bytes; correct for UTF-8 only if all bytes were valid. */
export function bytesBehind(text: Buffer, { encoding, unit }: Source): number {
  return encoding === 'utf-8' ? text.length : text.toString('utf8').length * unit;
}

/** Returns the start of the character at an offset. */
export function characterStart(bytes: Buffer, at: number, { encoding }: Source): number {
  if (at <= 0 || at >= bytes.length || encoding === 'latin1') return at;
  if (encoding === 'utf-8') {
    for (let start = at; start >= 0 && start > at - 4; start--)
      if ((bytes[start]! & 0xc0) !== 0x80) return start;
    // not UTF-8: any offset is a boundary
    return at;
  }
  const high = encoding === 'utf-16le' ? 1 : 0;
  const isPair = (bytes[at - 2 + high]! & 0xfc) === 0xd8 && (bytes[at + high]! & 0xfc) === 0xdc;
  return isPair ? at - 2 : at;
}
