import * as z from 'zod';
import { pathsArgument, repoPath } from '../../call/arguments.ts';
import { changed, confirmed, dryRun } from '../safety/change-schema.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  action: z.enum(['init', 'update', 'sync', 'deinit']),
  paths: pathsArgument,
  init: z.boolean().optional(),
  recursive: z.boolean().optional(),
  force: z.boolean().optional().describe('discards changes'),
  dry_run: dryRun,
  confirm: confirmed,
});

export const submoduleChange = z.object({
  path: z.string(),
  url: z.string().optional().describe('configured, or reached'),
  previous_url: z.string().optional(),
  before: z.string().optional().describe('the commit in it; absent: not checked out'),
  after: z.string().optional(),
  skipped: z.string().optional().describe('why'),
});

export const output = z.object({
  ...changed,
  submodules: z.array(submoduleChange),
  more: z.int().optional(),
  loses: z.array(z.string()).optional().describe('data that is in no commit'),
});

export type Arguments = z.output<typeof input>;
export type SubmoduleChange = z.output<typeof submoduleChange>;
/** The result's members besides HEAD before and after. */
export interface SubmoduleResult {
  readonly submodules: readonly SubmoduleChange[];
  readonly loses?: readonly string[];
  readonly undo?: string;
}

export function submoduleLine({ path, url, previous_url, before, after, skipped }: SubmoduleChange): string {
  const [from, to] = [before, after].map((commit) => commit?.slice(0, 12));
  const moved = to === undefined ? (from ?? '') : from === to ? `at ${to}` : `${from ?? 'new'} -> ${to}`;
  const where = url === undefined ? '' : `(${previous_url === undefined ? '' : `${previous_url} -> `}${url})`;
  const why = skipped === undefined ? '' : `skipped: ${skipped}`;
  return `${path}: ${[moved, where, why].filter((part) => part !== '').join(' ')}`;
}
