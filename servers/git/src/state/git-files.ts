import { join } from 'node:path';
import { readSmall, statEntry } from '@rootbound/kit/boundary';
import type { GitFiles } from '../porcelain/operation.ts';
import { isNotFound } from '../repository/refusals.ts';
import type { Repository } from '../repository/repository.ts';

/** A list of what is left to do is the longest of them. */
const MOST_BYTES = 4 << 20;

/** The files of a repository's own git dir, read inside the boundary; one that is too large is not there. */
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
