import { isAscii } from './order.ts';

// control characters, line and paragraph separators, and bidirectional control characters
const CONTROL = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const PLAIN = /^[ -~]*$/;
const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns a byte path as one line of text; if it needs escapes, backslashes are doubled. */
export function displayPath(path: string): string {
  if (PLAIN.test(path)) return path;
  if (isAscii(path)) return Array.from(path, escapeCharacter).join('');
  const bytes = Buffer.from(path, 'latin1');
  const text = decode(bytes);
  if (text !== undefined && !CONTROL.test(text)) return text;
  let escaped = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at]!);
    const character = decode(bytes.subarray(at, at + length));
    escaped += character === undefined ? escapeCode(bytes[at]!) : escapeCharacter(character);
    at += character === undefined ? 1 : length;
  }
  return escaped;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined; // not UTF-8: the caller escapes the bytes
  }
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function escapeCharacter(character: string): string {
  if (character in NAMED) return NAMED[character]!;
  return CONTROL.test(character) ? escapeCode(character.codePointAt(0)!) : character;
}

function escapeCode(code: number): string {
  const hex = code.toString(16);
  return code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
}
