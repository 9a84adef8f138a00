import type { Encoding } from '@rootbound/kit/media';
import type { Table } from './table.ts';

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
export const ENCODING_HELP = 'such as latin1, utf-16le, shift_jis, windows-1252';

/** The encoding that a caller names; its table is loaded where it needs one. */
export function encodingOf(name: string | undefined): Encoding | undefined | Promise<Table> {
  if (name === undefined) return undefined;
  const plain = encodingName(name);
  if (isPlainEncoding(plain)) return plain;
  return import('./tables.ts').then(({ tableOf }) => tableOf(plain));
}
