import { fstatSync, readSync } from 'node:fs';
import { columnOf, countNewlines, lineEnd, lineStart, linesAfter, linesBefore, lineText } from './lines.ts';
import type { Matcher } from './matcher.ts';
import { COUNT } from './messages.ts';
import type { LineMatch } from './outcome.ts';
import type { ContentJob } from './query.ts';

const FIRST_BUFFER = 128 * 1024;
const MOST_BUFFER = 1024 * 1024;
const BINARY_SNIFF = 8192;
const NEWLINE = 10;

/** What one file gave. */
export interface FileHits {
  count: number;
  lines: LineMatch[];
}

interface FileState extends FileHits {
  readonly fd: number;
  /** The last line of an earlier page, and how many lines may still be kept. */
  readonly seenLine: number;
  readonly room: number;
  /** Matching lines listed in this or an earlier page. */
  listed: number;
  /** Where in the file the buffer begins. */
  base: number;
  /** Up to where lines are counted, and the line that begins or goes on there. */
  counted: number;
  line: number;
  finished: boolean;
}

/** Searches files one after the other through one buffer, a window of whole lines at a time. */
export class Scanner {
  readonly #job: ContentJob;
  readonly #matcher: Matcher;
  readonly #counts: Int32Array;
  readonly #halted: () => boolean;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER);
  #length = 0;
  #ended = false;
  #wholeReads = false;

  constructor(job: ContentJob, matcher: Matcher, counts: Int32Array, halted: () => boolean) {
    this.#job = job;
    this.#matcher = matcher;
    this.#counts = counts;
    this.#halted = halted;
  }

