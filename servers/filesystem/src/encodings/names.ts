import type { Encoding } from '@rootbound/kit/media';

/** The encodings that need no tables. */
export const plainEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'latin1',
] as const satisfies readonly Encoding[];

/** Whether an encoding needs no tables; everything else that a caller names is looked up in them. */
export function isPlainEncoding(name: string): name is Encoding {
  return (plainEncodings as readonly string[]).includes(name);
}

/** The name of an encoding as a caller may write it. */
export function encodingName(name: string): string {
  return name.trim().toLowerCase();
}

/** What a schema says of an encoding that a caller may name. */
export const ENCODING_HELP = 'utf-8, utf-16le, latin1, shift_jis, gb18030, windows-1252 ...';
