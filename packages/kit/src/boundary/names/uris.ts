import { textOfBytes } from './bytes.ts';
import { decodeText, encodeText, pathOfUri, uriOfPath } from './root-uris.ts';

/** Returns the `file://` URI of an absolute path, every reserved character escaped except the separators. */
export function toFileUri(path: string, platform?: NodeJS.Platform): string {
  return uriOfPath(path, platform, encodePath);
}

/**
 * Returns the absolute path that a `file://` URI names, or undefined when it names none on this machine. `?` and `#`
 * are part of the name: file URIs have no query, and `{+path}` templates do not escape them.
 */
export function fromFileUri(uri: string, platform?: NodeJS.Platform): string | undefined {
  return pathOfUri(uri, platform, (encoded) => decodeText(encoded) ?? decodeBytes(encoded));
}

/** a byte that is not UTF-8 is escaped directly */
function encodePath(path: string): string {
  if (path.isWellFormed()) return encodeText(path);
  const parts = path.split(/(\p{Surrogate})/u);
  return parts.map((part, index) => (index % 2 === 0 ? encodeText(part) : encodeByte(part))).join('');
}

function encodeByte(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0xdc80 || code > 0xdcff) return '%EF%BF%BD';
  return `%${(code & 0xff).toString(16).toUpperCase()}`;
}

/** Names of Unix are bytes, and those that are not UTF-8 have only this form in a URI. */
function decodeBytes(encoded: string): string | undefined {
  if (/%(?![\da-f]{2})/i.test(encoded)) return undefined;
  const parts = encoded.split(/%([\da-f]{2})/i);
  const bytes = parts.map((part, index) =>
    index % 2 === 0 ? Buffer.from(part) : Buffer.of(Number.parseInt(part, 16)),
  );
  return textOfBytes(Buffer.concat(bytes));
}
