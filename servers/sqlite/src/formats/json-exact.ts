/** Strings, and numbers as they are written. */
const pieces = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;
const LONGEST_SAFE_DIGITS = 15;

/**
 * The value of a JSON text with its numbers as they are: INTEGER beyond what a JavaScript number holds as
 * `{"$int":"…"}`, and whole REAL such as `5.0` as `{"$real":"5.0"}`.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(/\d[.eE]|\d{16}/.test(text) ? text.replace(pieces, tagged) : text);
}

function tagged(piece: string): string {
  if (piece.startsWith('"')) return piece;
  if (/[.eE]/.test(piece)) return Number.isInteger(Number(piece)) ? `{"$real":"${piece}"}` : piece;
  return piece.length > LONGEST_SAFE_DIGITS ? `{"$int":"${piece}"}` : piece;
}

/** The JSON text of a value from `parseExact`, with its numbers as they were. */
export function exactText(value: unknown): string {
  // within a string the quotes would have backslashes
  return JSON.stringify(value).replace(/\{"\$(?:int|real)":"([^"]*)"\}/g, '$1');
}
