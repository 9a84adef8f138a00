import { basename } from 'node:path';
import { showName } from '@rootbound/kit/boundary';
import type { CallContext, Resource } from '@rootbound/protocol';
import type { Repository } from '../repository/repository.ts';
import type { Workspace } from '../workspace.ts';
import { toGitUri } from './uri.ts';

/** The repositories in the roots, as `git_repositories` finds them, each with what of it changes most. */
export async function listRepositories({
  scope: { scope, repositories },
  signal,
}: CallContext<Workspace>): Promise<readonly Resource[]> {
  const found = await repositories.find(scope, { count: MOST_FOUND, signal });
  return found.repositories.flatMap(describe);
}

const MOST_FOUND = 1000;
const mimeType = 'application/json';

function describe({ top, place, kind }: Repository): Resource[] {
  const name = showName(basename(top) || top);
  const own: Resource = {
    uri: toGitUri(top),
    name,
    description: kind === 'normal' ? 'a repository' : `a repository (${kind})`,
    mimeType,
    annotations: { audience: ['user', 'assistant'], priority: 0.8 },
  };
  const status: Resource = {
    uri: toGitUri(top, { kind: 'status' }),
    name: `${name} status`,
    description: 'what is staged, changed, unmerged and untracked',
    mimeType,
  };
  const refs: Resource = {
    uri: toGitUri(top, { kind: 'refs' }),
    name: `${name} refs`,
    description: 'branches, tags and other refs',
    mimeType,
  };
  return place.workTree === undefined ? [own, refs] : [own, status, refs];
}
