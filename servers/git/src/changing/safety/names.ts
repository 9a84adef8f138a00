import { join } from 'node:path';
import { statEntry, textOfBytes } from '@rootbound/kit/boundary';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { isNotFound } from '../../repository/refusals.ts';

/** Names that a question or a refusal lists at most. */
const MOST_NAMED = 10;

/** Returns some of the names, and the number of the others. */
export function someOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Returns a text for a path of the work tree that differs whenever its content has changed. */
export function stampOf(opened: Opened, name: string): string {
  return `${name}\0${statOf(opened, name).stamp}`;
}

export function statOf(
  { repository: { place, reach } }: Opened,
  name: string,
): { readonly size: number; readonly stamp: string } {
  try {
    const { stat } = statEntry(reach, join(place.workTree!, textOfBytes(bytesOfName(name))));
    const { dev, ino, size, mtimeMs, ctimeMs } = stat;
    return { size, stamp: `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}` };
  } catch (error) {
    if (isNotFound(error)) return { size: 0, stamp: 'gone' };
    throw error;
  }
}
