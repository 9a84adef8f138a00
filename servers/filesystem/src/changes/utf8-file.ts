import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import type { Before } from '@rootbound/kit/boundary';

const PIECE_BYTES = 1024 * 1024;

/** Whether a file is UTF-8, as far as its first bytes show; `most` of them are read. */
export function isUtf8File({ fd, stat }: Before, most: number): boolean {
  const size = Math.min(stat.size, most);
  const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES));
  for (let at = 0; at < size; ) {
    const bytes = piece.subarray(0, readSync(fd, piece, 0, piece.length, at));
    if (bytes.length === 0) return true;
    const end = at + bytes.length >= stat.size ? bytes.length : characterEnd(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return false;
    at += end;
  }
  return true;
}

/** Where the last whole character ends; what is no character is cut anywhere. */
export function characterEnd(bytes: Buffer): number {
  for (let end = bytes.length; end > bytes.length - 4 && end > 1; end--)
    if ((bytes[end - 1]! & 0xc0) !== 0x80) return (bytes[end - 1]! & 0x80) === 0 ? end : end - 1;
  return bytes.length;
}
