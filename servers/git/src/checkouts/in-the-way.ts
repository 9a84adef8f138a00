import { ToolError } from '@rootbound/protocol';
import type { Loss } from '../changes/consent.ts';
import { someOf, stampOf } from '../losses/names.ts';
import type { Opened } from '../opened.ts';
import { nameOfByteString } from '../porcelain/names.ts';
import { parseStatus, statusCommand } from '../porcelain/status.ts';
import type { StatusEntry } from '../porcelain/status-entries.ts';

import { type Difference, occupied } from './paths.ts';

/** The paths that git knows and that differ from the commit they are of: what a discarding checkout loses. */
export async function localChanges(opened: Opened): Promise<StatusEntry[]> {
  const asked = statusCommand({ untracked: 'none', renames: false, shallowSubmodules: true });
  return [...parseStatus((await opened.run(asked)).stdout).entries];
}

export function lossOf(opened: Opened, changes: readonly StatusEntry[]): Loss | undefined {
  const paths = changes.map(({ path }) => path);
  if (paths.length === 0) return undefined;
  return {
    question: `Discard what was changed and is in no commit: ${someOf(paths)}?`,
    label: 'Discard it',
    facts: [opened.repository.identity, changes, paths.map((path) => stampOf(opened, path))],
  };
}

/** Why git did not switch: what it would have written over, by name. */
export async function inTheWay(
  opened: Opened,
  differences: readonly Difference[],
  discarding: boolean,
): Promise<ToolError> {
  const changes = await localChanges(opened);
  const known = new Set(changes.map(({ path }) => path));
  const written = new Set(differences.map(({ path }) => nameOfByteString(path)));
  const changed = discarding ? [] : changes.map(({ path }) => path).filter((path) => written.has(path));
  const others = occupied(opened, differences, known);
  const paths = [...changed, ...others];
  const named = paths.length === 0 ? '' : `: ${someOf(paths)}`;
  const commit = 'git_commit or git_stash them first, or set discard_changes to lose those of tracked files';
  return new ToolError(`what is in no commit would be written over${named}`, {
    code: 'local-changes',
    hint: `nothing was done; ${discarding ? 'move these away: untracked files are never discarded here' : commit}`,
  });
}
