import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.ts';

/** What git reads once and keeps, or finds no more when it is gone: paths in the common directory. */
const kept = ['.', 'config', 'shallow', 'info/grafts', 'objects', 'objects/info/alternates', 'objects/pack'];
const asNumbers = { bigint: true, throwIfNoEntry: false } as const;

/** A text that changes when a git that has been running for a while may answer otherwise than one started now. */
export function stampOf({ place, commonDir }: Pick<Repository, 'place' | 'commonDir'>): string {
  let stamp = identityOf(place.gitDir);
  for (const path of kept) {
    const directory = path === '.' || path === 'objects';
    stamp += directory ? identityOf(join(commonDir, path)) : stateOf(join(commonDir, path));
  }
  return stamp;
}

// the time of birth tells a new directory from an old one whose number it got
function identityOf(directory: string): string {
  const stat = lstatSync(directory, asNumbers);
  return stat === undefined ? '-' : `${stat.dev}:${stat.ino}:${stat.birthtimeNs} `;
}

function stateOf(file: string): string {
  const stat = lstatSync(file, asNumbers);
  return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs} `;
}
