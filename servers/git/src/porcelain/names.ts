import { isUtf8 } from 'node:buffer';
import { showName } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';

// most names: printable ASCII that does not begin with a quote
const simple = /^[ !#-~][ -~]*$/;

/**
 * Returns a path or ref of git, whose name is bytes, as text for people and JSON: unchanged where it is UTF-8 that
 * prints as one line and does not begin with a quote, otherwise as git quotes it. `bytesOfName` is the inverse.
 * @example nameOf(Buffer.from('caf\xe9 au lait', 'latin1')); // '"caf\\351 au lait"'
 */
export function nameOf(bytes: Buffer): string {
  return nameOfByteString(bytes.toString('latin1'));
}

/** Returns `nameOf` for a parser's byte string: one character for each byte. */
export function nameOfByteString(name: string): string {
  if (simple.test(name)) return name;
  const bytes = Buffer.from(name, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString() : undefined;
  return text !== undefined && isPlainName(text) && showName(text) === text ? text : quote(name);
}

/** Returns the bytes of a name as `nameOf` writes it, or in any quoted form that git reads. */
export function bytesOfName(name: string): Buffer {
  if (name.includes('\0')) throw malformed('it holds a NUL');
  if (!name.isWellFormed()) throw malformed('it is no valid text');
  // unescaped characters stand for their UTF-8 bytes, as in git
  return isPlainName(name)
    ? Buffer.from(name)
    : Buffer.from(unquote(Buffer.from(name).toString('latin1')), 'latin1');
}

/** Returns whether the name's bytes are its UTF-8 form, so that it can be an argument of a process. */
export function isPlainName(name: string): boolean {
  return !name.startsWith('"');
}

const letters = new Map([
  ['\x07', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['"', '"'],
  ['\\', '\\'],
]);
const bytesOfLetters = new Map([...letters].map(([byte, letter]) => [letter, byte]));

function quote(name: string): string {
  const escaped = name.replace(/[^ !#-[\]-~]/g, (byte) => {
    return `\\${letters.get(byte) ?? byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped}"`;
}

/** Returns the byte string of a name that git quoted. */
export function unquote(raw: string): string {
  if (!/^"(?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*"$/.test(raw)) {
    throw malformed('it begins with a quote but is not a quoted name');
  }
  const bytes = raw.slice(1, -1).replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
    return bytesOfLetters.get(code) ?? String.fromCharCode(Number.parseInt(code, 8));
  });
  if (bytes.includes('\0')) throw malformed('it holds a NUL');
  return bytes;
}

function malformed(why: string): ToolError {
  return new ToolError(`not a usable path: ${why}`, {
    code: 'invalid-path',
    hint: 'a name that is not UTF-8, or begins with ", is written as git quotes it: "caf\\351.txt"',
  });
}
