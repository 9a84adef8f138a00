import { realText, sameNumber } from './numbers.ts';

/** Matches strings and numbers as written. */
const pieces = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;
const special = /\d[.eE]|\d{16}|(?:^|[\s:,[])-0/;
const LONGEST_SAFE_DIGITS = 15;

/**
 * Parses JSON without losing digits: an integer that a JavaScript number cannot hold becomes `{"$int":"…"}`; a whole
 * REAL such as `5.0`, or a number that no REAL equals, becomes `{"$real":"…"}`.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(special.test(text) ? text.replace(pieces, tagged) : text);
}

function tagged(piece: string): string {
  if (piece.startsWith('"') || !isNumber.test(piece)) return piece;
  if (/[.eE]/.test(piece)) return isPlainReal(piece) ? piece : `{"$real":"${piece}"}`;
  return piece === '-0' || piece.length > LONGEST_SAFE_DIGITS ? `{"$int":"${piece}"}` : piece;
}

/** Matches JSON numbers; the parser refuses other pieces. */
const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns whether a number equals a JavaScript number that is not whole, or is the spelling of infinity. */
function isPlainReal(piece: string): boolean {
  const value = Number(piece);
  if (!Number.isFinite(value)) return piece === realText(value);
  if (Number.isInteger(value)) return false;
  const isShort = piece.length <= LONGEST_SAFE_DIGITS && !/e/i.test(piece);
  return isShort || sameNumber(piece, realText(value));
}

/** Returns the JSON text of a value of `parseExact`, with its numbers as written. */
export function exactText(value: unknown): string {
  // inside a string the quotes would be escaped
  return JSON.stringify(value).replace(/\{"\$(?:int|real)":"([^"]*)"\}/g, '$1');
}
