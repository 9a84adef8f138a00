import * as z from 'zod';
import { pathsArgument, repoPath } from '../../call/arguments.ts';
import { changedFile } from './changed-files.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  target: z.string().optional().describe('revision against the work tree, or a..b, a...b; default the index'),
  staged: z.boolean().optional().describe('the index against target, default HEAD'),
  paths: pathsArgument,
  context_lines: z.int().min(0).max(10_000).optional(),
  stat_only: z.boolean().optional(),
  count_lines: z.boolean().optional(),
  ignore_space: z.enum(['at-end', 'amount', 'all']).optional(),
  cursor: z.string().optional(),
});

/** The arguments that the official server's two tools for uncommitted changes take. */
export const officialInput = input.pick({ repo_path: true, context_lines: true, cursor: true });

export const output = z.object({
  compared: z.enum(['unstaged', 'staged', 'worktree', 'between']),
  from: z.string().optional(),
  to: z.string().optional(),
  files: z.array(changedFile).describe('in the first parts'),
  total: z.int().optional().describe('files; in the first parts'),
  patch: z.string().optional().describe('raw; the files come first'),
  hunks: z
    .array(z.looseObject({ path: z.string() }))
    .optional()
    .describe('of this part, to choose from; ids hold while both sides stay as they are'),
  lossy: z.boolean().optional().describe('lines that are not UTF-8 are decoded as Latin-1'),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

export type DiffArguments = z.output<typeof input>;
export type DiffOutput = Omit<z.input<typeof output>, 'hunks'> & { hunks?: FileHunks[] };

export interface FileHunks {
  path: string;
  /** the id of a change that is no hunk: mode, name, binary or empty contents */
  head?: string;
  /** each with its position, as in its `@@` line */
  ids: { id: string; at: string }[];
}
