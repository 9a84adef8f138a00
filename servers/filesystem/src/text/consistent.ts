import { fstatSync, type Stats } from 'node:fs';
import { type OpenFile, refuse } from '@rootbound/kit/boundary';

/** What was seen of a file in one go. */
export interface Look {
  /** the file ended before its size */
  readonly short: boolean;
}

const ATTEMPTS = 3;
/** Two changes within a tick of a file system's clock have the same time. */
const TICK_MS = 20;

/**
 * What a file held at one moment, with its facts from before. What may have changed meanwhile is looked at again: what
 * two looks saw alike was there between them. So a file that only grows is read, and one that is rewritten all the
 * time is refused.
 */
export async function readConsistent<T extends Look>(
  file: OpenFile,
  path: string,
  look: (stat: Stats) => T | Promise<T>,
  isSame: (one: T, other: T) => boolean,
): Promise<{ seen: T; stat: Stats }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stat = attempt === 0 ? file.stat : fstatSync(file.fd);
    const seen = await look(stat);
    if (seen.short) continue;
    if (isUntouched(file.fd, stat) || isSame(seen, await look(stat))) return { seen, stat };
  }
  throw refuse('changed', path, 'it is being written; read it again');
}

function isUntouched(fd: number, before: Stats): boolean {
  const now = fstatSync(fd);
  return now.size === before.size && now.mtimeMs === before.mtimeMs && Date.now() - now.mtimeMs > TICK_MS;
}
