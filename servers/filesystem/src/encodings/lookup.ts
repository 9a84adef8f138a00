import type { Encoding } from '@rootbound/kit/media';
import { encodingName, isPlainEncoding } from './names.ts';
import type { Table } from './table.ts';

/** The encoding that a caller names; its table is loaded where it needs one. */
export function encodingOf(name: string | undefined): Encoding | undefined | Promise<Table> {
  if (name === undefined) return undefined;
  const plain = encodingName(name);
  if (isPlainEncoding(plain)) return plain;
  return import('./tables.ts').then(({ tableOf }) => tableOf(plain));
}
