import * as z from 'zod';
import { pathsArgument, repoPath } from '../../call/arguments.ts';
import type { OperationFacts } from './operations.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  paths: pathsArgument,
  contents: z
    .enum(['regions', 'versions'])
    .optional()
    .describe('texts between markers, or of base, ours, theirs'),
  merge: z.string().optional().describe('preflight: a revision to merge'),
  into: z.string().optional().describe('default HEAD'),
  cursor: z.string().optional(),
});

// rows are described by their types alone: a schema for each would make this tool the longest of all
const row = z.looseObject({});

export const output = z.object({
  operations: z.array(row).optional().describe('in progress; in the first part'),
  preflight: row.optional(),
  conflicts: z.array(
    z.looseObject({
      path: z.string(),
      conflict: z.string().describe('both-modified, deleted-by-us, ...'),
      regions: z.array(row).optional().describe('absent: not a text with two sides, or too large'),
    }),
  ),
  total: z.int(),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

export type ConflictsArguments = z.output<typeof input>;

export type ConflictsOutput = Omit<z.input<typeof output>, 'operations' | 'preflight' | 'conflicts'> & {
  operations?: OperationFacts[];
  preflight?: PreflightFacts;
  conflicts: ConflictFacts[];
};

export interface PreflightFacts {
  ours: string;
  theirs: string;
  clean: boolean;
  /** conflicts that the merge would cause */
  tree: string;
  messages: string[];
}

export interface ConflictFacts {
  path: string;
  conflict: string;
  base?: VersionFacts;
  ours?: VersionFacts;
  theirs?: VersionFacts;
  regions?: RegionFacts[];
  region_count?: number;
  /** lines with a marker that belongs to no conflict */
  stray?: number[];
  /** regions or texts were omitted */
  cut?: boolean;
  /** lines that are not UTF-8 are decoded as Latin-1 */
  lossy?: boolean;
}

export interface VersionFacts {
  mode: string;
  oid: string;
  text?: string;
  binary?: boolean;
}

/** Lines are counted in the file with the markers; the first and last line of a region are markers. */
export interface RegionFacts {
  start: number;
  end: number;
  ours_label: string;
  theirs_label: string;
  ours?: string;
  /** undefined where the markers do not name it */
  base?: string;
  theirs?: string;
}
