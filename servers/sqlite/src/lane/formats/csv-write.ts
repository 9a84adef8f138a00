import type { TextBytes } from './cells.ts';
import { doubled } from './doubled.ts';
import { realText } from './numbers.ts';

/**
 * One line of RFC 4180 with its CRLF. NULL is an empty field and an empty text `""`, so that both come back; INTEGER
 * comes as bigint and has all digits, REAL comes as number and always shows that it is one, BLOB is base64.
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
  // an INTEGER: the driver gives nothing else
  return (value as bigint).toString();
}

function isTextBytes(value: unknown): value is TextBytes {
  return typeof value === 'object' && value !== null && 'text' in value;
}

/** At the beginning of a file it would be taken for a byte order mark. */
const needsQuotes = /["\r\n\uFEFF]/;

function quoted(text: string, delimiter: string): string {
  if (text !== '' && !needsQuotes.test(text) && !text.includes(delimiter)) return text;
  return `"${doubled(text, '"')}"`;
}
