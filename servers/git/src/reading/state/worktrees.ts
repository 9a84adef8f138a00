import { basename, dirname } from 'node:path';
import { locate, type Scope, showPath, textOfBytes } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';
import { parseWorktrees, type Worktree, worktreesCommand } from '../../porcelain/worktrees.ts';
import { branchOf } from '../../repository/head.ts';

/** A work tree of a result. One outside the roots has no path, and nobody learns whether it exists. */
export const worktree = z.object({
  path: z.string().optional(),
  outside: z.boolean().optional().describe('of the roots'),
  main: z.boolean().optional(),
  current: z.boolean().optional(),
  bare: z.boolean().optional(),
  branch: z.string().optional(),
  commit: z.string().optional(),
  locked: z.string().optional().describe('why'),
  prunable: z.string().optional().describe('why'),
});

export type WorktreeFacts = z.output<typeof worktree>;

export async function worktreesOf(opened: Opened): Promise<WorktreeFacts[]> {
  const { stdout } = await opened.run(worktreesCommand());
  return parseWorktrees(stdout).map((found, index) =>
    index === 0 ? toFacts(opened, mainOf(opened, found), true) : toFacts(opened, found, false),
  );
}

/** Returns the main work tree: without trust, git takes the common directory that it is given for its git dir. */
function mainOf({ repository: { commonDir, settings } }: Opened, found: Worktree): Worktree {
  const path = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  return { ...found, path: nameOfByteString(Buffer.from(path).toString('latin1')), bare: settings.bare };
}

function toFacts({ repository: { opened, place } }: Opened, found: Worktree, main: boolean): WorktreeFacts {
  const real = insidePath(opened.roots, found.path);
  const { bare, branch, commit, locked, prunable } = found;
  return {
    ...(real === undefined ? { outside: true } : { path: found.path }),
    ...(main && { main }),
    ...(real === (place.workTree ?? place.gitDir) && { current: true }),
    ...(bare && { bare }),
    ...(branch !== undefined && { branch: branchOf(branch) }),
    ...defined({ commit, locked }),
    // it would show whether something exists
    ...(prunable !== undefined && real !== undefined && { prunable }),
  };
}

/** Returns the real path; undefined when it is outside. */
export function insidePath(roots: Scope, name: string): string | undefined {
  try {
    return locate(roots, textOfBytes(bytesOfName(name))).path;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

export function worktreeLine(facts: WorktreeFacts): string {
  const { path, branch, commit, bare, main, current, locked, prunable } = facts;
  const where = bare ? 'bare' : (branch ?? (commit === undefined ? 'no commit yet' : 'detached'));
  const notes = [
    main ? 'main' : '',
    locked === undefined ? '' : `locked${locked === '' ? '' : `: ${showPath(locked)}`}`,
    prunable === undefined ? '' : `prunable: ${showPath(prunable)}`,
  ].filter((note) => note !== '');
  const displayPath = path === undefined ? '(outside the roots)' : showPath(path);
  const at = commit === undefined ? '' : ` ${commit.slice(0, 12)}`;
  return `${current ? '*' : ' '} ${displayPath}${at} [${where}]${notes.map((note) => ` (${note})`).join('')}`;
}
