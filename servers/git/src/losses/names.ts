import { join } from 'node:path';
import { statEntry, textOfBytes } from '@rootbound/kit/boundary';
import type { Opened } from '../opened.ts';
import { bytesOfName } from '../porcelain/names.ts';
import { isNotFound } from '../repository/refusals.ts';

/** As many names stand in a question or a refusal. */
const MOST_NAMED = 10;

/** Some of the names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** What a path of the work tree is now, as text that is another one when its content has changed. */
export function stampOf({ repository: { place, reach } }: Opened, name: string): string {
  const path = join(place.workTree!, textOfBytes(bytesOfName(name)));
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statEntry(reach, path).stat;
    return `${name}\0${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch (error) {
    if (isNotFound(error)) return `${name}\0gone`;
    throw error;
  }
}
