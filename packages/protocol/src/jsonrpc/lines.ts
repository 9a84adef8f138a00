import { isUtf8 } from 'node:buffer';
import { ChunkBuffer } from './chunk-buffer.ts';

const NEWLINE = 10;
const BYTE_ORDER_MARK = 0xfeff;
/** The maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

export interface LineSink {
  /** one line without its line end, decoded; never empty */
  line(text: string): void;
  /** a line was dropped: it is longer than the limit, or not valid UTF-8 */
  fault(reason: 'too-long' | 'not-utf8'): void;
}

/**
 * Splits a byte stream into lines of UTF-8 text. A line ends with LF or CRLF, a byte order mark at the start
 * of the stream is removed, and a line over `limit` bytes is reported once and skipped.
 */
export class LineReader {
  readonly #sink: LineSink;
  readonly #limit: number;
  readonly #pending = new ChunkBuffer();
  #skipping = false;
  #first = true;

  constructor(sink: LineSink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#hold(chunk);
      return;
    }
    let start = 0;
    if (this.#skipping || this.#pending.length > 0) {
      const end = chunk.indexOf(NEWLINE);
      this.#hold(chunk.subarray(0, end));
      this.#flush();
      start = end + 1;
    }
    if (start <= last) this.#lines(chunk, start, last);
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(last + 1));
  }

  /** Emits the bytes after the last newline as a line. */
  end(): void {
    this.#flush();
  }

  #hold(bytes: Buffer): void {
    if (this.#skipping) return;
    // the carriage return of a line end is not counted
    if (this.#pending.length + bytes.length <= this.#limit + 1) {
      this.#pending.add(bytes);
      return;
    }
    this.#pending.clear();
    this.#skipping = true;
    this.#first = false;
    this.#sink.fault('too-long');
  }

  #flush(): void {
    const skipped = this.#skipping;
    this.#skipping = false;
    if (skipped || this.#pending.length === 0) return;
    const line = this.#pending.take();
    this.#lines(line, 0, line.length);
  }

  /**
   * Emits the complete lines between two offsets. One decode for all of them is several times faster than one
   * per line.
   */
  #lines(chunk: Buffer, from: number, to: number): void {
    const text = chunk.toString('utf8', from, to);
    if (text.includes('�') && !isUtf8(chunk.subarray(from, to))) {
      this.#checkedLines(chunk, from, to);
      return;
    }
    let start = 0;
    for (;;) {
      const end = text.indexOf('\n', start);
      if (end < 0) break;
      this.#emit(text.slice(start, end));
      start = end + 1;
    }
    this.#emit(start === 0 ? text : text.slice(start));
  }

  #checkedLines(chunk: Buffer, from: number, to: number): void {
    let start = from;
    while (start <= to) {
      const found = chunk.indexOf(NEWLINE, start);
      const end = found < 0 || found > to ? to : found;
      const line = chunk.subarray(start, end);
      if (isUtf8(line)) this.#emit(line.toString('utf8'));
      else {
        this.#first = false;
        this.#sink.fault('not-utf8');
      }
      start = end + 1;
    }
  }

  #emit(raw: string): void {
    let line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const long = line.length * BYTES_PER_UNIT > this.#limit && Buffer.byteLength(line) > this.#limit;
    if (this.#first) {
      this.#first = false;
      if (line.charCodeAt(0) === BYTE_ORDER_MARK) line = line.slice(1);
    }
    if (long) this.#sink.fault('too-long');
    else if (line.trim() !== '') this.#sink.line(line);
  }
}
