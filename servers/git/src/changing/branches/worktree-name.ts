import { locate, showPath } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { insidePath, type WorktreeFacts, worktreesOf } from '../../reading/state/worktrees.ts';

/** A linked work tree inside the roots. */
export interface Linked {
  /** its real path, also where it was removed */
  readonly path: string;
  readonly facts: WorktreeFacts;
}

/** Returns the linked work tree that a caller names; throws for the main one. */
export async function linkedAt(opened: Opened, path: string | undefined): Promise<Linked> {
  const linked = await worktreeAt(opened, locate(opened.repository.opened.roots, needed(path, 'path')).path);
  if (linked === undefined) {
    throw new ToolError(`no work tree of this repository: ${showPath(path!)}`, {
      code: 'unknown-path',
      hint: 'git_list with kind worktrees lists them',
    });
  }
  if (!linked.facts.main) return linked;
  throw new ToolError('that is the main work tree, which cannot be moved or removed', {
    code: 'unsupported',
  });
}

/** Returns the work tree at a real path; undefined where the repository knows none there. */
export async function worktreeAt(opened: Opened, real: string): Promise<Linked | undefined> {
  const { roots } = opened.repository.opened;
  const facts = (await worktreesOf(opened)).find(
    ({ path }) => path !== undefined && insidePath(roots, path) === real,
  );
  return facts === undefined ? undefined : { path: real, facts };
}

/** Throws where the work tree is in use. */
export function assertIdle({ path, facts: { current, locked } }: Linked, { repository }: Opened): void {
  if (current) {
    throw new ToolError('that is the work tree that this call is for', {
      code: 'unsupported',
      hint: 'name another one of the repository in repo_path',
    });
  }
  if (locked !== undefined) {
    throw new ToolError(`the work tree is locked${locked === '' ? '' : `: ${showPath(locked)}`}`, {
      code: 'locked',
      hint: 'if its reason is gone: git_worktree with action "unlock"',
    });
  }
  if (repository.opened.roots.rootOf(path)?.readOnly !== false) throw readOnly();
}

export function readOnly(): ToolError {
  return new ToolError('the work tree is in a root that may only be read', { code: 'read-only' });
}

export function needed(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new ToolError(`${name} is missing`, { code: 'invalid-arguments' });
}

/** Returns the failure for a change that git reported and did not make. */
export function otherwise(): ToolError {
  return new ToolError('git reported success, but its list of work trees differs', {
    code: 'changed',
    hint: 'another program may have changed it; git_list with kind worktrees lists them',
  });
}
