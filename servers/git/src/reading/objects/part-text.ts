import { counted, jsonBytes } from '@rootbound/kit/budget';
import type { BytesPart, TextPart } from './part.ts';

/** Returns the note that follows a part of a file; nothing where the text is the whole file. */
export function partNote(
  { start, end, total, lossy, next }: TextPart,
  cursor: string | undefined,
): string | undefined {
  if (total === 0) return '[the file is empty]';
  const whole = start === 1 && end === total && next === undefined;
  if (whole && !lossy) return undefined;
  const of = total === undefined ? '' : ` of ${total}`;
  const notes = [end < start ? `no lines from line ${start}${of}` : `lines ${start}-${end}${of}`];
  if (lossy) notes.push('not all of it is text in its encoding');
  if (cursor !== undefined) notes.push(`cut at the size limit; continue with cursor ${cursor}`);
  return `[${notes.join('; ')}]`;
}

export function bytesNote({ from, base64 }: BytesPart, size: number, cursor: string | undefined): string {
  const end = from + Buffer.byteLength(base64, 'base64');
  const more = cursor === undefined ? '' : `; continue with cursor ${cursor}`;
  return `[base64 of bytes ${from}-${end} of ${counted(size, 'byte', 'bytes')}${more}]`;
}

/** Returns each line with its number and a tab in front. */
export function numbered({ text, start }: TextPart): string {
  if (text === '') return '';
  const lines = text.split('\n');
  const open = lines.at(-1) === '' ? lines.pop() : undefined;
  const numbered = lines.map((line, index) => `${String(start + index).padStart(6)}\t${line}`).join('\n');
  return open === undefined ? numbered : `${numbered}\n`;
}

/** Shrinks a part so that its text half fits: line numbers may need more room than the text alone. */
export function fitted(
  parts: (room: number) => TextPart,
  room: number,
  say: (part: TextPart) => string,
): TextPart {
  for (let tried = room; ; ) {
    const part = parts(tried);
    const bytes = jsonBytes(say(part));
    if (bytes <= room + 2 || tried <= LEAST_ROOM) return part;
    tried = Math.max(LEAST_ROOM, Math.min(tried - 1, Math.floor((tried * room) / bytes)));
  }
}

/** some text is always returned, however small the limit */
export const LEAST_ROOM = 64;
