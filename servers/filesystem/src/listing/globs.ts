import { DEFAULT_EXCLUDE, type NameQuery } from '../search/query.ts';

/** Temporary files and folders of ours, which nobody is shown. */
const STAGING: readonly string[] = ['.rootbound-staging', '**/.rootbound-*-*-*.tmp'];

/** What a query leaves out: what the caller names, or version control and installed packages. */
export function excludesOf(patterns: readonly string[] | undefined): NameQuery['exclude'] {
  return [...STAGING, ...(patterns === undefined ? DEFAULT_EXCLUDE : patterns.map(anyDepth))];
}

/** A glob of one segment means entries of any depth, as in .gitignore; a bare word means that already. */
export function anyDepth(pattern: string): string {
  return pattern.includes('/') || !/[*?[\]{}\\]|[!+@]\(|^!/.test(pattern) ? pattern : `**/${pattern}`;
}

/** The glob of exactly this name at the top level. */
export function nameGlob(name: string): string {
  // the first escape also keeps the engine from reading a bare word as a part of names
  return name.replace(/^.|[*?[\]{}\\!()+@]/gsu, (character) => `\\${character}`);
}
