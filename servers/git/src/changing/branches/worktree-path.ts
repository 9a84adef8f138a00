import { dirname } from 'node:path';
import { denied, isInside, locate, type Scope, showPath, statEntry } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Repositories } from '../../call/repositories.ts';
import { scopeOfFiles } from '../../repository/files.ts';
import type { Repository } from '../../repository/repository.ts';
import { readOnly } from './worktree-name.ts';

/** Returns the path for a new work tree: in a writable folder of a root, and not among a repository's own files. */
export function placeFor(opened: Opened, repositories: Repositories, scope: Scope, path: string) {
  const { path: real, exists } = locate(scope, path);
  if (scopeOfFiles(scope).hides(real)) throw denied(path);
  if (scope.rootOf(real)?.readOnly !== false) throw readOnly();
  if (!exists) statEntry(scope, dirname(real));
  const around = repositoryAround(repositories, scope, dirname(real));
  for (const each of [opened.repository, ...(around === undefined ? [] : [around])])
    if ([each.commonDir, each.place.gitDir].some((own) => isInside(real, own)))
      throw new ToolError('the folder belongs to the files of a repository', { code: 'unsupported' });
  return { real, exists };
}

export function assertAbsent(exists: boolean, path: string): void {
  if (!exists) return;
  throw new ToolError(`the path exists already: ${showPath(path)}`, {
    code: 'exists',
    hint: 'name a folder that does not exist',
  });
}

function repositoryAround(repositories: Repositories, scope: Scope, path: string): Repository | undefined {
  try {
    return repositories.open(scope, path);
  } catch (error) {
    // no repository, or one that git would not open either
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
