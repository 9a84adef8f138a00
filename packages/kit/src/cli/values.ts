import { formatBytes, parseBytes } from '../budget/bytes.ts';
import { nearest } from './nearest.ts';
import type { OptionRow } from './options.ts';
import { Problem, quote } from './problem.ts';

export type Value = boolean | number | string | readonly string[];

/** Parses a row's text to a value of the type of the row's kind. */
export function readValue(row: OptionRow, text: string): Value {
  switch (row.kind) {
    case 'choice':
      return readChoice(row, text);
    case 'size':
      return inRange(row, text, parseBytes(text));
    case 'number':
      return inRange(row, text, /^\d{1,15}$/.test(text) ? Number(text) : undefined);
    case 'list':
      return splitList(row, text);
    case 'flag':
      throw new Problem(`--${row.name} takes no value; leave out ${quote(`=${text}`)}`);
    case 'text':
    case 'path':
    case 'root':
      return nonEmpty(row, text);
    case 'paths':
      return [nonEmpty(row, text)];
  }
}

/** Returns the value of a row that was not given. */
export function absentValue(row: OptionRow): Value | undefined {
  if (row.kind === 'flag') return false;
  return row.kind === 'list' || row.kind === 'paths' || row.kind === 'root' ? [] : undefined;
}

/** Returns the description of a row's value for a problem. */
export function wanted(row: OptionRow): string {
  if (row.kind === 'choice') return `one of ${(row.choices ?? []).join(', ')}`;
  const noun = NOUNS[row.kind];
  if (row.example !== undefined) return `${noun} such as ${row.example}`;
  return row.kind === 'list' ? `${noun} separated by commas` : noun;
}

const NOUNS: Record<OptionRow['kind'], string> = {
  flag: 'no value',
  text: 'a value',
  list: 'names',
  choice: 'a word',
  size: 'a size',
  number: 'a whole number',
  path: 'a path',
  paths: 'a path',
  root: 'a path',
};

function nonEmpty(row: OptionRow, text: string): string {
  if (text === '') throw new Problem(`--${row.name} wants ${wanted(row)}, got ""`);
  return text;
}

function readChoice(row: OptionRow, text: string): string {
  const choices = row.choices ?? [];
  if (choices.includes(text)) return text;
  const meant = nearest(text, choices);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new Problem(`--${row.name} wants ${wanted(row)}, got ${quote(text)}${hint}`);
}

function inRange(row: OptionRow, text: string, value: number | undefined): number {
  if (value === undefined) throw new Problem(`--${row.name} wants ${wanted(row)}, got ${quote(text)}`);
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = row;
  if (value >= min && value <= max) return value;
  const say = row.kind === 'size' ? formatBytes : String;
  const bound = value < min ? `at least ${say(min)}` : `at most ${say(max)}`;
  throw new Problem(`--${row.name} must be ${bound}, got ${quote(text)}`);
}

function splitList(row: OptionRow, text: string): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0) throw new Problem(`--${row.name} wants ${wanted(row)}, got ${quote(text)}`);
  const misfit = items.find((item) => row.fits?.(item) === false);
  if (misfit !== undefined) throw new Problem(`--${row.name} wants ${wanted(row)}, got ${quote(misfit)}`);
  return items;
}
