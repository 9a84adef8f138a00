import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { changed, confirmed, dryRun } from '../safety/change-schema.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  branch_name: z.string(),
  action: z.enum(['rename', 'delete', 'move', 'set_upstream', 'unset_upstream']),
  new_name: z.string().optional(),
  upstream: z.string().optional().describe('a branch, such as origin/main'),
  revision: z.string().optional().describe('move: where to'),
  expected: z.string().optional().describe('the commit it must have: else nothing is done'),
  dry_run: dryRun,
  confirm: confirmed,
});

export const output = z.object({
  ...changed,
  name: z.string(),
  commit: z.string().optional().describe('it is at; absent: it was deleted'),
  previous: z.string().optional().describe('the commit it was at'),
  previous_name: z.string().optional(),
  upstream: z.string().optional(),
  unmerged: z.int().optional().describe('commits that nothing else leads to'),
});

export type Arguments = z.output<typeof input>;
/** The result's members besides HEAD before and after. */
export type BranchResult = Partial<z.input<typeof output>> & { name: string };
