import { isUtf8 } from 'node:buffer';
import { clipText, jsonBytes } from '@rootbound/kit/budget';

export interface PatchText {
  readonly text: string;
  /** bytes of the patch for which it stands */
  readonly bytes: number;
  /** whether some of them are not UTF-8 */
  readonly lossy: boolean;
}

const NEWLINE = 10;

/**
 * Decodes lines: UTF-8, or Latin-1 where a line is not that; each by itself, as every file has an encoding of its own.
 */
export function readLines(bytes: Buffer): PatchText {
  if (isUtf8(bytes)) return { text: bytes.toString(), bytes: bytes.length, lossy: false };
  const text = splitLines(bytes).map((line) => line.toString(isUtf8(line) ? 'utf8' : 'latin1'));
  return { text: text.join(''), bytes: bytes.length, lossy: true };
}

/** Returns the first lines that fit a JSON string of `room` bytes; a longer line is cut. */
export function clipLines(bytes: Buffer, room: number): PatchText {
  // no line becomes shorter by decoding
  const lines = splitLines(bytes.subarray(0, room + 1));
  const texts: string[] = [];
  let left = room;
  let [kept, lossy] = [0, false];
  for (const line of lines) {
    const read = readLines(line);
    left -= jsonBytes(read.text) - 2;
    if (left < 0) break;
    texts.push(read.text);
    kept += line.length;
    lossy ||= read.lossy;
  }
  return kept === 0 ? clipLine(lines[0]!, room) : { text: texts.join(''), bytes: kept, lossy };
}

function clipLine(line: Buffer, room: number): PatchText {
  const { kept } = clipText(line, room, { measure: 'json' });
  if (isUtf8(kept)) return { text: kept.toString(), bytes: kept.length, lossy: false };
  const clip = clipText(kept.toString('latin1'), room, { measure: 'json' });
  return { text: clip.kept, bytes: clip.kept.length, lossy: true };
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at) + 1 || bytes.length;
    lines.push(bytes.subarray(at, end));
    at = end;
  }
  return lines;
}
