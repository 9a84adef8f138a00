import { basename } from 'node:path';
import { showName } from '@rootbound/kit/boundary';
import type { CallContext, Resource } from '@rootbound/protocol';
import { toGitUri } from '../../call/git-uri.ts';
import type { Workspace } from '../../call/workspace.ts';
import type { Repository } from '../../repository/repository.ts';
import { type ListedRef, listRefs } from '../watching/listed-refs.ts';

/**
 * Lists the repositories in the roots, as `git_repositories` finds them, each with its resources that change most; then
 * refs of them.
 */
export async function listResources({
  scope: { scope, repositories },
  signal,
}: CallContext<Workspace>): Promise<readonly Resource[]> {
  const found = await repositories.find(scope, { count: MOST_FOUND, signal });
  const refs = await listRefs(found.repositories);
  return [...found.repositories.flatMap(describe), ...refs.map(describeRef)];
}

const MOST_FOUND = 1000;
const mimeType = 'application/json';

function describe({ top, place, kind }: Repository): Resource[] {
  const name = displayName(top);
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

function describeRef({ repository: { top }, name: ref }: ListedRef): Resource {
  const of = displayName(top);
  const isTag = /^"?refs\/tags\//.test(ref);
  return {
    uri: toGitUri(top, { kind: 'ref', name: ref }),
    name: `${of} ${ref}`,
    title: `${isTag ? 'tag' : 'branch'} ${ref.replace(/refs\/(?:heads|tags)\//, '')} of ${of}`,
    mimeType,
  };
}

function displayName(top: string): string {
  return showName(basename(top) || top);
}
