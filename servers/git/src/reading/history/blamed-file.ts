import { join } from 'node:path';
import { statEntry, textOfBytes } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { isNotFound } from '../../repository/refusals.ts';

/** Throws for a missing path: git would follow a folder that has become a link to wherever that leads. */
export function assertInWorkTree({ repository }: Opened, path: string): void {
  const { place, opened } = repository;
  try {
    statEntry(opened.roots, join(place.workTree!, textOfBytes(bytesOfName(path))));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new ToolError(`not in the work tree: ${path}`, {
      code: 'not-found',
      hint: 'give the revision that has it, or a path from the top of the repository',
    });
  }
}
