import { isUtf8 } from 'node:buffer';
import type { Cell } from '../formats/cells.ts';
import { realText } from '../formats/numbers.ts';

/** Returns the JSON text of a whole value; see `cutText` and `cutBlobText` for truncated ones. */
export function cellText(value: Cell): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return integerText(value);
  if (typeof value === 'number') return numberText(value);
  return blobText(value);
}

/** Returns the JSON text of a row: an array, so that columns of the same name are preserved. */
export function rowText(row: readonly Cell[]): string {
  return `[${row.map(cellText).join(',')}]`;
}

function integerText(value: bigint): string {
  return value > MOST_EXACT || value < -MOST_EXACT ? `{"$int":"${value}"}` : String(value);
}

function numberText(value: number): string {
  return Number.isFinite(value) ? realText(value) : `{"$real":"${value}"}`;
}

/** Returns the JSON text of a blob. */
export function blobText(value: Buffer): string {
  return `{"$blob":"${value.toString('base64')}","bytes":${value.length}}`;
}

/** Returns the JSON text of the beginning of a blob of `bytes` bytes. */
export function cutBlobText(first: Buffer, bytes: number): string {
  return `{"$blob":"${first.toString('base64')}","bytes":${bytes},"truncated":true}`;
}

/** Returns the JSON text of text that is not valid UTF-8. */
export function brokenText(value: Buffer): string {
  return `{"$text_base64":"${value.toString('base64')}"}`;
}

/** Returns the JSON text of the beginning of a text of `bytes` bytes. */
export function cutText(first: string, bytes: number): string {
  return `{"$text":${JSON.stringify(first)},"bytes":${bytes},"truncated":true}`;
}

const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the JSON text of a value selected by `exactSql`, which may have cut it; `size` is its second column. */
export function sizedCell(value: Cell, size: Cell, most: number): string {
  if (size === null) return cellText(value);
  const bytes = Number(size);
  if (bytes < 0) {
    const blob = bytesOf(value).subarray(0, most);
    const whole = -1 - bytes;
    return blob.length < whole ? cutBlobText(blob, whole) : blobText(blob);
  }
  const isCut = bytes > most;
  if (typeof value === 'string') return isCut ? cutText(value.slice(0, most >> 2), bytes) : cellText(value);
  const text = bytesOf(value).subarray(0, most);
  const kept = isCut ? text.subarray(0, characterEnd(text)) : text;
  if (!isUtf8(kept)) return isCut ? cutBrokenText(kept, bytes) : brokenText(kept);
  return isCut ? cutText(kept.toString(), bytes) : cellText(kept.toString());
}

/** Returns the bytes of a value; substr returns NULL for an empty blob. */
function bytesOf(value: Cell): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function cutBrokenText(first: Buffer, bytes: number): string {
  return `{"$text_base64":"${first.toString('base64')}","bytes":${bytes},"truncated":true}`;
}

/** Returns the end of the last complete character. */
function characterEnd(text: Buffer): number {
  for (let at = text.length - 1; at >= 0 && at >= text.length - 4; at -= 1) {
    const byte = text[at]!;
    if (byte < 0x80) return at + 1;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return at + length <= text.length ? at + length : at;
  }
  return text.length;
}
