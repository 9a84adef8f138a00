import { ToolError } from '@rootbound/protocol';
import { isOid } from '../run/oid.ts';
import { branchOf, refOfHead, textOfHead } from './head.ts';
import type { Objects } from './objects.ts';

/** Names of HEAD; a range leaves it out. */
const heads: readonly string[] = ['HEAD', '@', ''];

/**
 * Returns the failure for a name of HEAD or of its branch before the first commit; undefined for any other name, and
 * where there is a commit.
 */
export async function noCommitYet(
  objects: Objects,
  name: string,
  signal?: AbortSignal,
): Promise<ToolError | undefined> {
  const { repository } = objects;
  const ref = refOfHead(repository);
  const branches = ref === undefined ? [] : [ref, ref.replace(/^refs\//, ''), branchOf(ref)];
  if (!heads.includes(name) && !branches.includes(name)) return undefined;
  // a detached HEAD without its commit is damage
  if (isOid(textOfHead(repository))) return undefined;
  if ((await objects.look('HEAD', signal)).kind !== 'missing') return undefined;
  return new ToolError(
    `no commit yet: HEAD${ref === undefined ? '' : ` is at ${branchOf(ref)}, which`} has none`,
    {
      code: 'unknown-revision',
      hint: 'git_status lists the files, git_list_files and git_read_file with staged: true what is staged; git_branch lists the branches that have commits',
    },
  );
}
