import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';

export const kinds = ['tags', 'stashes', 'worktrees', 'submodules', 'reflog'] as const;

export type Kind = (typeof kinds)[number];

export const input = z.strictObject({
  repo_path: repoPath,
  kind: z.enum(kinds),
  pattern: z.string().optional().describe('tags: v1.*'),
  contains: z.string().optional().describe('tags'),
  sort: z.enum(['name', 'version', 'date']).optional().describe('tags; version, date: newest first'),
  messages: z.boolean().optional().describe('tags'),
  ref: z.string().optional().describe('reflog: default HEAD'),
  max_count: z.int().min(1).max(1000).optional().describe('reflog: default 50'),
  cursor: z.string().optional(),
});

export type ListArguments = z.output<typeof input>;

/** The arguments that only one kind has. */
export const ofKind = {
  pattern: 'tags',
  contains: 'tags',
  sort: 'tags',
  messages: 'tags',
  ref: 'reflog',
  max_count: 'reflog',
} as const satisfies Partial<Record<keyof ListArguments, Kind>>;
