import { isUtf8 } from 'node:buffer';

// half of a surrogate pair alone: no character, so no valid text contains it
const alone = /(\p{Surrogate})/u;

/**
 * Returns a path as text, whatever its bytes are: each byte that is not UTF-8 becomes one lone surrogate, U+DC80 to
 * U+DCFF, as in Python's surrogateescape. `systemPath` is the inverse.
 */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const piece = bytes.subarray(at, at + sequenceLength(bytes[at]!));
    const valid = isUtf8(piece);
    text += valid ? piece.toString() : String.fromCharCode(0xdc00 + bytes[at]!);
    at += valid ? piece.length : 1;
  }
  return text;
}

/** Returns a path for a system call: the text, or its bytes where some of them are not UTF-8. */
export function systemPath(path: string): string | Buffer {
  return path.isWellFormed() ? path : bytesOfText(path);
}

/** Returns the text of a path that the system gave; `read` returns it as bytes when the text has lost some. */
export function textOfPath(text: string, read: () => Buffer): string {
  return text.includes('\uFFFD') ? textOfBytes(read()) : text;
}

/** Returns a name or path of either form as text. */
export function textOf(name: string | Buffer): string {
  return typeof name === 'string' ? name : textOfBytes(name);
}

/** Returns the bytes of a path as text. */
export function bytesOfText(text: string): Buffer {
  const parts = text.split(alone);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) & 0xff))),
  );
}

/** Returns whether each lone surrogate stands for a byte. */
export function isByteText(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udc7f\udd00-\udfff]/.test(text);
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
