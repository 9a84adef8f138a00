import { exactText } from '../formats/json-exact.ts';
import { isInt64, realText, sameNumber } from '../formats/numbers.ts';
import { type Affinity, toNumber } from './affinity.ts';
import type { JsonKind } from './column-facts.ts';

/** A value that can be bound to a parameter. */
export type Bound = null | bigint | number | string | Buffer;

/** The failure of a value that cannot be stored; its row is rejected. */
export class ValueProblem extends Error {}

/**
 * Returns the value to bind for a JSON value: whole numbers are INTEGER, others REAL; a number that neither equals is
 * text, except in numeric columns; true and false are 1 and 0; tagged forms of results are decoded, other objects and
 * arrays become their JSON text.
 */
export function fromJson(value: unknown, affinity: Affinity): Bound {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'string') return fromText(value, affinity);
  if (typeof value === 'object' && 'truncated' in value && Object.keys(value)[0]?.startsWith('$') === true)
    throw new ValueProblem('the value is truncated in the file');
  const number = numberOf(value);
  if (number !== undefined) return fromNumber(number, affinity);
  const blob = innerOf(value, '$blob');
  return blob === undefined ? exactText(value) : fromBase64(blob);
}

/** Returns the value to bind for a JSON string. */
function fromText(text: string, affinity: Affinity): Bound {
  if (!text.isWellFormed())
    throw new ValueProblem('a text has half of a surrogate pair, which UTF-8 cannot encode');
  return affinity === 'TEXT' || affinity === 'NONE' ? text : toNumber(text, affinity);
}

function fromNumber({ text, isInteger, isExact }: JsonNumber, affinity: Affinity): Bound {
  if (affinity === 'TEXT') return text;
  if (isInteger && affinity !== 'REAL') return BigInt(text);
  return isExact || affinity !== 'NONE' ? Number(text) : text;
}

type JsonNumber = Extract<JsonKind, { kind: 'NUMBER' }>;

/** Returns the kind of a value; undefined for NULL and for values that no column stores. */
export function kindOf(value: unknown): JsonKind | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean') return numbers.boolean;
  if (typeof value === 'string') return { kind: 'TEXT' };
  try {
    const number = numberOf(value);
    if (number !== undefined) return number;
    return { kind: innerOf(value, '$blob') === undefined ? 'TEXT' : 'BLOB' };
  } catch (error) {
    // its row is rejected when it is inserted
    if (error instanceof ValueProblem) return undefined;
    throw error;
  }
}

const numbers = {
  boolean: { kind: 'NUMBER', text: '1', isInteger: true, isReal: true, isExact: true },
} as const;

/** Returns the number of a JSON value as written; undefined if it is none. */
export function numberOf(value: unknown): JsonNumber | undefined {
  if (typeof value === 'number') {
    const isInteger = Number.isInteger(value);
    const text = isInteger ? String(value) : realText(value);
    return { kind: 'NUMBER', text, isInteger, isReal: true, isExact: true };
  }
  const whole = innerOf(value, '$int');
  if (whole !== undefined) {
    if (!/^[+-]?\d+$/.test(whole)) throw new ValueProblem(`${whole} is not an integer`);
    return factsOf(whole.replace('+', ''), whole !== '-0' && isInt64(BigInt(whole)));
  }
  const real = innerOf(value, '$real');
  if (real === undefined) return undefined;
  if (/^-?Infinity$/.test(real)) return factsOf(realText(Number(real)), false);
  if (!/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(real)) throw new ValueProblem(`${real} is not a number`);
  return factsOf(real, false);
}

function factsOf(text: string, isInteger: boolean): JsonNumber {
  const real = Number(text);
  const back = realText(real);
  const isExact = back === text || (Number.isFinite(real) && sameNumber(text, back));
  // a REAL column does not store -0.0
  return { kind: 'NUMBER', text, isInteger, isReal: isExact && !Object.is(real, -0), isExact };
}

/** Returns the text of a tagged value; undefined if the value has other members. */
function innerOf(value: unknown, tag: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, tag)) return undefined;
  const { [tag]: inner, bytes: _bytes, ...more } = value as Readonly<Record<string, unknown>>; // any object may have such members
  return typeof inner === 'string' && Object.keys(more).length === 0 ? inner : undefined;
}

/** Decodes base64 as written for BLOB. */
export function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new ValueProblem('not base64');
  return bytes;
}

/** Returns the bytes of a tagged text that is not UTF-8; undefined for other values. */
export function textBytesOf(value: unknown): Buffer | undefined {
  const text = innerOf(value, '$text_base64');
  return text === undefined ? undefined : fromBase64(text);
}
