import { matching } from '@rootbound/kit/prompts';
import type { Complete } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

/** Somebody is typing: a search of all that `git_repositories` looks at would come too late. */
const limits = { depth: 4, count: 200, folders: 2000 };

/** Paths of repositories in the roots, as the tools and prompts take them. */
export const completeRepositories: Complete<Workspace> = async (
  value,
  { scope: { scope, repositories }, signal },
) => {
  const found = await repositories.find(scope, { ...limits, signal });
  const values = matching(
    found.repositories.map(({ top }) => top),
    value,
  );
  return found.truncated ? { values, hasMore: true } : values;
};
