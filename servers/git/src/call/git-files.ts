import { join } from 'node:path';
import { readSmall, statEntry } from '@rootbound/kit/boundary';
import type { GitFiles } from '../porcelain/operation.ts';
import { isNotFound } from '../repository/refusals.ts';
import type { Repository } from '../repository/repository.ts';

/** Bytes; a todo list is the longest of these files. */
const MOST_BYTES = 4 << 20;

/** Returns the files of a repository's own git dir, read inside the boundary; a larger one counts as missing. */
export function gitFilesOf({ place, reach }: Pick<Repository, 'place' | 'reach'>): GitFiles {
  const at = <T>(name: string, look: (path: string) => T): T | undefined => {
    try {
      return look(join(place.gitDir, name));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    read: (name) => at(name, (path) => readSmall(reach, path, MOST_BYTES)?.bytes),
    has: (name) => at(name, (path) => statEntry(reach, path)) !== undefined,
  };
}
