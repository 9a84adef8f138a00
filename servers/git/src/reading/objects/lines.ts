import type { Blob } from './blob.ts';
import { type Encoding, Recoder } from './encoding.ts';
import { LineCount, LineWindow, type Wanted } from './window.ts';

/** The requested lines of a file as UTF-8, with one more than fits when they go on. */
export interface ReadLines {
  readonly bytes: Buffer;
  /** their byte offset in the text as UTF-8 */
  readonly offset: number;
  /** known when the whole file was read */
  readonly total: number | undefined;
  /** whether bytes were invalid in the encoding, which was not UTF-8 */
  readonly lossy: boolean;
}

/** Reads lines and stops where they end, so that a large file is not read whole. */
export async function readLinesOf(
  blob: Blob,
  encoding: Encoding,
  wanted: Wanted,
  most: number,
): Promise<ReadLines> {
  const window = new LineWindow(wanted, most);
  const count = new LineCount();
  let total: number | undefined;
  const recoder = new Recoder(encoding);
  for await (const text of recoded(blob, recoder)) {
    window.add(text);
    count.add(text);
    // content in memory is counted to its end
    if (window.full && blob.whole === undefined) {
      return { bytes: window.bytes, offset: window.start, total, lossy: recoder.lossy };
    }
  }
  total = count.lines;
  return { bytes: window.bytes, offset: window.start, total, lossy: recoder.lossy };
}

export async function countLines(blob: Blob, encoding: Encoding): Promise<number> {
  const count = new LineCount();
  for await (const text of recoded(blob, new Recoder(encoding))) count.add(text);
  return count.lines;
}

async function* recoded(blob: Blob, recoder: Recoder): AsyncGenerator<Buffer> {
  for await (const chunk of blob.chunks()) yield recoder.read(chunk);
  yield recoder.end();
}
