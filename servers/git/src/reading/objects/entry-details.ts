import { defined } from '@rootbound/kit/primitives';
import { nameOf } from '../../porcelain/names.ts';
import type { Objects } from '../../repository/objects.ts';
import type { Oid } from '../../run/oid.ts';
import { type Entry, kindOf } from './entry.ts';
import { type LfsPointer, lfsPointerOf, lfsPointerSizes } from './lfs.ts';

/** The facts of an entry's object beyond its mode. */
export interface Details {
  /** bytes, where requested */
  readonly size?: number;
  /** the target of a link */
  readonly target?: string;
  readonly lfs?: LfsPointer;
  readonly missing?: true;
}

/** Bytes; no system follows a longer link. */
const MAX_TARGET = 4096;

/** Returns the details of an entry; those of a page's entries are requested together. */
export async function detailsOf(
  objects: Objects,
  entry: Entry,
  sizes: boolean,
  signal: AbortSignal,
): Promise<Details> {
  const kind = kindOf(entry.mode);
  if (entry.missing) return { missing: true };
  if (kind === 'link') return linkDetails(objects, entry.oid!, sizes, signal);
  if (!sizes || kind === 'folder' || kind === 'submodule') return {};
  const info = await objects.info(entry.oid!, signal);
  if (info === undefined) return { missing: true };
  const { size } = info;
  if (size < lfsPointerSizes.least || size > lfsPointerSizes.most) return { size };
  const contents = await objects.read(info.oid, lfsPointerSizes.most, signal);
  const lfs = contents?.bytes && lfsPointerOf(contents.bytes);
  return { size, ...defined({ lfs }) };
}

async function linkDetails(
  objects: Objects,
  oid: Oid,
  sizes: boolean,
  signal: AbortSignal,
): Promise<Details> {
  const contents = await objects.contents(oid, MAX_TARGET, signal);
  if (contents === undefined) return { missing: true };
  const { size, bytes } = contents;
  return { ...(sizes && { size }), ...(bytes !== undefined && { target: nameOf(bytes) }) };
}
