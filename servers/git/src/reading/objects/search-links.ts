import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesOfName } from '../../porcelain/names.ts';

/**
 * Returns whether a file of the work tree lies at its path: git searches a tracked file through a link that took the
 * place of its folder, wherever that leads.
 */
export function insideOf(workTree: string): (path: string) => boolean {
  const folders = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(bytesOfName(path).toString('latin1'));
    let isInside = folders.get(folder);
    if (isInside === undefined) {
      isInside = isReal(workTree, folder);
      folders.set(folder, isInside);
    }
    return isInside;
  };
}

function isReal(workTree: string, folder: string): boolean {
  const place = join(Buffer.from(workTree).toString('latin1'), folder);
  try {
    return realpathSync(Buffer.from(place, 'latin1'), 'latin1') === place;
  } catch {
    // deleted since git read it
    return false;
  }
}
