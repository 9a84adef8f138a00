import { LaneError } from '../../shared/error.ts';
import type { ImportPlan } from '../../shared/import-plan.ts';
import { NEVER_CLOSED, readCsv } from '../formats/csv-read.ts';
import { readJsonArray, readJsonLines } from '../formats/json-read.ts';
import type { Pull } from '../formats/text.ts';
import { type Header, headerOf, numberedNames } from './columns.ts';

/** One row of a file, whatever its format. */
export interface Row {
  /** where it begins in the file, from 1 */
  readonly line: number;
  /** the names of its values; the same array as before where they are the same; without, the values are in order */
  readonly keys: readonly string[] | undefined;
  readonly values: readonly unknown[];
  /** why it is no row */
  readonly problem?: string;
}

type Reading = Pick<ImportPlan, 'format' | 'header' | 'delimiter'>;

/** Takes the columns of a file of CSV before its first row. */
export type OnHeader = (header: Header) => void;

/** The rows of a file, read as they are pulled. */
export function readRows(pull: Pull<string>, reading: Reading, onHeader: OnHeader): Generator<Row> {
  const { format, header, delimiter } = reading;
  if (format === 'csv') return csvRows(pull, header, delimiter, onHeader);
  return jsonRows(format === 'json' ? readJsonArray(pull) : readJsonLines(pull));
}

function* csvRows(
  pull: Pull<string>,
  hasHeader: boolean,
  delimiter: string,
  onHeader: OnHeader,
): Generator<Row> {
  let keys: readonly string[] | undefined;
  let width: number | undefined;
  for (const { line, fields, problem } of readCsv(pull, delimiter)) {
    const isEmpty = fields.length === 1 && fields[0] === undefined;
    if (isEmpty && problem === undefined && width !== 1) continue;
    if (hasHeader && keys === undefined) {
      if (problem !== undefined) throw badHeader(line, problem);
      const header = headerOf(fields);
      assertNames(header, line);
      keys = header.names;
      width = keys.length;
      onHeader(header);
      continue;
    }
    if (problem === NEVER_CLOSED)
      throw new LaneError(`line ${line}: ${problem}, and all that follows is within it`, {
        code: 'malformed',
        hint: 'nothing was imported: close the quote, or double it where it is part of the text',
      });
    if (width === undefined && problem === undefined) {
      width = fields.length;
      onHeader({ names: numberedNames(width), renamed: [] });
    }
    const wrong =
      problem ?? (fields.length === width ? undefined : `${fields.length} fields instead of ${width}`);
    const values = fields.map((field) => field ?? null);
    yield wrong === undefined ? { line, keys, values } : { line, keys, values, problem: wrong };
  }
}

function assertNames({ names }: Header, line: number): void {
  if (names.some((name) => name.includes('\0'))) throw badHeader(line, 'a NUL is in a name');
}

function badHeader(line: number, problem: string): LaneError {
  return new LaneError(`line ${line}: ${problem} in the header`, {
    code: 'malformed',
    hint: 'header: false takes the first line for a row',
  });
}

interface Value {
  readonly line: number;
  readonly value: unknown;
  readonly problem?: string;
}

function* jsonRows(records: Iterable<Value>): Generator<Row> {
  let last: readonly string[] = [];
  for (const { line, value, problem } of records) {
    if (problem !== undefined) yield { line, keys: undefined, values: [], problem };
    else if (Array.isArray(value)) yield { line, keys: undefined, values: value };
    else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value);
      if (keys.length !== last.length || keys.some((key, index) => key !== last[index])) last = keys;
      yield { line, keys: last, values: Object.values(value) };
    } else yield { line, keys: undefined, values: [], problem: 'neither an object nor an array' };
  }
}
