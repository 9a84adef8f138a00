import { isUtf8 } from 'node:buffer';

/** Names of encodings that commits use and the Encoding Standard, which decides here, does not know. */
const aliases: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
};

/**
 * Returns the text of bytes in the encoding that they claim, UTF-8 where they claim none. Bytes that are not valid in
 * it, or claim an unknown one, are read as UTF-8, and as Latin-1 where they are not UTF-8 either.
 */
export function decodeText(bytes: Buffer, encoding?: string): string {
  const name = encoding?.trim().toLowerCase();
  // the Encoding Standard reads this one as windows-1252, git does not
  if (name !== undefined && /^(?:iso[-_]?8859[-_]1|latin-?1|l1)$/.test(name)) return bytes.toString('latin1');
  const decoded =
    name === undefined || /^utf-?8$/.test(name) ? undefined : decodeAs(bytes, aliases[name] ?? name);
  return decoded ?? (isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1'));
}

function decodeAs(bytes: Buffer, label: string): string | undefined {
  // the Encoding Standard reads it as windows-1252, though it has no byte above 127
  if (/ascii/.test(label)) return undefined;
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // unknown, or not valid: the caller has another way
    return undefined;
  }
}
