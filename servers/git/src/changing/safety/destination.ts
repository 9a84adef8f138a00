import { dirname, join } from 'node:path';
import {
  denied,
  locate,
  makeDirectory,
  openDirectory,
  readEntries,
  removeEntry,
  type Scope,
  showPath,
  statEntry,
  textOfBytes,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { scopeOfFiles } from '../../repository/files.ts';

/** The destination folder of a clone. */
export interface Destination {
  /** its real path */
  readonly path: string;
  /**
   * removes the files of a failed clone, and the folder itself where it was created for it; returns whether all is gone
   */
  clear(): Promise<boolean>;
}

/** Returns a folder inside the roots for a clone: an empty one, or a new one in an existing folder. */
export async function takeDestination(scope: Scope, path: string): Promise<Destination> {
  const { path: real, exists } = locate(scope, path);
  if (scopeOfFiles(scope).hides(real)) throw denied(path);
  if (scope.rootOf(real)?.readOnly === true)
    throw new ToolError('the destination is in a root that may only be read', { code: 'read-only' });
  if (!exists) statEntry(scope, dirname(real));
  const made = await makeDirectory(scopeOfFiles(scope), path);
  if (namesIn(scope, made.path).length > 0) {
    throw new ToolError(`the destination is not empty: ${showPath(path)}`, {
      code: 'exists',
      hint: 'name a folder that does not exist',
    });
  }
  const clear = async (): Promise<boolean> => {
    try {
      if (made.created) await removeEntry(scope, made.path, { recursive: true });
      else
        for (const name of namesIn(scope, made.path))
          await removeEntry(scope, join(made.path, name), { recursive: true });
      return true;
    } catch (error) {
      // git has removed it, or it stays: the caller reports which
      return error instanceof ToolError && error.code === 'not-found';
    }
  };
  return { path: made.path, clear };
}

function namesIn(scope: Scope, path: string): string[] {
  const folder = openDirectory(scope, path);
  try {
    const names = Array.from(readEntries(folder, path), ({ name, bytes }) =>
      bytes === undefined ? name : textOfBytes(bytes),
    );
    return names;
  } finally {
    folder.close();
  }
}
