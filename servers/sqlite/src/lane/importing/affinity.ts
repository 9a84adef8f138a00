import type { Cell } from '../formats/cells.ts';
import { isInt64, isIntegerText, realText } from '../formats/numbers.ts';

/** The type affinity of a column. */
export type Affinity = 'INTEGER' | 'REAL' | 'NUMERIC' | 'TEXT' | 'NONE';

/**
 * Returns the affinity of a declared type. Source: https://sqlite.org/datatype3.html#determination_of_column_affinity
 */
export function affinityOf(type: string, strict: boolean): Affinity {
  const upper = type.toUpperCase();
  if (strict && upper === 'ANY') return 'NONE';
  if (upper.includes('INT')) return 'INTEGER';
  if (/CHAR|CLOB|TEXT/.test(upper)) return 'TEXT';
  if (upper === '' || upper.includes('BLOB')) return 'NONE';
  return /REAL|FLOA|DOUB/.test(upper) ? 'REAL' : 'NUMERIC';
}

/**
 * Matches text that SQLite converts to a number: space around it is allowed, a NUL ends it. Source:
 * https://sqlite.org/datatype3.html
 */
const numeric = /^[ \t\n\v\f\r]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\v\f\r]*(?:\0|$)/;
const plain = /^-?\d+\.\d+$/;
const integer = /^[ \t\n\v\f\r]*[+-]?\d+[ \t\n\v\f\r]*(?:\0|$)/;

/** Returns whether a numeric column converts a text to a number. */
export function isNumeric(text: string): boolean {
  return numeric.test(text);
}

/** Returns whether the text is a number without fraction and exponent. */
export function isWhole(text: string): boolean {
  return integer.test(text);
}

/**
 * Returns the value that a numeric column stores for a text: INTEGER as bigint, REAL as number, other text unchanged.
 */
export function toNumber(text: string, affinity: 'INTEGER' | 'REAL' | 'NUMERIC'): bigint | number | string {
  if (affinity === 'REAL' && plain.test(text)) return Number(text) + 0;
  if (!numeric.test(text)) return text;
  const digits = (text.includes('\0') ? text.slice(0, text.indexOf('\0')) : text).trim();
  if (integer.test(digits)) {
    const whole = BigInt(digits.replace(/^\+/, ''));
    if (isInt64(whole)) return affinity === 'REAL' ? Number(whole) : whole;
  }
  // a column does not store -0.0
  const real = Number(digits) + 0;
  return affinity === 'REAL' ? real : integerOf(real);
}

/** Returns a whole REAL as INTEGER, as INTEGER and NUMERIC columns store it. */
function integerOf(real: number): bigint | number {
  return Number.isInteger(real) && Math.abs(real) < 2 ** 63 ? BigInt(real) : real;
}

/** Returns the text that reading a stored value yields. */
export function storedText(value: Cell): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return realText(value);
  return typeof value === 'bigint' ? value.toString() : value.toString('base64');
}

/**
 * Returns whether reading a stored value yields the text again; a whole number also counts if REAL shows it as `5.0`.
 */
export function roundTrips(text: string, stored: bigint | number): boolean {
  const readBack = storedText(stored);
  return readBack === text || (typeof stored === 'number' && isIntegerText(text) && readBack === `${text}.0`);
}
