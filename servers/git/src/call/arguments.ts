import * as z from 'zod';
import { bytesOfName, isPlainName } from '../porcelain/names.ts';
import type { PathArgument } from '../run/command.ts';

/** The path of a repository, the same argument of every tool; `git_overview` alone describes it. */
export const repoPath = z.string().optional();

/** Paths in a repository, from its top, as results give them. */
export const pathsArgument = z.array(z.string()).min(1).optional();

/** Whether a cursor holds an index. */
export function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns the paths that the names of results stand for. */
export function toPaths(names: readonly string[]): PathArgument[] {
  return names.map((name) => (isPlainName(name) ? name : bytesOfName(name)));
}
