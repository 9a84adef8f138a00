import { fstatSync, readSync } from 'node:fs';
import { countNewlines } from './lines.ts';
import { Utf16Reader, utf16Order } from './utf16.ts';

const FIRST_BUFFER = 128 * 1024;
const MOST_BUFFER = 1024 * 1024;

/** The part of a file that is in memory, as UTF-8; the buffer is reused for each file. */
export class FileWindow {
  /** Number of bytes in the buffer, and whether the file ends with them. */
  length = 0;
  ended = false;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER);
  #fd = -1;
  #wholeReads = false;
  #utf16: Utf16Reader | undefined;
  /** Offset of the buffer in the file. */
  #base = 0;
  /** Offset up to which lines are counted, and the number of the line there. */
  #counted = 0;
  #line = 1;

  /** Opens a file; with `wholeReads` a short read is its end. */
  open(fd: number, wholeReads: boolean): void {
    this.length = 0;
    this.#fd = fd;
    this.#wholeReads = wholeReads;
    this.#utf16 = undefined;
    this.#base = 0;
    this.#counted = 0;
    this.#line = 1;
    this.fill();
  }

  get isUtf16(): boolean {
    return utf16Order(this.#buffer, this.length) !== undefined;
  }

  /** Reads the file again as UTF-16 if it begins with its byte order mark. */
  decode(): void {
    const order = utf16Order(this.#buffer, this.length);
    if (order === undefined) return;
    this.#utf16 = new Utf16Reader(this.#fd, order === 'big', this.#wholeReads);
    this.length = 0;
    this.fill();
  }

  /** Number of bytes of the file that were searched. */
  get read(): number {
    return this.#utf16?.position ?? this.#base;
  }

  get capacity(): number {
    return this.#buffer.length;
  }

  get canGrow(): boolean {
    return this.#buffer.length < MOST_BUFFER;
  }

  /** Returns whether the file is larger than this many bytes, before decoding. */
  exceeds(most: number): boolean {
    if (this.length > most) return true;
    return !this.ended && most !== Number.POSITIVE_INFINITY && fstatSync(this.#fd).size > most;
  }

  bytes(end: number): Buffer {
    return this.#buffer.subarray(0, end);
  }

  /** Reads until the buffer is full or the file ends. */
  fill(): void {
    if (this.#utf16 !== undefined) {
      this.length = this.#utf16.fill(this.#buffer, this.length);
      this.ended = this.#utf16.ended;
      return;
    }
    this.ended = false;
    while (this.length < this.#buffer.length) {
      const space = this.#buffer.length - this.length;
      const read = readSync(this.#fd, this.#buffer, this.length, space, null);
      this.length += read;
      this.ended = read === 0 || (this.#wholeReads && read < space);
      if (this.ended) return;
    }
  }

  /** Reads the rest of the file up to the largest buffer; returns whether it is complete. */
  fillWhole(): boolean {
    while (!this.ended && this.canGrow) {
      this.grow();
      this.fill();
    }
    return this.ended;
  }

  grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.#buffer.length * 2);
    this.#buffer.copy(larger, 0, 0, this.length);
    this.#buffer = larger;
  }

  /** Drops the bytes before `keep`; returns the new offset of `position`. */
  advance(keep: number, position: number): number {
    // decoded text cannot be mapped back to offsets in the file, so its lines are counted now
    if (this.#utf16 !== undefined) this.lineAt(keep);
    this.#buffer.copyWithin(0, keep, this.length);
    this.length -= keep;
    this.#base += keep;
    return position - keep;
  }

  /** Returns the number of the line at `at` in the buffer; dropped bytes are read again only if a match needs them. */
  lineAt(at: number): number {
    const scratch = this.#counted < this.#base ? Buffer.allocUnsafeSlow(FIRST_BUFFER) : this.#buffer;
    while (this.#counted < this.#base) {
      const most = Math.min(scratch.length, this.#base - this.#counted);
      const length = readSync(this.#fd, scratch, 0, most, this.#counted);
      if (length === 0) break;
      this.#line += countNewlines(scratch, 0, length);
      this.#counted += length;
    }
    this.#line += countNewlines(this.#buffer, Math.max(0, this.#counted - this.#base), at);
    this.#counted = this.#base + at;
    return this.#line;
  }
}
