import { yieldToEventLoop } from '@rootbound/kit/primitives';

const NEWLINE = 0x0a;
const LEAST_WIDTH = 6;
const LINES_IN_ONE_GO = 4096;

/** Returns the width of line numbers up to this one. */
export function widthOf(lastLine: number): number {
  return Math.max(LEAST_WIDTH, String(lastLine).length);
}

/** Returns the size of a line number in JSON: its digits and an escaped tab. */
export function numberBytes(width: number): number {
  return width + 2;
}

/** Returns the text with a number and a tab before each line, like cat -n. */
export async function numbered(text: Buffer, startLine: number, width: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let line = startLine;
  for (let at = 0; at < text.length; line++) {
    const end = text.indexOf(NEWLINE, at) + 1 || text.length;
    parts.push(Buffer.from(`${String(line).padStart(width)}\t`), text.subarray(at, end));
    at = end;
    if (line % LINES_IN_ONE_GO === 0) await yieldToEventLoop();
  }
  return Buffer.concat(parts);
}
