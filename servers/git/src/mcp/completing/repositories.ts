import { matching } from '@rootbound/kit/prompts';
import type { Complete } from '@rootbound/protocol';
import type { Workspace } from '../../call/workspace.ts';

/** Folders that are looked at, at most: a complete search would be too slow for typing. */
const limits = { depth: 4, count: 200, folders: 2000 };

/** Returns paths of repositories in the roots, as tools and prompts take them. */
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
