import type { Opened } from '../../call/open-repository.ts';
import type { ConflictedPath } from '../../porcelain/conflicts.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { hasMarkers } from '../../reading/state/conflict-facts.ts';
import { command } from '../../run/command.ts';

/**
 * Restores conflicts that were resolved: writes their versions to the index, and git's merge of them to the work tree.
 */
export async function reopen(opened: Opened, conflicts: readonly ConflictedPath[]): Promise<void> {
  // not by `restore --merge` alone: it finds no path that is missing in the index
  const input = Buffer.concat(conflicts.flatMap(entriesOf));
  await opened.run(command('update-index', { flags: ['-z', '--index-info'], input }));
  for (const how of ['--merge', '--ours', '--theirs'] as const) {
    const paths = conflicts.filter((one) => wayOf(one) === how).map(({ path }) => bytesOfName(path));
    if (paths.length > 0) await opened.run(command('restore', { flags: ['--worktree', how], paths }));
  }
}

/**
 * Returns the version that the work tree gets for a path in conflict: one whole side for a link, or where one side has
 * deleted it.
 */
function wayOf(conflict: ConflictedPath): '--merge' | '--ours' | '--theirs' | undefined {
  if (hasMarkers(conflict)) return '--merge';
  if (conflict.ours !== undefined) return '--ours';
  return conflict.theirs === undefined ? undefined : '--theirs';
}

function entriesOf({ path, base, ours, theirs }: ConflictedPath): Buffer[] {
  const versions = [base, ours, theirs];
  const name = Buffer.concat([bytesOfName(path), Buffer.from('\0')]);
  const none = '0'.repeat(versions.find((stage) => stage !== undefined)!.oid.length);
  return [
    ...[Buffer.from(`0 ${none}\t`), name],
    ...versions.flatMap((stage, at) =>
      stage === undefined ? [] : [Buffer.from(`${stage.mode} ${stage.oid} ${at + 1}\t`), name],
    ),
  ];
}
