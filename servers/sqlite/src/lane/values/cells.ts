import type { Cell } from '../formats/cells.ts';
import { realText } from '../formats/numbers.ts';

/** The JSON text of a value, whole: see `cutText` and `cutBlob` for what is longer than a result takes. */
export function cellText(value: Cell): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return integerText(value);
  if (typeof value === 'number') return numberText(value);
  return blobText(value);
}

/** The JSON text of a row: an array, so that columns of one name are all there. */
export function rowText(row: readonly Cell[]): string {
  return `[${row.map(cellText).join(',')}]`;
}

function integerText(value: bigint): string {
  return value > MOST_EXACT || value < -MOST_EXACT ? `{"$int":"${value}"}` : String(value);
}

function numberText(value: number): string {
  return Number.isFinite(value) ? realText(value) : `{"$real":"${value}"}`;
}

/** The JSON text of a blob. */
export function blobText(value: Buffer): string {
  return `{"$blob":"${value.toString('base64')}","bytes":${value.length}}`;
}

/** The JSON text of the first bytes of a blob of so many. */
export function cutBlobText(first: Buffer, bytes: number): string {
  return `{"$blob":"${first.toString('base64')}","bytes":${bytes},"truncated":true}`;
}

/** The JSON text of text that is not valid UTF-8. */
export function brokenText(value: Buffer): string {
  return `{"$text_base64":"${value.toString('base64')}"}`;
}

/** The JSON text of the first characters of a text of so many bytes. */
export function cutText(first: string, bytes: number): string {
  return `{"$text":${JSON.stringify(first)},"bytes":${bytes},"truncated":true}`;
}

const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
