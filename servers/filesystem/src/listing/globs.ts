import { DEFAULT_EXCLUDE, type NameQuery } from '../search/query.ts';

/** Globs of this server's temporary files and folders, which no result lists. */
const STAGING: readonly string[] = ['.rootbound-staging', '**/.rootbound-*-*-*.tmp'];

/** Returns the excludes of a query: the caller's patterns, or else .git and node_modules. */
export function excludesOf(patterns: readonly string[] | undefined): NameQuery['exclude'] {
  return [...STAGING, ...(patterns === undefined ? DEFAULT_EXCLUDE : patterns.map(anyDepth))];
}

/** Returns a glob of one segment as one that matches at any depth, as in .gitignore. */
export function anyDepth(pattern: string): string {
  return pattern.includes('/') || !/[*?[\]{}\\]|[!+@]\(|^!/.test(pattern) ? pattern : `**/${pattern}`;
}

/** Returns the glob of exactly this name at the top level. */
export function nameGlob(name: string): string {
  // the first character is always escaped: the engine would match a bare word as a part of names
  return name.replace(/^.|[*?[\]{}\\!()+@]/gsu, (character) => `\\${character}`);
}
