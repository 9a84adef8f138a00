import { join, relative } from 'node:path';
import { type OpenDirectory, type Scope, statEntry } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';

/**
 * Where a link in an open directory leads, in the words that the roots were given in, a directory with a slash at its
 * end; undefined when that is outside or missing.
 */
export function targetOf(scope: Scope, folder: OpenDirectory, name: string): string | undefined {
  try {
    const { target } = statEntry(scope, join(folder.path, name));
    if (target === undefined) return undefined;
    const path = join(target.root.path, relative(target.root.real, target.path));
    return target.stat.isDirectory() && !path.endsWith('/') ? `${path}/` : path;
  } catch (error) {
    if (error instanceof ToolError) return undefined; // gone meanwhile, or not for the caller
    throw error;
  }
}
