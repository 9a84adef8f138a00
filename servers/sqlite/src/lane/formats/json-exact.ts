import { realText, sameNumber } from './numbers.ts';

/** Strings, and numbers as they are written. */
const pieces = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;
const special = /\d[.eE]|\d{16}|(?:^|[\s:,[])-0/;
const LONGEST_SAFE_DIGITS = 15;

/**
 * Parses a JSON text and keeps each number: an integer beyond the digits that a JavaScript number holds is
 * `{"$int":"…"}`; a whole REAL such as `5.0`, and a number that no REAL is equal to, are `{"$real":"…"}`.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(special.test(text) ? text.replace(pieces, tagged) : text);
}

function tagged(piece: string): string {
  if (piece.startsWith('"') || !isNumber.test(piece)) return piece;
  if (/[.eE]/.test(piece)) return isPlainReal(piece) ? piece : `{"$real":"${piece}"}`;
  return piece === '-0' || piece.length > LONGEST_SAFE_DIGITS ? `{"$int":"${piece}"}` : piece;
}

/** Other pieces are left to the parser, which refuses them. */
const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a JavaScript number that is not whole is equal to it, or it is the spelling of infinity. */
function isPlainReal(piece: string): boolean {
  const value = Number(piece);
  if (!Number.isFinite(value)) return piece === realText(value);
  if (Number.isInteger(value)) return false;
  const isShort = piece.length <= LONGEST_SAFE_DIGITS && !/e/i.test(piece);
  return isShort || sameNumber(piece, realText(value));
}

/** Returns the JSON text of a value from `parseExact`, with its numbers as they were. */
export function exactText(value: unknown): string {
  // within a string the quotes would have backslashes
  return JSON.stringify(value).replace(/\{"\$(?:int|real)":"([^"]*)"\}/g, '$1');
}
