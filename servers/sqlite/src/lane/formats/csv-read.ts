import { undoubled } from './doubled.ts';
import type { Pull } from './text.ts';
import { linesIn, TextWindow } from './window.ts';

/** One record of CSV, which may span several lines of the file. */
export interface CsvRecord {
  /** where it begins, from 1 */
  readonly line: number;
  /** undefined for an empty field without quotes */
  readonly fields: readonly (string | undefined)[];
  /** why the record cannot be used */
  readonly problem?: string;
}

/** The problem of a record whose quote is not closed before the end of the file. */
export const NEVER_CLOSED = 'a quote is never closed';

interface Scanned {
  readonly fields: (string | undefined)[];
  readonly end: number;
  problem?: string;
}

/**
 * Yields the records of RFC 4180. Lines may end in CRLF, LF or CR; a quote in a field that does not begin with one is
 * part of its text. A wrongly quoted field makes its record a problem, and reading continues in the next line.
 */
export function* readCsv(pull: Pull<string>, delimiter = ','): Generator<CsvRecord> {
  const window = new TextWindow(pull);
  let at = 0;
  let line = 1;
  for (;;) {
    const { text, ended } = window;
    const record = at < text.length ? scan(text, at, ended, delimiter) : undefined;
    if (record !== undefined) {
      const { fields, problem } = record;
      yield problem === undefined ? { line, fields } : { line, fields, problem };
      line += linesOf(text, at, record.end);
      at = record.end;
    } else if (ended) return;
    else {
      window.advance(at, line - window.line);
      at = 0;
    }
  }
}

/** Returns the number of lines of a record. */
function linesOf(text: string, from: number, to: number): number {
  // a record that ends in CR alone counts as one line
  const lines = linesIn(text, from, to);
  return lines === 0 ? 1 : lines;
}

const QUOTE = 34;
const CR = 13;
const LF = 10;

/** Returns the record that begins here; undefined if it may be incomplete. */
function scan(text: string, from: number, ended: boolean, delimiter: string): Scanned | undefined {
  const fields: (string | undefined)[] = [];
  const separator = delimiter.charCodeAt(0);
  const { length } = text;
  for (let at = from; ; at += 1) {
    let end: number;
    if (text.charCodeAt(at) === QUOTE) {
      end = closingQuote(text, at);
      if (end === -1 || (end + 1 === length && !ended)) {
        if (!ended) return undefined;
        if (end === -1) return { fields, end: length, problem: NEVER_CLOSED };
      }
      const value = text.slice(at + 1, end);
      fields.push(undoubled(value, '"'));
      end += 1;
      if (end < length && !endsField(text.charCodeAt(end), separator)) {
        const next = lineEnd(text, end, ended);
        return next === -1 ? undefined : { fields, end: next, problem: 'text follows a closing quote' };
      }
    } else {
      end = at;
      while (end < length && !endsField(text.charCodeAt(end), separator)) end += 1;
      fields.push(end === at ? undefined : text.slice(at, end));
    }
    if (end === length) return ended ? { fields, end } : undefined;
    if (text.charCodeAt(end) !== separator) {
      const next = lineEnd(text, end, ended);
      return next === -1 ? undefined : { fields, end: next };
    }
    at = end;
  }
}

function endsField(code: number, separator: number): boolean {
  return code === separator || code === LF || code === CR;
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1 || text.charCodeAt(at + 1) !== QUOTE) return at;
  }
}

/** Returns the start of the next line; -1 if not known yet. */
function lineEnd(text: string, from: number, ended: boolean): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== LF && text.charCodeAt(at) !== CR) at += 1;
  if (at === text.length) return ended ? at : -1;
  if (text.charCodeAt(at) === LF) return at + 1;
  if (at + 1 === text.length) return ended ? at + 1 : -1;
  return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
}
