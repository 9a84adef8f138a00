import { showPath } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type WorktreeFacts, worktreesOf } from '../../reading/state/worktrees.ts';
import { command } from '../../run/command.ts';
import { type Agreed, type Loss, requireConsent } from '../safety/consent.ts';
import { someOf } from '../safety/names.ts';
import { lostCommits } from './remove-worktree.ts';
import { otherwise } from './worktree-name.ts';
import type { Arguments, WorktreeResult } from './worktree-schema.ts';

/** The work trees that git would forget, as their folders are gone. */
export interface Pruning {
  readonly paths: readonly string[];
  readonly loses: readonly string[];
  readonly loss: Loss | undefined;
}

export async function planPruning(opened: Opened): Promise<Pruning> {
  const gone = goneAmong(await insideWorktrees(opened));
  const paths = gone.map(({ path }) => path!);
  const loses: string[] = [];
  for (const facts of gone) loses.push(...(await lostCommits(opened, { path: facts.path!, facts })));
  if (loses.length === 0) return { paths, loses, loss: undefined };
  return {
    paths,
    loses,
    loss: {
      question: `Forget work trees whose folders are gone, with ${someOf(loses)} that nothing else leads to?`,
      label: 'Forget them',
      facts: [opened.repository.commonIdentity, gone],
    },
  };
}

export async function prune(
  opened: Opened,
  { paths, loses, loss }: Pruning,
  { dry_run, confirm }: Arguments,
  agreed: Agreed,
): Promise<WorktreeResult> {
  const facts = {
    pruned: paths.map((path) => showPath(path)),
    ...(loses.length > 0 && { loses: [...loses] }),
  };
  if (dry_run) return facts;
  requireConsent(loss, agreed, confirm);
  await opened.run(command('worktree prune'));
  if (goneAmong(await worktreesOf(opened)).length > 0) throw otherwise();
  return facts;
}

/** Returns all work trees that git may judge: those outside the roots are none of a caller's business. */
export async function insideWorktrees(opened: Opened): Promise<WorktreeFacts[]> {
  const found = await worktreesOf(opened);
  if (!found.some(({ outside, main }) => outside && !main)) return found;
  throw new ToolError('the repository has work trees outside the roots, which git would prune, too', {
    code: 'unsupported',
    hint: 'remove one work tree by its path, or add a root that holds them all',
  });
}

function goneAmong(found: readonly WorktreeFacts[]): WorktreeFacts[] {
  return found.filter(({ prunable, locked }) => prunable !== undefined && locked === undefined);
}
