import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

/** Paths in the common directory that git reads once and keeps, or misses when they are gone. */
const kept = ['.', 'config', 'shallow', 'info/grafts', 'objects', 'objects/info/alternates', 'objects/pack'];

/** Returns a text that changes when a git that runs already could answer differently from one that starts now. */
export function stampOf({ place, commonDir }: Pick<Repository, 'place' | 'commonDir'>): string {
  let stamp = identityOf(place.gitDir);
  for (const path of kept) {
    const directory = path === '.' || path === 'objects';
    stamp += directory ? identityOf(join(commonDir, path)) : stateOf(join(commonDir, path));
  }
  return stamp;
}

// the time of birth distinguishes a new directory from an old one whose number it got
function identityOf(directory: string): string {
  const stat = statOf(directory);
  return stat === undefined ? '-' : `${stat.dev}:${stat.ino}:${stat.birthtimeNs} `;
}

function stateOf(file: string): string {
  const stat = statOf(file);
  return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs} `;
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // a file in the place of a folder on the way: nothing exists there
    return undefined;
  }
}