  /**
   * The matching lines after `seenLine`, at most `room`; undefined when there are none or the file is not searched.
   * With `wholeReads` a short read is the end of the file.
   */
  scan(fd: number, options: { seenLine: number; room: number; wholeReads: boolean }): FileHits | undefined {
    this.#length = 0;
    this.#wholeReads = options.wholeReads;
    this.#fill(fd);
    if (this.#isLarge(fd)) return this.#skip(COUNT.filesSkippedLarge);
    const head = this.#length > BINARY_SNIFF ? this.#bytes(BINARY_SNIFF) : this.#bytes(this.#length);
    if (head.indexOf(0) !== -1) return this.#skip(COUNT.filesSkippedBinary);
    this.#counts[COUNT.filesSearched]!++;
    const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
    const { seenLine, room } = options;
    const file: FileState = {
      fd,
      seenLine,
      room,
      count: 0,
      lines: [],
      listed: 0,
      base: 0,
      counted: 0,
      line: 1,
      finished: false,
    };
    if (this.#ended) this.#search(file, start, this.#length);
    else this.#searchWindows(file, start);
    return file.count > 0 ? file : undefined;
  }

  #skip(counter: number): undefined {
    this.#counts[counter]!++;
  }

  #isLarge(fd: number): boolean {
    const most = this.#job.maxFileBytes;
    if (this.#length > most) return true;
    return !this.#ended && most !== Number.POSITIVE_INFINITY && fstatSync(fd).size > most;
  }

  #searchWindows(file: FileState, from: number): void {
    let start = from;
    while (!file.finished && !this.#halted()) {
      const end = this.#windowEnd(start);
      if (end > start) {
        this.#search(file, start, end);
        if (this.#ended) return;
        start = this.#advance(file, this.#contextStart(end), end);
      } else if (this.#buffer.length < MOST_BUFFER) {
        this.#grow();
      } else {
        start = this.#searchLongLine(file, start);
      }
      this.#fill(file.fd);
    }
  }

  /** Where the lines end that have all their following context in the buffer. */
  #windowEnd(start: number): number {
    if (this.#ended) return this.#length;
    const bytes = this.#bytes(this.#length);
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    let end = whole;
    for (let lines = this.#job.contextLines; lines > 0 && end > start; lines--)
      end = lineStart(bytes, end - 1);
    // context longer than the largest buffer is cut
    return end > start || this.#buffer.length < MOST_BUFFER ? end : whole;
  }

  #contextStart(end: number): number {
    const bytes = this.#bytes(end);
    let start = end;
    for (let lines = this.#job.contextLines; lines > 0 && start > 0; lines--)
      start = lineStart(bytes, start - 1);
    return end - start > this.#buffer.length / 2 ? end : start;
  }

  /** Searches a line that no buffer holds, piece by piece; returns where the next line begins in the buffer. */
  #searchLongLine(file: FileState, from: number): number {
    this.#counts[COUNT.linesSplit]!++;
    const found = file.count;
    let start = from;
    for (;;) {
      const newline = this.#bytes(this.#length).indexOf(NEWLINE, start);
      const end = newline === -1 ? this.#length : newline;
      if (file.count === found) this.#search(file, start, end);
      if (newline !== -1) return newline + 1;
      if (this.#ended || file.finished || this.#halted()) return this.#length;
      const overlap = Math.min(this.#matcher.overlap, this.#length - start);
      start = this.#advance(file, this.#length - overlap, this.#length - overlap);
      this.#fill(file.fd);
    }
  }

  #search(file: FileState, start: number, end: number): void {
    const bytes = this.#bytes(end);
    if (!this.#matcher.mayMatch(start === 0 ? bytes : bytes.subarray(start))) return;
    for (let from = start; from < end && !file.finished; ) {
      const match = this.#matcher.find(bytes, from);
      if (match === -1) return;
      const stop = lineEnd(bytes, match);
      this.#hit(file, Math.max(start, lineStart(bytes, match)), stop, match);
      from = stop + 1;
    }
  }

  #hit(file: FileState, start: number, end: number, match: number): void {
    const { output, perFile } = this.#job;
    if (output !== 'matches') {
      file.count++;
      file.finished = output === 'files';
      return;
    }
    const line = this.#lineAt(file, start);
    if (file.listed === perFile) {
      const last = file.lines.at(-1);
      if (last !== undefined) last.more = true;
      file.finished = true;
      return;
    }
    file.listed++;
    if (line <= file.seenLine) return;
    file.count++;
    file.lines.push(this.#describe(line, start, end, match));
    file.finished = file.count === file.room;
  }

  #describe(line: number, start: number, end: number, match: number): LineMatch {
    const bytes = this.#bytes(this.#length);
    const { text, clipped } = lineText(bytes, start, end, match);
    const found: LineMatch = { line, column: columnOf(bytes, start, match), text };
    if (clipped) found.clipped = true;
    if (this.#job.contextLines === 0) return found;
    found.before = linesBefore(bytes, start, this.#job.contextLines);
    found.after = linesAfter(bytes, end, this.#job.contextLines);
    return found;
  }

  /** The number of the line at `at` in the buffer; what has left the buffer is read again only when a match needs it. */
  #lineAt(file: FileState, at: number): number {
    const scratch = file.counted < file.base ? Buffer.allocUnsafeSlow(FIRST_BUFFER) : this.#buffer;
    while (file.counted < file.base) {
      const length = readSync(
        file.fd,
        scratch,
        0,
        Math.min(scratch.length, file.base - file.counted),
        file.counted,
      );
      if (length === 0) break;
      file.line += countNewlines(scratch, 0, length);
      file.counted += length;
    }
    file.line += countNewlines(this.#buffer, Math.max(0, file.counted - file.base), at);
    file.counted = file.base + at;
    return file.line;
  }

  /** Drops what is in front of `keep` and returns where `position` is now. */
  #advance(file: FileState, keep: number, position: number): number {
    this.#buffer.copyWithin(0, keep, this.#length);
    this.#length -= keep;
    file.base += keep;
    return position - keep;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.#buffer.length * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }

  /** Reads until the buffer is full or the file ends. */
  #fill(fd: number): void {
    this.#ended = false;
    while (this.#length < this.#buffer.length) {
      const space = this.#buffer.length - this.#length;
      const read = readSync(fd, this.#buffer, this.#length, space, null);
      this.#length += read;
      this.#ended = read === 0 || (this.#wholeReads && read < space);
      if (this.#ended) return;
    }
  }

  #bytes(end: number): Buffer {
    return this.#buffer.subarray(0, end);
  }
}
