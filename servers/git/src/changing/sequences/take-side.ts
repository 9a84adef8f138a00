import type { Opened } from '../../call/open-repository.ts';
import type { ConflictedPath } from '../../porcelain/conflicts.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { type Side, takeSide } from '../../porcelain/resolve.ts';
import { command } from '../../run/command.ts';

/** Takes whole versions; a side without a version of a path removes it. */
export async function take(
  opened: Opened,
  conflicts: readonly ConflictedPath[],
  side: Side | 'none',
): Promise<void> {
  const wanted = side === 'none' ? conflicts.map((one) => ({ ...one, ours: undefined })) : conflicts;
  const of = side === 'none' ? 'ours' : side;
  const [modules, others] = [true, false].map((is) =>
    wanted.filter((one, at) => one[of] === undefined && isSubmodule(conflicts[at]!) === is),
  );
  const present = wanted.filter((one) => one[of] !== undefined);
  const taken = takeSide([...present, ...others!], of);
  for (const each of [taken.index, taken.worktree, taken.removal])
    if (each !== undefined) await opened.run(each);
  // not from the disk: another repository is in it
  if (modules!.length > 0) await opened.run(forgetting(modules!));
}

function isSubmodule({ base, ours, theirs }: ConflictedPath): boolean {
  return [base, ours, theirs].some((stage) => stage?.mode === '160000');
}

function forgetting(conflicts: readonly ConflictedPath[]) {
  const entries = conflicts.flatMap(({ path, base, ours, theirs }) => [
    Buffer.from(`0 ${'0'.repeat((base ?? ours ?? theirs)!.oid.length)}\t`),
    bytesOfName(path),
    Buffer.from('\0'),
  ]);
  return command('update-index', { flags: ['-z', '--index-info'], input: Buffer.concat(entries) });
}
