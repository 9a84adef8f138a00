import { clipText } from '@rootbound/kit/budget';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { Utf8Text } from '@rootbound/protocol';
import { bytesBehind, characterStart, type Source, toUtf8, unitsOf } from './source.ts';

/** A part of a file that fits: its text in UTF-8, and its byte range in the file. */
export interface Fitted {
  utf8: Buffer;
  from: number;
  to: number;
}

export interface FitDemand {
  /** maximum size of the text in a JSON string, in bytes */
  room: number;
  /** whether to keep the end instead of the start */
  fromEnd: boolean;
  /** bytes that each line takes besides its text */
  perLine: number;
}

const NEWLINE = 0x0a;
/** Bytes that are decoded at once; in UTF-8 no longer than the text that is escaped at once. */
const SLICE_BYTES = 64 * 1024;
const SLICES_IN_ONE_GO = 16;

/** Returns as much of a file's bytes as fits, cut at a line end if that keeps at least half. */
export async function fit(bytes: Buffer, source: Source, demand: FitDemand): Promise<Fitted> {
  const { fromEnd, perLine } = demand;
  const parts: Buffer[] = [];
  let left = demand.room - perLine;
  let done = 0;
  for (let slices = 1; done < bytes.length; slices++) {
    const slice = sliceOf(bytes, source, done, fromEnd);
    const text = toUtf8(slice, source);
    const cost = costOf(text, perLine);
    if (cost > left) {
      const part = fromEnd ? clipEnd(slice, source, left, perLine) : clipStart(slice, source, left, perLine);
      parts.push(part.text);
      return atLine(bytes, source, joined(parts, fromEnd), done + part.kept, fromEnd);
    }
    left -= cost;
    parts.push(text);
    done += slice.length;
    if (slices % SLICES_IN_ONE_GO === 0) await yieldToEventLoop();
  }
  return { utf8: joined(parts, fromEnd), from: 0, to: bytes.length };
}

/** Returns the next slice in the direction of reading; it never cuts a character. */
function sliceOf(bytes: Buffer, source: Source, done: number, fromEnd: boolean): Buffer {
  if (fromEnd) {
    const end = bytes.length - done;
    const start = characterStart(bytes, Math.max(0, end - SLICE_BYTES), source);
    return bytes.subarray(start, end);
  }
  const end = characterStart(bytes, Math.min(bytes.length, done + SLICE_BYTES), source);
  return bytes.subarray(done, end);
}

function joined(parts: Buffer[], fromEnd: boolean): Buffer {
  if (parts.length === 1) return parts[0]!;
  return Buffer.concat(fromEnd ? parts.reverse() : parts);
}

/** Returns the size of a text in a JSON string, with the bytes per line. */
function costOf(text: Buffer, perLine: number): number {
  const written = new Utf8Text(text);
  return written.jsonBytes - 2 + written.newlines * perLine;
}

interface Part {
  text: Buffer;
  /** length of the part in the file, in bytes */
  kept: number;
}

/** Returns as much of the start as fits; invalid bytes grow when they become U+FFFD. */
function clipStart(slice: Buffer, source: Source, room: number, perLine: number): Part {
  const text = toUtf8(slice, source);
  // with invalid bytes the length of the text does not tell the length in the file
  const direct = source.encoding === 'utf-8';
  for (let most = room; ; ) {
    const clipped = clipText(direct ? slice : text, Math.max(0, most), { measure: 'json' }).kept;
    const part = direct ? toUtf8(clipped, source) : clipped;
    const cost = costOf(part, perLine);
    if (cost <= room || clipped.length === 0)
      return { text: part, kept: direct ? clipped.length : bytesBehind(part, source) };
    most = Math.min(most - 1, Math.floor((most * room) / cost));
  }
}

/** Returns as much of the end as fits. */
function clipEnd(slice: Buffer, source: Source, room: number, perLine: number): Part {
  for (let most = Math.min(room * source.unit, slice.length); ; most = Math.floor((most * 7) / 8)) {
    const even = most - (most % source.unit);
    const start = nextCharacter(slice, slice.length - even, source);
    const bytes = slice.subarray(start);
    const text = toUtf8(bytes, source);
    if (costOf(text, perLine) <= room || most <= 0) return { text, kept: bytes.length };
  }
}

function nextCharacter(bytes: Buffer, at: number, source: Source): number {
  const start = characterStart(bytes, at, source);
  if (start === at) return at;
  for (let next = at + source.unit; next < bytes.length; next += source.unit)
    if (characterStart(bytes, next, source) === next) return next;
  return bytes.length;
}

/** Cuts a part at a line end if that keeps at least half; the file and the text have the same line ends. */
function atLine(bytes: Buffer, source: Source, text: Buffer, kept: number, fromEnd: boolean): Fitted {
  const { unit, newline } = source;
  if (fromEnd) {
    const from = bytes.length - kept;
    const line = text.indexOf(NEWLINE) + 1;
    if (from === 0 || line === 0 || line === text.length || text.length - line < line)
      return { utf8: text, from, to: bytes.length };
    const place = unitsOf(bytes.subarray(from), source).indexOf(newline) + 1;
    return { utf8: text.subarray(line), from: from + place * unit, to: bytes.length };
  }
  const end = text.lastIndexOf(NEWLINE) + 1;
  if (end === text.length || end * 2 < text.length) return { utf8: text, from: 0, to: kept };
  const place = unitsOf(bytes.subarray(0, kept), source).lastIndexOf(newline) + 1;
  return { utf8: text.subarray(0, end), from: 0, to: place * unit };
}
