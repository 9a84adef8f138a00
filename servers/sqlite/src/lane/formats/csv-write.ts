import type { TextBytes } from './cells.ts';
import { doubled } from './doubled.ts';
import { realText } from './numbers.ts';

/**
 * Returns one line of RFC 4180 with its CRLF. NULL is an empty field and empty text `""`, so both round-trip; INTEGER
 * (a bigint) has all digits, REAL (a number) has a fraction or exponent, BLOB is base64.
 */
export function csvLine(values: readonly unknown[], delimiter = ','): string {
  let line = '';
  for (let at = 0; at < values.length; at += 1) {
    if (at > 0) line += delimiter;
    line += fieldOf(values[at], delimiter);
  }
  return `${line}\r\n`;
}

function fieldOf(value: unknown, delimiter: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoted(value, delimiter);
  if (typeof value === 'number') return realText(value);
  if (isTextBytes(value)) return quoted(value.text.toString(), delimiter);
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') || '""';
  // an INTEGER: the driver returns no other type
  return (value as bigint).toString();
}

function isTextBytes(value: unknown): value is TextBytes {
  return typeof value === 'object' && value !== null && 'text' in value;
}

/** Characters that need quotes; U+FEFF at the beginning of a file would be read as a byte order mark. */
const needsQuotes = /["\r\n\uFEFF]/;

function quoted(text: string, delimiter: string): string {
  if (text !== '' && !needsQuotes.test(text) && !text.includes(delimiter)) return text;
  return `"${doubled(text, '"')}"`;
}
