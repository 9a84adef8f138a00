import { matching } from '@rootbound/kit/prompts';
import type { Complete } from '@rootbound/protocol';
import { findDatabases } from '../databases/find.ts';
import type { Workspace } from '../workspace.ts';
import { suggested } from './suggestions.ts';

/** Somebody is typing: a search of all that `list_databases` looks at would come too late. */
const limits = { depth: 4, entries: 5_000 };
const MOST_FOUND = 500;

/** Paths of databases in the roots, as the tools and prompts take them. */
export const completeDatabase: Complete<Workspace> = (value, { scope: { scope } }) => {
  const paths: string[] = [];
  for (const seen of findDatabases(scope, limits)) {
    if ('database' in seen) paths.push(seen.database.path);
    if (paths.length >= MOST_FOUND) break;
  }
  return suggested(matching(paths, value));
};
