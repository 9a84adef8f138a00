import { columnOf, countNewlines, lineEnd, lineStart, linesAfter, linesBefore, lineText } from './lines.ts';
import type { Matcher } from './matcher.ts';
import { COUNT, READ_UNIT } from './messages.ts';
import type { LineMatch } from './outcome.ts';
import type { ContentJob } from './query.ts';
import { FileWindow } from './window.ts';

const BINARY_SNIFF = 8192;
const NEWLINE = 10;

/** The matches in one file. */
export interface FileHits {
  count: number;
  lines: LineMatch[];
}

interface FileState extends FileHits {
  /** The last line of an earlier page, and the number of lines that may be added. */
  readonly seenLine: number;
  readonly room: number;
  /** Matching lines listed in this or an earlier page. */
  listed: number;
  finished: boolean;
}

/** Searches files one after another through one buffer, one window of whole lines at a time. */
export class Scanner {
  readonly #job: ContentJob;
  readonly #matcher: Matcher;
  readonly #counts: Int32Array;
  readonly #halted: () => boolean;
  readonly #window = new FileWindow();

  constructor(job: ContentJob, matcher: Matcher, counts: Int32Array, halted: () => boolean) {
    this.#job = job;
    this.#matcher = matcher;
    this.#counts = counts;
    this.#halted = halted;
  }

  /** Opens a file; with `wholeReads` a short read is its end. */
  open(fd: number, wholeReads: boolean): void {
    this.#window.open(fd, wholeReads);
  }

  /** Returns whether the file is a short text without a match, and counts it then. */
  misses(): boolean {
    const window = this.#window;
    if (!window.ended || window.isUtf16 || window.length > this.#job.maxFileBytes) return false;
    const bytes = window.bytes(window.length);
    if (isBinary(bytes) || this.#matches(bytes)) return false;
    this.#counts[COUNT.filesSearched]!++;
    return true;
  }

  #matches(bytes: Buffer): boolean {
    const start = textStart(bytes);
    if (this.#job.multiline) return this.#matcher.span?.(bytes, start) !== undefined;
    return this.#matcher.mayMatch(bytes.subarray(start)) && this.#matcher.find(bytes, start) !== -1;
  }

  /** Finds up to `room` matching lines after `seenLine`; undefined if there are none or the file is skipped. */
  scan({ seenLine, room }: { seenLine: number; room: number }): FileHits | undefined {
    const window = this.#window;
    if (window.exceeds(this.#job.maxFileBytes)) return this.#skip(COUNT.filesSkippedLarge);
    window.decode();
    const head = window.bytes(window.length);
    if (isBinary(head)) return this.#skip(COUNT.filesSkippedBinary);
    if (this.#job.multiline && !window.fillWhole()) return this.#skip(COUNT.filesSkippedLarge);
    this.#counts[COUNT.filesSearched]!++;
    const start = textStart(head);
    const file: FileState = { seenLine, room, count: 0, lines: [], listed: 0, finished: false };
    if (this.#job.multiline) this.#searchSpans(file, start);
    else if (this.#window.ended) this.#search(file, start, this.#window.length);
    else this.#searchWindows(file, start);
    return file.count > 0 ? file : undefined;
  }

  #skip(counter: number): undefined {
    this.#counts[counter]!++;
  }

  #searchSpans(file: FileState, from: number): void {
    const bytes = this.#window.bytes(this.#window.length);
    // many matches that each scan the rest of the file take long together
    for (let at = from; at < bytes.length && !file.finished && !this.#halted(); ) {
      const span = this.#matcher.span?.(bytes, at);
      if (span === undefined) return;
      // a match that ends in a line break does not include the next line
      const end = lineEnd(bytes, Math.max(span.start, span.end - 1));
      this.#hit(file, Math.max(from, lineStart(bytes, span.start)), end, span.start);
      at = end + 1;
    }
  }

  #searchWindows(file: FileState, from: number): void {
    let start = from;
    while (!file.finished && !this.#halted()) {
      // the buffer may be full at the end of the file
      if (this.#window.ended && start === this.#window.length) return;
      const end = this.#windowEnd(start);
      if (end > start) {
        this.#search(file, start, end);
        if (this.#window.ended) return;
        start = this.#advance(this.#contextStart(end), end);
      } else if (this.#window.canGrow) {
        this.#window.grow();
      } else {
        start = this.#searchLongLine(file, start);
      }
      this.#window.fill();
    }
  }

  /** Returns the end of the lines whose following context is in the buffer. */
  #windowEnd(start: number): number {
    if (this.#window.ended) return this.#window.length;
    const bytes = this.#window.bytes(this.#window.length);
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    let end = whole;
    for (let lines = this.#job.contextLines; lines > 0 && end > start; lines--)
      end = lineStart(bytes, end - 1);
    // context longer than the largest buffer is cut
    return end > start || this.#window.canGrow ? end : whole;
  }

  #contextStart(end: number): number {
    const bytes = this.#window.bytes(end);
    let start = end;
    for (let lines = this.#job.contextLines; lines > 0 && start > 0; lines--)
      start = lineStart(bytes, start - 1);
    return end - start > this.#window.capacity / 2 ? end : start;
  }

  /** Searches a line longer than the buffer in pieces; returns the start of the next line in the buffer. */
  #searchLongLine(file: FileState, from: number): number {
    this.#counts[COUNT.linesSplit]!++;
    const found = file.count;
    let start = from;
    for (;;) {
      const newline = this.#window.bytes(this.#window.length).indexOf(NEWLINE, start);
      const end = newline === -1 ? this.#window.length : newline;
      if (file.count === found) this.#search(file, start, end);
      if (newline !== -1) return newline + 1;
      if (this.#window.ended || file.finished || this.#halted()) return this.#window.length;
      const overlap = Math.min(this.#matcher.overlap, this.#window.length - start);
      start = this.#advance(this.#window.length - overlap, this.#window.length - overlap);
      this.#window.fill();
    }
  }

  #search(file: FileState, start: number, end: number): void {
    const bytes = this.#window.bytes(end);
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
    const line = this.#window.lineAt(start);
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
    const bytes = this.#window.bytes(this.#window.length);
    const { text, clipped } = lineText(bytes, start, end, match);
    const found: LineMatch = { line, column: columnOf(bytes, start, match), text };
    const breaks = this.#job.multiline ? countNewlines(bytes, start, end) : 0;
    if (breaks > 0) found.endLine = line + breaks;
    if (clipped) found.clipped = true;
    if (this.#job.contextLines === 0) return found;
    found.before = linesBefore(bytes, start, this.#job.contextLines);
    found.after = linesAfter(bytes, end, this.#job.contextLines);
    return found;
  }

  /** Drops the bytes before `keep`; returns the new offset of `position`. */
  #advance(keep: number, position: number): number {
    const now = this.#window.advance(keep, position);
    this.#counts[COUNT.read] = this.#window.read / READ_UNIT;
    return now;
  }
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, BINARY_SNIFF).includes(0);
}

/** Returns the offset after a UTF-8 byte order mark. */
function textStart(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
