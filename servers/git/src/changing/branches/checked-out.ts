import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { parseWorktrees, worktreesCommand } from '../../porcelain/worktrees.ts';
import { branchOf } from '../../repository/head.ts';
import type { RefName } from '../../run/operand.ts';

/** Throws when a work tree has the branch checked out. */
export async function assertFree(opened: Opened, branch: RefName): Promise<void> {
  const { stdout } = await opened.run(worktreesCommand());
  const held = parseWorktrees(stdout).some(({ branch: at }) => at !== undefined && branchOf(at) === branch);
  if (!held) return;
  throw new ToolError(`the branch ${branch} is checked out`, {
    code: 'checked-out',
    hint: 'git_list with kind worktrees lists where; switch there to another one first, or use git_reset to move it',
  });
}
