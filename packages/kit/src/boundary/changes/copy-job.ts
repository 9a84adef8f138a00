import { fstatSync, type Stats } from 'node:fs';
import type { Place } from '../opening/places.ts';
import { refuse } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import type { Sighting } from '../verifying/handle.ts';
import { isUnchanged } from '../verifying/identity.ts';
import { type ChangeOptions, copyContent } from './content.ts';
import type { Work } from './work.ts';

/** Entries that a copied folder may have. */
export const copyLimit = 100_000;

export interface CopyOptions extends ChangeOptions {
  /** entries that a folder may have, `copyLimit` unless given */
  maxEntries?: number | undefined;
}

/** The source and the destination of a copy. */
export interface Copy {
  readonly scope: Scope;
  readonly from: string;
  readonly to: string;
  readonly seen: Sighting;
  readonly target: Place;
  readonly options: CopyOptions;
}

/** Copies the content of a file, which must be the same before and after; returns its bytes. */
export function* copyWhole(
  from: number,
  to: number,
  stat: Stats,
  displayPath: string,
  options: ChangeOptions,
): Work<number> {
  const bytes = yield* copyContent(from, to, stat.size, { ...options, sparse: true });
  if (!isUnchanged(fstatSync(from), stat)) throw changed(displayPath);
  return bytes;
}

/** Returns the failure for an entry that was replaced by another. */
export function changed(displayPath: string): Error {
  return refuse('changed', displayPath, 'repeat the call');
}
