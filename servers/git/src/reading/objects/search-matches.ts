import type { GrepLine } from '../../porcelain/grep-scan.ts';
import { bytesOfName } from '../../porcelain/names.ts';

/** The last match of a page: its path, its line, and how many of its file were listed so far. */
export type SearchPosition = readonly [path: string, line: number, listed: number];

/** A matching line, with context lines that no earlier match has. */
export interface Match extends GrepLine {
  readonly before: string[];
  readonly after: string[];
  /** its number in the file, with those of earlier pages */
  readonly listed: number;
}

export interface GatherOptions {
  readonly context: number;
  readonly perFile: number;
  readonly after: SearchPosition | undefined;
  /** whether the file is reported */
  readonly admits: (path: string) => boolean;
}

/** Returns whether a path is before another in git's order, or equal to it. */
export function isUpTo(path: string, other: string): boolean {
  return path === other || Buffer.compare(bytesOfName(path), bytesOfName(other)) < 0;
}

/** Makes matches of lines as they come, after the end of an earlier page. */
export class Gatherer {
  readonly matches: Match[] = [];
  /** files with more matches than are listed of one */
  readonly more = new Set<string>();
  /** files that are not reported */
  readonly refused = new Set<string>();
  /** bytes of the texts */
  bytes = 0;
  readonly #options: GatherOptions;
  #path: string | undefined;
  #skips = false;
  #begin = 0;
  #listed = 0;
  #pending: GrepLine[] = [];

  constructor(options: GatherOptions) {
    this.#options = options;
  }

  add(line: GrepLine): void {
    if (line.path !== this.#path) this.#enter(line.path);
    if (this.#skips || line.line <= this.#begin) return;
    if (line.column === undefined) this.#addContext(line);
    else if (this.#listed < this.#options.perFile) this.#addMatch(line);
    else this.more.add(line.path);
  }

  #enter(path: string): void {
    const { after, admits } = this.#options;
    this.#path = path;
    this.#pending = [];
    const [last, line, listed] = after !== undefined && after[0] === path ? after : [undefined, 0, 0];
    this.#begin = line;
    this.#listed = listed;
    this.#skips = after !== undefined && last === undefined && isUpTo(path, after[0]);
    if (this.#skips || admits(path)) return;
    this.#skips = true;
    this.refused.add(path);
  }

  #addContext(line: GrepLine): void {
    if (this.#listed >= this.#options.perFile && this.more.has(line.path)) return;
    const last = this.matches.at(-1);
    const follows =
      last?.path === line.path &&
      line.line === last.line + last.after.length + 1 &&
      last.after.length < this.#options.context;
    if (follows) last.after.push(line.text);
    else this.#pending.push(line);
    this.bytes += line.text.length;
  }

  #addMatch(line: GrepLine): void {
    const near = this.#pending.filter((other) => line.line - other.line <= this.#options.context);
    this.#listed += 1;
    this.matches.push({ ...line, before: near.map(({ text }) => text), after: [], listed: this.#listed });
    this.#pending = [];
    this.bytes += line.text.length;
  }
}
