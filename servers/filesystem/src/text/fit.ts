import { clipText } from '@rootbound/kit/budget';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { Utf8Text } from '@rootbound/protocol';
import { bytesBehind, characterStart, type Source, toUtf8, unitsOf } from './source.ts';

/** A part of a file that fits: its text in UTF-8, and which of the bytes it stands for. */
export interface Fitted {
  utf8: Buffer;
  from: number;
  to: number;
}

export interface FitDemand {
  /** most bytes of the text inside a JSON string */
  room: number;
  /** whether the end is wanted, not the start */
  fromEnd: boolean;
  /** what each line costs besides its text */
  perLine: number;
}

const NEWLINE = 0x0a;
/** At most this much is turned into text at once; in UTF-8 it is not longer than what is escaped at once. */
const SLICE_BYTES = 64 * 1024;
const SLICES_IN_ONE_GO = 16;

/** As much of a file's bytes as fits, cut at a line where that keeps at least half. */
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

/** The next slice in the direction of reading, between two characters. */
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

/** What a text costs inside a JSON string, with its lines. */
function costOf(text: Buffer, perLine: number): number {
  const written = new Utf8Text(text);
  return written.jsonBytes - 2 + written.newlines * perLine;
}

interface Part {
  text: Buffer;
  /** bytes of the file that it stands for */
  kept: number;
}

/** As much of the start as fits; bytes that are no text take more room than they have. */
function clipStart(slice: Buffer, source: Source, room: number, perLine: number): Part {
  const text = toUtf8(slice, source);
  // invalid bytes do not say which of them a part of the text stands for
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

/** As much of the end as fits, from the start of a line where that keeps at least half. */
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

/** Cuts what was kept at a line, where that leaves at least half; a line end is one in the file and in the text. */
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
