import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { parseStatus, statusCommand } from '../../porcelain/status.ts';
import type { Changed, StatusEntry, Unmerged } from '../../porcelain/status-entries.ts';
import type { Selection } from './selection.ts';

/** Returns the differences between HEAD, the index and the work tree, path by path. */
export async function stateOf(
  opened: Opened,
  selection: Selection | undefined,
  untracked: 'none' | 'all' = 'none',
): Promise<StatusEntry[]> {
  const asked = statusCommand({
    untracked,
    renames: false,
    shallowSubmodules: true,
    ...(selection?.fits === true && { paths: selection.paths }),
  });
  const { stdout, truncated } = await opened.run(asked);
  if (truncated) throw new ToolError('more files differ than can be looked at', { code: 'too-large' });
  const { entries } = parseStatus(stdout);
  return selection === undefined || selection.fits
    ? [...entries]
    : entries.filter(({ path }) => selection.holds(path));
}

/** Returns the tracked paths that are changed or in conflict. */
export function isTracked(entry: StatusEntry): entry is Changed | Unmerged {
  return entry.kind === 'changed' || entry.kind === 'unmerged';
}

export function isUnmerged(entry: StatusEntry): entry is Unmerged {
  return entry.kind === 'unmerged';
}

export function isStaged(entry: StatusEntry): entry is Changed {
  return entry.kind === 'changed' && entry.index !== '.';
}

/** Returns whether only the addition is intended: the index has the path without content. */
export function isIntended(entry: StatusEntry): entry is Changed {
  return entry.kind === 'changed' && entry.index === '.' && entry.worktree === 'A';
}

/** Returns whether the work tree differs from the index. */
export function isUnstaged(entry: StatusEntry): entry is Changed {
  return entry.kind === 'changed' && entry.worktree !== '.';
}

/** Paths that a sentence names at most. */
const MOST_NAMED = 5;

export function naming(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return paths.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Throws where some of these paths are in conflict. */
export function refuseUnmerged(entries: readonly StatusEntry[], hint: string): void {
  const unmerged = entries.filter(isUnmerged).map(({ path }) => path);
  if (unmerged.length === 0) return;
  throw new ToolError(`there are conflicts: ${naming(unmerged)}`, { code: 'conflict', hint });
}
