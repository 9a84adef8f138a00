import { matching } from '@rootbound/kit/prompts';
import type { Complete } from '@rootbound/protocol';
import { findDatabases } from '../databases/find.ts';
import type { Workspace } from '../workspace.ts';
import { suggested } from './suggestions.ts';

/** Limits of the search while a user types, below those of `list_databases`. */
const limits = { depth: 4, entries: 5_000 };
const MOST_FOUND = 500;

/** Suggests paths of databases in the roots, as tools and prompts take them. */
export const completeDatabase: Complete<Workspace> = (value, { scope: { scope } }) => {
  const paths: string[] = [];
  for (const seen of findDatabases(scope, limits)) {
    if ('database' in seen) paths.push(seen.database.path);
    if (paths.length >= MOST_FOUND) break;
  }
  return suggested(matching(paths, value));
};
