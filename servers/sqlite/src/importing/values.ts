import { exactText } from '../formats/json-exact.ts';
import { isInt64 } from '../formats/numbers.ts';

/** What can be bound. */
export type Bound = null | bigint | number | string | Buffer;

/** Why a value cannot be stored; the row is left out. */
export class ValueProblem extends Error {}

const tags: Readonly<Record<string, (text: string) => Bound>> = {
  $int: (text) => toInteger(text),
  $real: (text) => toReal(text),
  $blob: (text) => fromBase64(text),
};

/**
 * A value of a JSON row as SQLite stores it: whole numbers are INTEGER, others REAL, true and false 1 and 0; the
 * tagged forms of results are taken, and any other object or array becomes its JSON text.
 */
export function fromJson(value: unknown): Bound {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value !== 'object') return null;
  const tag = Object.keys(value)[0] ?? '';
  const untag = tags[tag];
  const inner: unknown = (value as Record<string, unknown>)[tag];
  if (tag.startsWith('$') && 'truncated' in value)
    throw new ValueProblem('the file has only the beginning of the value');
  if (untag !== undefined && typeof inner === 'string') return untag(inner);
  return exactText(value);
}

function toInteger(text: string): Bound {
  if (!/^[+-]?\d+$/.test(text)) throw new ValueProblem(`${text} is no integer`);
  const value = BigInt(text);
  // as SQLite takes such a literal
  return isInt64(value) ? value : Number(text);
}

function toReal(text: string): number {
  const value = /^-?Infinity$/.test(text) ? Number(text) : Number.parseFloat(text);
  if (Number.isNaN(value)) throw new ValueProblem(`${text} is no number`);
  return value;
}

/** The bytes of base64 as it is written for BLOB. */
export function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new ValueProblem('not base64');
  return bytes;
}

/** The bytes of a text that is not UTF-8, when a value is one; SQLite makes the text of them. */
export function textBytesOf(value: unknown): Buffer | undefined {
  if (typeof value !== 'object' || value === null || !('$text_base64' in value)) return undefined;
  const { $text_base64: text } = value;
  return typeof text === 'string' ? fromBase64(text) : undefined;
}
