import { join } from 'node:path';
import {
  isInside,
  makeDirectory,
  openDirectory,
  readEntries,
  type Scope,
  showPath,
  statEntry,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Repositories } from '../../call/repositories.ts';
import { scopeOfFiles } from '../../repository/files.ts';
import { isNotFound } from '../../repository/refusals.ts';
import type { Repository } from '../../repository/repository.ts';

/** A folder in which a repository can be created. */
export interface Beginning {
  /** its real path */
  readonly folder: string;
  /** the repository around it */
  readonly parent: Repository | undefined;
}

/**
 * Returns the folder that a path names and creates it where it is missing; the folder must lie in a root that may be
 * changed, and in no repository's own files.
 */
export async function beginningAt(
  repositories: Repositories,
  scope: Scope,
  path: string,
  bare: boolean,
): Promise<Beginning> {
  const { path: folder } = await makeDirectory(scopeOfFiles(scope), path);
  if (scope.rootOf(folder)?.readOnly !== false) {
    throw new ToolError('the folder is in a root that may only be read', { code: 'read-only' });
  }
  const found = around(repositories, scope, path);
  if (found !== undefined && [found.top, found.place.gitDir, found.place.workTree].includes(folder))
    throw there(path);
  if (isThere(scope, join(folder, '.git'))) throw there(path);
  if (found !== undefined && [found.place.gitDir, found.commonDir].some((own) => isInside(folder, own))) {
    throw new ToolError('the folder belongs to the files of a repository', { code: 'unsupported' });
  }
  if (bare && !isEmpty(scope, path)) {
    throw new ToolError(`not empty: ${showPath(path)}`, {
      code: 'exists',
      hint: 'a bare repository fills its folder by itself: name a new one',
    });
  }
  return { folder, parent: found };
}

function around(repositories: Repositories, scope: Scope, path: string): Repository | undefined {
  try {
    return repositories.open(scope, path);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not-a-repository') return undefined;
    throw error;
  }
}

function isThere(scope: Scope, path: string): boolean {
  try {
    statEntry(scope, path);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function isEmpty(scope: Scope, path: string): boolean {
  const folder = openDirectory(scope, path);
  try {
    return readEntries(folder, path).next().done === true;
  } finally {
    folder.close();
  }
}

function there(path: string): ToolError {
  return new ToolError(`a repository is there already: ${showPath(path)}`, {
    code: 'exists',
    hint: 'git_overview describes it',
  });
}
