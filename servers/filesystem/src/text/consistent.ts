import { fstatSync, type Stats } from 'node:fs';
import { type OpenFile, refuse } from '@rootbound/kit/boundary';

/** The result of one read of a file. */
export interface Look {
  /** whether the file ended before its size */
  readonly short: boolean;
}

const ATTEMPTS = 3;
/** Resolution of file times, in milliseconds; two changes within it can have the same time. */
const TICK_MS = 20;

/**
 * Reads the content of a file at one moment, with its stat from before the read. If the file may have changed
 * meanwhile, it is read again: content that two reads have in common was there between them. So a growing file can be
 * read, and a file that is rewritten all the time is refused.
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
  throw refuse('changed', path, 'another process is writing it; read it again');
}

function isUntouched(fd: number, before: Stats): boolean {
  const now = fstatSync(fd);
  return now.size === before.size && now.mtimeMs === before.mtimeMs && Date.now() - now.mtimeMs > TICK_MS;
}
