import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { type Changed, changed } from '../safety/change-schema.ts';
import type { InConflict } from './sequence-schema.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  paths: z.array(z.string()).min(1),
  side: z.enum(['ours', 'theirs', 'base']).optional(),
  decisions: z
    .array(z.union([z.enum(['ours', 'theirs', 'base', 'both', 'leave']), z.object({ text: z.string() })]))
    .optional()
    .describe('for each marked conflict in order'),
  content: z.string().optional(),
  delete: z.boolean().optional(),
  reopen: z.boolean().optional(),
  allow_markers: z.boolean().optional(),
  expected: z.array(z.string()).optional().describe('oids from git_conflicts'),
});

export type ResolveArguments = z.output<typeof input>;

const row = z.looseObject({});

export const output = z.object({
  ...changed,
  resolved: z.array(z.string()),
  conflicts: z.array(row).describe('that are left'),
  total_conflicts: z.int(),
  next: z.array(z.string()),
});

export interface Resolved extends Changed {
  resolved: string[];
  conflicts: InConflict[];
  total_conflicts: number;
  next: string[];
}
