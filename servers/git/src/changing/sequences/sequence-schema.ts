import * as z from 'zod';
import type { OperationFacts } from '../../reading/state/operations.ts';
import { type Changed, changed } from '../safety/change-schema.ts';

export const states = ['done', 'conflicts', 'stopped', 'up-to-date', 'fast-forwarded'] as const;

// rows are described by their types alone, as in the results of git_conflicts
const row = z.looseObject({});

/** The members of every result of an operation that may stop half-way. */
export const sequenced = z.object({
  ...changed,
  state: z.enum(states),
  reason: z.string().optional().describe('why it stopped'),
  operation: row.optional().describe('the operation in progress'),
  conflicts: z.array(row).optional(),
  total_conflicts: z.int().optional(),
  next: z.array(z.string()).optional().describe('the tools that continue'),
  moved: z.array(row).optional().describe('other branches that a rebase took along'),
  signed: z.boolean().optional().describe('false: signing is set up, and was kept from running'),
  output: z.string().optional().describe('what hooks printed'),
  would_lose: z.array(z.string()).optional(),
});

/** A path in conflict and its kind. */
export type InConflict = {
  path: string;
  conflict: string;
};

export type MovedBranch = {
  branch: string;
  before: string;
  after?: string;
};

export interface Sequenced extends Changed {
  state: (typeof states)[number];
  reason?: string;
  operation?: OperationFacts;
  conflicts?: InConflict[];
  total_conflicts?: number;
  next?: string[];
  moved?: MovedBranch[];
  signed?: boolean;
  output?: string;
  would_lose?: string[];
}
