import * as z from 'zod';
import { pathsArgument, repoPath } from '../../call/arguments.ts';
import { changedFile } from '../patches/changed-files.ts';
import { commitFacts } from './commit-facts.ts';

export const MAX_COUNT = 10;

export const input = z.strictObject({
  repo_path: repoPath,
  revision: z.string().optional().describe('or a..b, a...b; default HEAD'),
  all: z.boolean().optional(),
  max_count: z.int().min(1).optional().describe(`default ${MAX_COUNT}`),
  start_timestamp: z.string().optional().describe('date, or 2 weeks ago'),
  end_timestamp: z.string().optional(),
  author: z.string().optional(),
  committer: z.string().optional(),
  grep: z.string().optional(),
  fixed: z.boolean().optional(),
  ignore_case: z.boolean().optional(),
  occurs: z.string().optional().describe('-S'),
  changed_lines: z.string().optional().describe('-G'),
  paths: pathsArgument,
  follow: z.boolean().optional().describe('one path'),
  first_parent: z.boolean().optional(),
  merges: z.enum(['only', 'none']).optional(),
  graph: z.boolean().optional(),
  files: z.boolean().optional().describe('of merges only with first_parent'),
  body: z.boolean().optional().describe('whole messages'),
  cursor: z.string().optional(),
});

const commit = z.object({
  ...commitFacts,
  message: z.string().describe('its first paragraph, or all of it'),
  message_truncated: z.boolean().optional(),
  files: z.array(changedFile).optional(),
  files_total: z.int().optional().describe('where these are too many: git_show has all'),
  graph: z.array(z.string()).optional().describe('beside the commit, and the rows below'),
});

export const output = z.object({
  commits: z.array(commit),
  shallow: z.array(z.string()).optional().describe('of these, where a shallow clone ends'),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

export type LogArguments = z.output<typeof input>;
export type LogOutput = z.input<typeof output>;
export type CommitResult = z.input<typeof commit>;
