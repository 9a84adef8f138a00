import { ToolError } from '@rootbound/protocol';
import { type OpenDirectory, openDirectory } from './directories.ts';
import { readEntries } from './entries.ts';
import { plainPath } from './paths.ts';
import type { Scope } from './scope.ts';
import { isStagingName } from './staging.ts';

export interface Completion {
  /** absolute paths in the caller's form, folders ending in a separator */
  readonly values: string[];
  /** whether more would fit */
  readonly more: boolean;
}

/** How many names of one folder are looked at: completion answers while someone types. */
const lookLimit = 20_000;

/** The paths that continue what was typed; a wrong or forbidden start has none. */
export function completePath(scope: Scope, prefix: string, limit: number): Completion {
  const values = rootsAfter(scope, prefix);
  const cut = prefix.lastIndexOf('/') + 1;
  if (cut === 0) return bounded(values, limit, false);
  const start = prefix.slice(0, cut);
  let folder: OpenDirectory;
  try {
    plainPath(start);
    folder = openDirectory(scope, start);
  } catch (error) {
    if (error instanceof ToolError) return bounded(values, limit, false);
    throw error;
  }
  try {
    return namesAfter(folder, start, prefix.slice(cut), values, limit);
  } finally {
    folder.close();
  }
}

function namesAfter(
  folder: OpenDirectory,
  start: string,
  typed: string,
  values: string[],
  limit: number,
): Completion {
  let looked = 0;
  for (const { name, kind, bytes } of readEntries(folder, start)) {
    if (++looked > lookLimit) return bounded(values, limit, true);
    if (!name.startsWith(typed) || bytes !== undefined || isStagingName(name)) continue;
    values.push(start + name + (kind === 'directory' ? '/' : ''));
    if (values.length > limit) break;
  }
  return bounded(values, limit, false);
}

// above the roots the roots themselves are all there is to see
function rootsAfter(scope: Scope, prefix: string): string[] {
  return scope.roots
    .map((root) => (root.path.endsWith('/') ? root.path : `${root.path}/`))
    .filter((path) => path.startsWith(prefix) && path !== prefix);
}

function bounded(values: string[], limit: number, more: boolean): Completion {
  const sorted = [...new Set(values)].sort();
  return { values: sorted.slice(0, limit), more: more || sorted.length > limit };
}
