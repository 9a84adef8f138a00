import { ToolError } from '@rootbound/protocol';
import type { Sliced } from '../edit/slices.ts';

/** Characters that are decoded at once: a multiple of four, so that each piece is whole bytes. */
export const BASE64_PIECE = 1024 * 1024;

const plain = /^[A-Za-z0-9+/]*$/;
const closed = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decodes base64 text in pieces. Throws a ToolError where the text is not canonical base64. */
export function* decodeBase64(field: string, text: string): Sliced<Buffer[]> {
  if (text.length % 4 !== 0) throw invalid(field, 'its length is not a multiple of four; pad it with =');
  const parts: Buffer[] = [];
  for (let from = 0; from < text.length; from += BASE64_PIECE) {
    const piece = text.slice(from, from + BASE64_PIECE);
    const isLast = from + BASE64_PIECE >= text.length;
    if (!(isLast ? closed : plain).test(piece))
      throw invalid(field, 'use A-Z, a-z, 0-9, + and /, with = only at the end and no line breaks');
    const bytes = Buffer.from(piece, 'base64');
    if (isLast && endOf(bytes) !== piece.slice(-4))
      throw invalid(field, 'the unused bits of its last character are not zero');
    parts.push(bytes);
    yield;
  }
  return parts;
}

function endOf(bytes: Buffer): string {
  return bytes.subarray(bytes.length - (bytes.length % 3 || 3)).toString('base64');
}

function invalid(field: string, why: string): ToolError {
  return new ToolError(`${field} is not base64: ${why}`, { code: 'invalid-arguments' });
}
