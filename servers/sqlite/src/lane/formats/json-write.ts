import type { ExactCell } from './cells.ts';
import { realText } from './numbers.ts';

/**
 * Returns a row as one JSON object. INTEGER has all digits, REAL has a fraction or exponent, infinity is a number
 * beyond the range of a double; BLOB is `{"$blob":"<base64>"}`, and text that is not UTF-8 `{"$text_base64":"…"}`.
 */
export function jsonObject(keys: readonly string[], values: readonly ExactCell[]): string {
  let line = '{';
  for (let at = 0; at < values.length; at += 1) {
    if (at > 0) line += ',';
    line += keys[at];
    line += jsonValue(values[at]!);
  }
  return `${line}}`;
}

function jsonValue(value: ExactCell): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return realText(value);
  if (typeof value === 'bigint') return value.toString();
  return Buffer.isBuffer(value)
    ? `{"$blob":"${value.toString('base64')}"}`
    : `{"$text_base64":"${value.text.toString('base64')}"}`;
}

/** Returns the keys of such objects, each with its colon; duplicate column names get a number. */
export function keysOf(columns: readonly string[]): string[] {
  return distinct(columns).map((name) => `${JSON.stringify(name)}:`);
}

/** Returns the names with a number appended to duplicates. */
export function distinct(columns: readonly string[]): string[] {
  const all = new Set(columns);
  const taken = new Set<string>();
  return columns.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free); count += 1) {
      const next = `${name}_${count}`;
      if (!all.has(next)) free = next;
    }
    taken.add(free);
    return free;
  });
}
