import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { changed } from '../safety/change-schema.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  action: z.enum(['push', 'apply', 'pop', 'drop', 'branch', 'store']),
  stash: z.string().optional().describe('its number, default 0, or its commit'),
  expected: z.string().optional().describe('its commit'),
  message: z.string().optional(),
  paths: z.array(z.string()).min(1).optional().describe('push: only these'),
  include_untracked: z.boolean().optional(),
  staged: z.boolean().optional().describe('push: only what is staged'),
  keep_index: z.boolean().optional(),
  index: z.boolean().optional().describe('apply, pop'),
  branch_name: z.string().optional().describe('branch: made where the stash was'),
});

export const output = z.object({
  ...changed,
  state: z.enum(['done', 'nothing', 'conflicts']),
  stash: z.string().optional().describe('its commit'),
  message: z.string().optional(),
  conflicts: z.array(z.object({ path: z.string(), conflict: z.string() })).optional(),
  next: z.array(z.string()).optional(),
});

export type Arguments = z.output<typeof input>;
/** The result's members besides HEAD before and after. */
export type StashResult = Omit<z.input<typeof output>, keyof typeof changed> & { undo?: string };
