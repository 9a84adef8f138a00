import * as z from 'zod';
import type { Suppressed } from '../../repository/audit.ts';
import type { OperationFacts } from './operations.ts';
import type { Drift } from './submodules.ts';
import type { WorktreeFacts } from './worktrees.ts';

/** The lists of an overview; `omitted` counts the items that do not fit. */
export interface Lists {
  readonly operations: readonly OperationFacts[];
  readonly worktrees: readonly WorktreeFacts[];
  /** submodules that differ from the recorded commit */
  readonly submodules: readonly ({ readonly path: string } & Drift)[];
  readonly remotes: readonly RemoteFacts[];
  readonly suppressed: readonly Suppressed[];
  /** the locks that exist now */
  readonly locks: readonly { readonly name: string; readonly age_seconds: number }[];
}

export interface RemoteFacts {
  readonly name: string;
  readonly url?: string;
  /** only where they differ from it */
  readonly push_urls?: readonly string[];
}

// a schema of these lists would be half of the tool, which every client receives at its start
const rows = z.array(z.looseObject({}));

export const overview = z.object({
  repository: z.string(),
  kind: z.enum(['normal', 'bare', 'linked-worktree', 'submodule']),
  read_only: z.boolean().optional(),
  branch: z.string().optional().describe('absent: HEAD is detached'),
  commit: z.string().optional().describe('absent: no commit yet'),
  subject: z.string().optional(),
  author: z.string().optional(),
  date: z.string().optional(),
  upstream: z.string().optional(),
  ahead: z.int().optional(),
  behind: z.int().optional(),
  staged: z.int().optional(),
  changed: z.int().optional(),
  filters_off: z.array(z.string()).optional().describe('filters that do not run, of changed files'),
  untracked: z.int().optional().describe('a folder of new files is one'),
  unmerged: z.int().optional(),
  stashes: z.int().optional(),
  problem: z.string().optional().describe('what git could not heed of .gitmodules and the like'),
  facts: z.array(z.string()).describe('sha256, reftable, shallow, partial, sparse, lfs'),
  trust: z.enum(['untrusted', 'trusted', 'changed']),
  containment: z.string().describe('of looks at files; git itself opens paths'),
  operations: rows,
  worktrees: rows,
  submodules: rows,
  remotes: rows,
  suppressed: rows,
  locks: rows,
  omitted: z.record(z.string(), z.int()).optional(),
  truncated: z.boolean(),
});

export type Overview = Omit<z.output<typeof overview>, keyof Lists> & Lists;
export type Head = Omit<Overview, keyof Lists | 'omitted' | 'truncated'>;
