/** Bytes that each ASCII character takes inside a JSON string. */
export const ASCII_JSON_BYTES: Uint8Array = asciiTable();

function asciiTable(): Uint8Array {
  const table = new Uint8Array(128).fill(1).fill(6, 0, 32);
  for (const escaped of '\b\t\n\f\r"\\') table[escaped.charCodeAt(0)] = 2;
  return table;
}

/** Bytes that one UTF-16 code unit takes at most inside a JSON string: `\udxxx`. */
const MOST_UNIT_BYTES = 6;

/** Returns whether any text of this length fits the number of bytes of JSON, quotes included. */
export function surelyFits(text: string, maxBytes: number): boolean {
  return text.length * MOST_UNIT_BYTES + 2 <= maxBytes;
}

/** Returns the UTF-8 bytes of `JSON.stringify(text)`, quotes included, counted without building it. */
export function jsonBytes(text: string): number {
  let bytes = 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += ASCII_JSON_BYTES[unit]!;
    else if (unit < 0x800) bytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
    else if (isPair(text, i)) {
      bytes += 4;
      i += 1;
    } else bytes += 6; // JSON.stringify writes a lone surrogate as \udxxx
  }
  return bytes;
}

/** Returns whether a surrogate pair starts at `index`. */
export function isPair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  const low = text.charCodeAt(index + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
