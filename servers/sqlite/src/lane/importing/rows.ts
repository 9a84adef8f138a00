import { LaneError } from '../../shared/error.ts';
import type { ImportPlan } from '../../shared/import-plan.ts';
import { NEVER_CLOSED, readCsv } from '../formats/csv-read.ts';
import { readJsonArray, readJsonLines } from '../formats/json-read.ts';
import type { Pull } from '../formats/text.ts';
import { type Header, headerOf, numberedNames } from './columns.ts';

/** A row of a file of any format. */
export interface Row {
  /** line of its beginning, from 1 */
  readonly line: number;
  /** names of its values, the same array while they do not change; undefined if values have no names */
  readonly keys: readonly string[] | undefined;
  readonly values: readonly unknown[];
  /** why the row cannot be used */
  readonly problem?: string;
}

type Reading = Pick<ImportPlan, 'format' | 'header' | 'delimiter'>;

/** Called with the columns of a CSV file before its first row. */
export type OnHeader = (header: Header) => void;

/** Yields the rows of a file. */
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
      throw new LaneError(`line ${line}: ${problem}, so the rest of the file is part of the field`, {
        code: 'malformed',
        hint: 'nothing was imported: close the quote, or double it if it is part of the text',
      });
    if (width === undefined && problem === undefined) {
      width = fields.length;
      onHeader({ names: numberedNames(width), renamed: [] });
    }
    const wrong =
      problem ??
      (fields.length === width ? undefined : `wrong number of fields: ${fields.length} instead of ${width}`);
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
    hint: 'set header to false if the first line is a row',
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
