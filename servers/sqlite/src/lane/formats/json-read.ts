import { defined } from '@rootbound/kit/primitives';
import { LaneError } from '../../shared/error.ts';
import { parseExact } from './json-exact.ts';
import type { Pull } from './text.ts';
import { linesIn, TextWindow } from './window.ts';

export interface JsonRecord {
  /** line of its beginning, from 1 */
  readonly line: number;
  readonly value: unknown;
  readonly problem?: string;
}

/** Yields the values of a JSON array. */
export function* readJsonArray(pull: Pull<string>): Generator<JsonRecord> {
  const window = new TextWindow(pull);
  let at = 0;
  let line = 1;
  let counted = 0;
  /** the parser expects: the array, a value or its end, a comma or the end, nothing */
  let state: 'before' | 'first' | 'next' | 'after' = 'before';
  for (;;) {
    const begin = skipSpace(window.text, at);
    const { text, ended } = window;
    line += linesIn(text, counted, begin);
    counted = begin;
    const end = begin < text.length && state !== 'before' ? valueEnd(text, begin, ended) : begin;
    if (begin === text.length || end === -1) {
      if (ended && state === 'after') return;
      if (ended) throw malformed(line, 'the array is not closed');
      window.advance(begin, line - window.line);
      at = 0;
      counted = 0;
      continue;
    }
    const mark = text[begin]!;
    if (state === 'before') {
      if (mark !== '[')
        throw malformed(
          line,
          'the file is not a JSON array',
          'if it has one value on each line, set format to ndjson',
        );
      state = 'first';
      at = begin + 1;
    } else if (state === 'after') throw malformed(line, 'unexpected content after the array');
    else if (mark === ']') {
      state = 'after';
      at = begin + 1;
    } else if (state === 'next' && mark === ',') {
      at = begin + 1;
      state = 'first';
    } else {
      if (state === 'next') throw malformed(line, 'a comma is missing');
      yield recordOf(text.slice(begin, end), line);
      state = 'next';
      at = end;
    }
  }
}

/** Yields the values of a file with one value per line; empty lines are skipped. */
export function* readJsonLines(pull: Pull<string>): Generator<JsonRecord> {
  const window = new TextWindow(pull);
  let at = 0;
  for (let line = 1; ; ) {
    const { text, ended } = window;
    const newline = text.indexOf('\n', at);
    if (newline === -1 && !ended) {
      window.advance(at, line - window.line);
      at = 0;
      continue;
    }
    const end = newline === -1 ? text.length : newline;
    const content = text.slice(at, end).trim();
    if (content !== '') yield lineRecord(content, line);
    if (newline === -1) return;
    at = newline + 1;
    line += 1;
  }
}

function lineRecord(content: string, line: number): JsonRecord {
  try {
    return withProblem(line, content, parseExact(content));
  } catch {
    return { line, value: undefined, problem: 'not JSON' };
  }
}

function recordOf(text: string, line: number): JsonRecord {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch (cause) {
    throw malformed(line, 'not JSON', undefined, cause);
  }
  return withProblem(line, text, value);
}

function withProblem(line: number, text: string, value: unknown): JsonRecord {
  const twice = repeatedName(text, value);
  return twice === undefined
    ? { line, value }
    : { line, value, problem: `two members have the name ${twice}` };
}

const structure = /["{}[\],]/g;

/** Returns the end of the value that begins here; -1 if it may be incomplete. */
function valueEnd(text: string, from: number, ended: boolean): number {
  if (text[from] === ']' || text[from] === ',') return from + 1;
  let depth = 0;
  structure.lastIndex = from;
  for (let found = structure.exec(text); found !== null; found = structure.exec(text)) {
    const { index } = found;
    switch (text.charAt(index)) {
      case '"': {
        const close = stringEnd(text, index);
        if (close === -1) return -1;
        structure.lastIndex = close;
        if (depth === 0) return close;
        break;
      }
      case '{':
      case '[':
        depth += 1;
        break;
      case ',':
        if (depth === 0) return index;
        break;
      default:
        if (depth === 0) return index;
        depth -= 1;
        if (depth === 0) return index + 1;
    }
  }
  return ended ? text.length : -1;
}

function stringEnd(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return -1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at += 1;
  return at;
}

function malformed(line: number, what: string, hint?: string, cause?: unknown): LaneError {
  return new LaneError(`line ${line}: ${what}`, {
    code: 'malformed',
    ...defined({ hint, cause }),
  });
}

/** Matches strings, with the colon after a member's name, and brackets. */
const pieces = /("(?:[^"\\]|\\.)*"?)(\s*:)?|[{}[\]]/g;

/** Matches a colon that is separated from its name by space. */
const spaced = /"\s+:/;

/** Returns a name that occurs twice in an object, of which a parser would keep only the last value. */
function repeatedName(text: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (endsOfNames(text) === Object.keys(value).length && !spaced.test(text)) return undefined;
  const names = new Set<string>();
  let depth = 0;
  for (const [piece, string, colon] of text.matchAll(pieces)) {
    if (piece === '{' || piece === '[') depth += 1;
    else if (piece === '}' || piece === ']') depth -= 1;
    else if (depth === 1 && string !== undefined && colon !== undefined) {
      const name = JSON.parse(string) as string; // the text has been parsed before
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

/** Returns how often `":` occurs: at least the number of names without space after them. */
function endsOfNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) count += 1;
  return count;
}
