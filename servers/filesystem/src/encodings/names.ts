import type { Encoding } from '@rootbound/kit/media';
import type { Table } from './table.ts';

/** The encodings that need no character table. */
export const plainEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'latin1',
] as const satisfies readonly Encoding[];

/** Returns whether an encoding needs no character table. */
export function isPlainEncoding(name: string): name is Encoding {
  return (plainEncodings as readonly string[]).includes(name);
}

/** Normalizes the name of an encoding. */
export function encodingName(name: string): string {
  return name.trim().toLowerCase();
}

/** The description of an encoding argument. */
export const ENCODING_HELP = 'such as latin1, utf-16le, shift_jis, windows-1252';

/** Returns the encoding that a caller named, or a promise of its character table. */
export function encodingOf(name: string | undefined): Encoding | undefined | Promise<Table> {
  if (name === undefined) return undefined;
  const plain = encodingName(name);
  if (isPlainEncoding(plain)) return plain;
  return import('./tables.ts').then(({ tableOf }) => tableOf(plain));
}
