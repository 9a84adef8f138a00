import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { overwrittenBy } from './discarded.ts';
import { someOf } from './names.ts';
import { stateOf } from './path-states.ts';
import { type Difference, occupied } from './written-paths.ts';

/** Returns why git did not switch: the paths that it would have overwritten. */
export async function inTheWay(
  opened: Opened,
  differences: readonly Difference[],
  discarding: boolean,
): Promise<ToolError> {
  const changes = await stateOf(opened, undefined);
  const known = new Set(changes.map(({ path }) => path));
  const written = new Set(differences.map(({ path }) => nameOfByteString(path)));
  const changed = discarding ? [] : changes.map(({ path }) => path).filter((path) => written.has(path));
  const others = occupied(opened, differences, known);
  const paths = [...changed, ...others];
  return writtenOver(paths, discarding);
}

/** Throws when git would overwrite untracked files: git itself overwrites ignored files without asking. */
export async function refuseOverwriting(opened: Opened, coming: readonly string[]): Promise<void> {
  const others = await overwrittenBy(opened, coming);
  if (others.length === 0) return;
  throw writtenOver(
    others.map(({ path }) => path),
    true,
  );
}

function writtenOver(paths: readonly string[], discarding: boolean): ToolError {
  const named = paths.length === 0 ? '' : `: ${someOf(paths)}`;
  const commit = 'git_commit or git_stash them first, or set discard_changes to lose those of tracked files';
  return new ToolError(`files that are in no commit would be overwritten${named}`, {
    code: 'local-changes',
    hint: `nothing was done; ${discarding ? 'move them: git_checkout never discards untracked files' : commit}`,
  });
}
