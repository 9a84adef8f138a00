import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { worktree } from '../../reading/state/worktrees.ts';
import { changed, confirmed, dryRun } from '../safety/change-schema.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  action: z.enum(['add', 'remove', 'move', 'lock', 'unlock', 'prune', 'repair']),
  path: z.string().optional(),
  new_path: z.string().optional().describe('move'),
  branch_name: z.string().optional().describe('detach: any revision'),
  create: z.boolean().optional(),
  base: z.string().optional(),
  detach: z.boolean().optional(),
  reason: z.string().optional().describe('lock'),
  dry_run: dryRun,
  confirm: confirmed,
});

export const output = z.object({
  ...changed,
  worktree: worktree.optional().describe('as it is now, or was'),
  previous_path: z.string().optional(),
  created: z.string().optional().describe('branch'),
  loses: z.array(z.string()).optional().describe('files in no commit, and commits without another ref'),
  pruned: z.array(z.string()).optional(),
  repaired: z.array(z.string()).optional().describe("in git's words"),
  output: z.string().optional().describe('by hooks'),
});

export type Arguments = z.output<typeof input>;
/** The result's members besides HEAD before and after. */
export type WorktreeResult = Partial<z.output<typeof output>>;

export function undoBy(args: Partial<Arguments>): string {
  return `git_worktree with ${JSON.stringify(args)}`;
}
