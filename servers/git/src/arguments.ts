import * as z from 'zod';
import { bytesOfName, isPlainName } from './porcelain/names.ts';
import type { PathArgument } from './run/command.ts';

/** Where the repository is, as every tool takes it; what it may be is told once, by `git_overview`. */
export const repoPath = z.string().optional();

/** Paths in a repository, from its top, as results give them. */
export const pathsArgument = z.array(z.string()).min(1).optional().describe('from the top');

/** Whether a cursor holds an index. */
export function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The paths that names of results stand for. */
export function toPaths(names: readonly string[]): PathArgument[] {
  return names.map((name) => (isPlainName(name) ? name : bytesOfName(name)));
}
