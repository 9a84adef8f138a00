import { isAscii, isUtf8 } from 'node:buffer';
import { byteOrderMark, type Encoding, isBinary } from '@rootbound/kit/media';
import type { Units } from './lines.ts';

/** How the bytes of one file are its text. */
export interface Source {
  readonly encoding: Encoding;
  /** bytes of the byte order mark */
  readonly base: number;
  /** bytes of the smallest part of a character */
  readonly unit: 1 | 2;
  /** a line end as a unit that lies in memory as it lies in the file */
  readonly newline: number;
}

const NEWLINE = 10;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** How a file is read: as it is told to be, else as its mark says, else as UTF-8; undefined when it is no text. */
export function sourceOf(start: Buffer, wanted: Encoding | undefined): Source | undefined {
  const mark = byteOrderMark(start);
  const encoding = wanted ?? mark?.encoding ?? 'utf-8';
  const base = mark?.encoding === encoding ? mark.bytes : 0;
  if (encoding === 'utf-8' || encoding === 'latin1')
    return isBinary(start) ? undefined : { encoding, base, unit: 1, newline: NEWLINE };
  const asMemory = (encoding === 'utf-16le') === isLittleEndian;
  return { encoding, base, unit: 2, newline: asMemory ? NEWLINE : NEWLINE << 8 };
}

/** Bytes of a file in its units. */
export function unitsOf(bytes: Buffer, { unit }: Source): Units {
  return unit === 1 ? bytes : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
}

/** Whole characters of a file as UTF-8; what is not valid becomes U+FFFD. */
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

/** How many bytes of the file a part of its text stands for; in UTF-8 only where all of it was valid. */
export function bytesBehind(text: Buffer, { encoding, unit }: Source): number {
  return encoding === 'utf-8' ? text.length : text.toString('utf8').length * unit;
}

/** The start of the character that `at` is in, or `at` when one begins there. */
export function characterStart(bytes: Buffer, at: number, { encoding }: Source): number {
  if (at <= 0 || at >= bytes.length || encoding === 'latin1') return at;
  if (encoding === 'utf-8') {
    for (let start = at; start >= 0 && start > at - 4; start--)
      if ((bytes[start]! & 0xc0) !== 0x80) return start;
    // no text: it may be cut anywhere
    return at;
  }
  const high = encoding === 'utf-16le' ? 1 : 0;
  const isPair = (bytes[at - 2 + high]! & 0xfc) === 0xd8 && (bytes[at + high]! & 0xfc) === 0xdc;
  return isPair ? at - 2 : at;
}
