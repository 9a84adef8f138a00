import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { codeOf } from './error.ts';
import type { Page, RowFeed } from './values/page.ts';
import type { ResultColumn } from './values/result-column.ts';
import { TextBuffer } from './values/text-buffer.ts';

/** The file for the rest of a result, and its limits. */
export interface SpoolLimits {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly ms: number;
}

/** The description of a spooled result, in a file beside it that is written when the result is complete. */
export interface SpoolFacts {
  readonly columns: readonly ResultColumn[];
  readonly tables: readonly string[];
  readonly rows: number;
  readonly bytes: number;
  /** whether a limit was reached */
  readonly truncated: boolean;
  /** file offset of every row whose number is a multiple of ROWS_APART */
  readonly offsets: readonly number[];
}

const ROWS_APART = 256;
const WRITE_BYTES = 262_144;
const READ_BYTES = 65_536;

export function factsPath(path: string): string {
  return `${path}.facts`;
}

/** Writes rows to a file, one line each, up to a limit: those without a line in the page, then the rest. */
export function spool(
  { withoutLine, overflow }: Pick<Page, 'withoutLine' | 'overflow'>,
  feed: RowFeed,
  limits: SpoolLimits,
  about: Pick<SpoolFacts, 'columns' | 'tables'>,
): void {
  const end = performance.now() + limits.ms;
  const file = openSync(limits.path, 'wx', 0o600);
  const offsets: number[] = [];
  let rows = 0;
  let bytes = 0;
  let row: string | undefined;
  const held = overflow === undefined ? withoutLine : [...withoutLine, overflow];
  const next = (): string | undefined => held[rows] ?? (overflow === undefined ? undefined : feed.next());
  try {
    let text = new TextBuffer();
    for (row = next(); row !== undefined; row = next()) {
      if (
        rows >= limits.rows ||
        bytes >= limits.bytes ||
        (rows % ROWS_APART === 0 && performance.now() > end)
      )
        break;
      if (rows % ROWS_APART === 0) offsets.push(bytes);
      const length = Buffer.byteLength(row) + 1;
      text.add(`${row}\n`, length);
      rows += 1;
      bytes += length;
      if (text.bytes < WRITE_BYTES) continue;
      writeAll(file, text.toBuffer());
      text = new TextBuffer();
    }
    writeAll(file, text.toBuffer());
  } finally {
    closeSync(file);
  }
  const facts: SpoolFacts = { ...about, rows, bytes, truncated: row !== undefined, offsets };
  writeFileSync(factsPath(limits.path), JSON.stringify(facts), { flag: 'wx', mode: 0o600 });
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Reads the description of a spooled result; undefined if it is missing or incomplete. */
export function spoolFacts(path: string): SpoolFacts | undefined {
  try {
    return JSON.parse(readFileSync(factsPath(path), 'utf8')) as SpoolFacts; // written by `spool`
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The rows of a spooled result from a row on. */
export class SpoolFeed implements RowFeed {
  readonly isByKey = false;
  readonly key = undefined;
  readonly keyBefore = undefined;
  readonly #file: number;
  #at: number;
  #lines: string[] = [];
  #next = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(path: string, { offsets }: SpoolFacts, from: number) {
    this.#file = openSync(path, 'r');
    this.#at = offsets[Math.floor(from / ROWS_APART)] ?? Number.MAX_SAFE_INTEGER;
    for (let skipped = 0; skipped < from % ROWS_APART; skipped += 1) this.next();
  }

  next(): string | undefined {
    while (this.#next >= this.#lines.length) if (!this.#read()) return undefined;
    const line = this.#lines[this.#next]!;
    this.#next += 1;
    return line;
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(): boolean {
    const bytes = Buffer.allocUnsafe(READ_BYTES);
    const got =
      this.#at === Number.MAX_SAFE_INTEGER ? 0 : readSync(this.#file, bytes, 0, READ_BYTES, this.#at);
    if (got === 0) return false;
    this.#at += got;
    const all = Buffer.concat([this.#rest, bytes.subarray(0, got)]);
    const end = all.lastIndexOf(0x0a) + 1;
    this.#rest = all.subarray(end);
    this.#lines = end === 0 ? [] : all.toString('utf8', 0, end - 1).split('\n');
    this.#next = 0;
    return true;
  }
}
