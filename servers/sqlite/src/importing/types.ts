import type { Format } from '../formats/format.ts';
import { isInt64 } from '../formats/numbers.ts';

/** A type of a column of a STRICT table. */
export type ColumnType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB' | 'ANY';

/** The type that holds a value and those before it; undefined as long as all are NULL. */
export function typeOf(
  value: unknown,
  format: Format,
  before: ColumnType | undefined,
): ColumnType | undefined {
  if (value === null || value === undefined) return before;
  // fields of CSV are text
  const own = format === 'csv' ? typeOfField(value as string) : typeOfJson(value);
  if (before === undefined || before === own) return own;
  if (isNumber(before) && isNumber(own)) return 'REAL';
  // a field of CSV is text in any case; JSON says what its values are
  return format === 'csv' ? 'TEXT' : 'ANY';
}

function isNumber(type: ColumnType): boolean {
  return type === 'INTEGER' || type === 'REAL';
}

const MOST_DIGITS = 19;

/** Only what comes back as it is written counts as a number: `007` and `+1` are text. */
function typeOfField(text: string): ColumnType {
  if (/^(?:0|-?[1-9]\d*)$/.test(text))
    return text.length <= MOST_DIGITS + 1 && isInt64(BigInt(text)) ? 'INTEGER' : 'TEXT';
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? 'REAL' : 'TEXT';
}

function typeOfJson(value: unknown): ColumnType {
  if (typeof value === 'boolean') return 'INTEGER';
  if (typeof value === 'number') return Number.isInteger(value) ? 'INTEGER' : 'REAL';
  if (typeof value !== 'object' || value === null) return 'TEXT';
  if ('$int' in value) return 'INTEGER';
  if ('$real' in value) return 'REAL';
  return '$blob' in value ? 'BLOB' : 'TEXT';
}
