import { isUtf8 } from 'node:buffer';
import type { GrepQuery } from './grep-query.ts';
import { nameOfByteString } from './names.ts';
import { textOf, unexpected } from './records.ts';

export interface GrepLine {
  readonly path: string;
  readonly line: number;
  /** the byte where the first match begins, counted from 1; undefined in a context line */
  readonly column: number | undefined;
  readonly text: string;
  /** the text is only a part of the line */
  readonly clipped: boolean;
  /** the line is not UTF-8, and is decoded as Latin-1 */
  readonly lossy: boolean;
}

/** The line between groups of lines. */
const MARK = '--\n';
/** A column and the separator after it, which distinguishes a match from context. */
const COLUMN = 12;
/** Bytes before a match that are kept of a long line. */
const LEAD = 200;

/** A line whose end has not come yet. */
interface Line extends Omit<GrepLine, 'text' | 'clipped' | 'lossy'> {
  readonly from: number;
  kept: string;
  length: number;
}

/** Reads the output of `grepCommand` for the same query as it comes; keeps `most` bytes of a line, around the match. */
export class GrepLineScanner {
  readonly #prefix: string;
  readonly #most: number;
  #rest = '';
  #line: Line | undefined;
  #last = { name: '', line: 0 };

  constructor(query: GrepQuery, most: number = Number.POSITIVE_INFINITY) {
    this.#prefix = prefixOf(query);
    this.#most = most;
  }

  /** Takes the lines that end in this chunk. */
  read(chunk: Buffer): GrepLine[] {
    const bytes = this.#rest + chunk.toString('latin1');
    const lines: GrepLine[] = [];
    let at = 0;
    while (at < bytes.length) {
      if (this.#line === undefined) {
        const begun = this.#begin(bytes, at);
        if (begun === undefined) break;
        at = begun;
      }
      const line = this.#line!;
      const newline = bytes.indexOf('\n', at);
      this.#keep(line, bytes.slice(at, newline === -1 ? bytes.length : newline));
      at = newline === -1 ? bytes.length : newline + 1;
      if (newline === -1) break;
      lines.push(toLine(line));
      this.#line = undefined;
    }
    this.#rest = bytes.slice(at);
    return lines;
  }

  /** Reads the prefix of a line and returns the start of its text; undefined when the prefix is incomplete. */
  #begin(bytes: string, start: number): number | undefined {
    const { name, line } = this.#last;
    // a name may begin like the separator, which stands only where no line follows its neighbour
    const marked =
      line > 0 && bytes.startsWith(MARK, start) && !bytes.startsWith(`${name}\0${line + 1}\0`, start);
    const at = marked ? start + MARK.length : start;
    const nameEnd = bytes.indexOf('\0', at);
    const numberEnd = nameEnd === -1 ? -1 : bytes.indexOf('\0', nameEnd + 1);
    if (numberEnd === -1) return undefined;
    const head = bytes.slice(numberEnd + 1, numberEnd + 1 + COLUMN);
    if (head.length < COLUMN && !head.includes('\n')) return undefined;
    this.#last = { name: bytes.slice(at, nameEnd), line: Number(bytes.slice(nameEnd + 1, numberEnd)) };
    if (!Number.isInteger(this.#last.line) || !this.#last.name.startsWith(this.#prefix)) {
      throw unexpected('line of grep');
    }
    const digits = /^(\d+)\0/.exec(head)?.[1];
    const column = digits === undefined ? undefined : Number(digits);
    const early = column === undefined || column <= this.#most - LEAD;
    this.#line = {
      path: nameOfByteString(this.#last.name.slice(this.#prefix.length)),
      line: this.#last.line,
      column,
      from: early ? 0 : Math.max(0, column - 1 - LEAD),
      kept: '',
      length: 0,
    };
    return numberEnd + 1 + (digits === undefined ? 0 : digits.length + 1);
  }

  #keep(line: Line, bytes: string): void {
    const skipped = Math.max(0, line.from - line.length);
    line.length += bytes.length;
    const room = this.#most - line.kept.length;
    if (room > 0 && skipped < bytes.length) line.kept += bytes.slice(skipped, skipped + room);
  }
}

function toLine({ path, line, column, from, kept, length }: Line): GrepLine {
  const clipped = kept.length < length;
  const whole = clipped ? withoutHalves(kept, from > 0, from + kept.length < length) : kept;
  const lossy = !isUtf8(Buffer.from(whole, 'latin1'));
  return { path, line, column, text: textOf(lossy ? kept : whole), clipped, lossy };
}

/** Returns a range of bytes without partial characters at its ends. */
function withoutHalves(bytes: string, atStart: boolean, atEnd: boolean): string {
  const start = atStart ? /^[\x80-\xbf]{0,3}/.exec(bytes)![0].length : 0;
  const half = atEnd
    ? /(?:[\xc0-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf7][\x80-\xbf]{0,2})$/.exec(bytes)
    : null;
  return bytes.slice(start, half?.index);
}

export interface GrepFile {
  readonly path: string;
  /** lines that match, where they were counted */
  readonly count: number | undefined;
}

/** Reads the output of `grepFilesCommand` or `grepCountsCommand` for the same query as it comes. */
export class GrepFileScanner {
  readonly #prefix: string;
  readonly #record: RegExp;
  #rest = '';

  constructor(query: GrepQuery, kind: 'files' | 'counts') {
    this.#prefix = prefixOf(query);
    this.#record = kind === 'files' ? /([^\0]+)\0/gy : /([^\0]+)\0(\d+)\n/gy;
  }

  read(chunk: Buffer): GrepFile[] {
    const text = chunk.toString('latin1');
    // a long name comes in many chunks
    if (!text.includes('\0')) {
      this.#rest += text;
      return [];
    }
    const bytes = this.#rest + text;
    let end = 0;
    const files = [...bytes.matchAll(this.#record)].map(([record, name, count]): GrepFile => {
      end += record.length;
      if (!name!.startsWith(this.#prefix)) throw unexpected('file of grep');
      return {
        path: nameOfByteString(name!.slice(this.#prefix.length)),
        count: count === undefined ? undefined : Number(count),
      };
    });
    this.#rest = bytes.slice(end);
    return files;
  }
}

/** names in a tree have the tree before them */
function prefixOf({ in: where }: GrepQuery): string {
  return where === 'worktree' || where === 'untracked' || where === 'index' ? '' : `${where}:`;
}
