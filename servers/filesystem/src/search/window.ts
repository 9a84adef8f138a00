import { fstatSync, readSync } from 'node:fs';
import { countNewlines } from './lines.ts';
import { Utf16Reader, utf16Order } from './utf16.ts';

const FIRST_BUFFER = 128 * 1024;
const MOST_BUFFER = 1024 * 1024;

/** The part of a file that is in memory, as UTF-8; one buffer serves file after file. */
export class FileWindow {
  /** Bytes that the buffer holds, and whether they are the last of the file. */
  length = 0;
  ended = false;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER);
  #fd = -1;
  #wholeReads = false;
  #utf16: Utf16Reader | undefined;
  /** Where in the file the buffer begins. */
  #base = 0;
  /** Up to where lines are counted, and the line that begins or goes on there. */
  #counted = 0;
  #line = 1;

  /** Begins to read a file; with `wholeReads` a short read is its end. */
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

  /** Reads what begins as UTF-16 as that, from its start. */
  decode(): void {
    const order = utf16Order(this.#buffer, this.length);
    if (order === undefined) return;
    this.#utf16 = new Utf16Reader(this.#fd, order === 'big', this.#wholeReads);
    this.length = 0;
    this.fill();
  }

  /** Bytes of the file behind which the search is. */
  get read(): number {
    return this.#utf16?.position ?? this.#base;
  }

  get capacity(): number {
    return this.#buffer.length;
  }

  get canGrow(): boolean {
    return this.#buffer.length < MOST_BUFFER;
  }

  /** Whether the file is larger than this many bytes, before it is decoded. */
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

  /** Reads the rest of the file, as far as the largest buffer goes; true when that is all of it. */
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

  /** Drops what is in front of `keep` and returns where `position` is now. */
  advance(keep: number, position: number): number {
    // what a place in the decoded text is in the file is known to nobody, so its lines are counted now
    if (this.#utf16 !== undefined) this.lineAt(keep);
    this.#buffer.copyWithin(0, keep, this.length);
    this.length -= keep;
    this.#base += keep;
    return position - keep;
  }

  /** The number of the line at `at` in the buffer; what has left the buffer is read again only when a match needs it. */
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
