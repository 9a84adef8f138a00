import { showPath } from '@rootbound/kit/boundary';
import type { Opened } from '../../call/open-repository.ts';
import { tool, type Workspace } from '../../call/workspace.ts';
import { worktreeLine } from '../../reading/state/worktrees.ts';
import type { Agreed } from '../safety/consent.ts';
import { askToLose } from '../safety/data-loss-consent.ts';
import { someOf } from '../safety/names.ts';
import { movement, pointOf } from '../safety/point.ts';
import { add } from './add-worktree.ts';
import { lock, move, unlock } from './change-worktree.ts';
import { planPruning, prune } from './prune-worktrees.ts';
import { planRemoval, remove } from './remove-worktree.ts';
import { repair } from './repair-worktree.ts';
import { type Arguments, input, output, type WorktreeResult } from './worktree-schema.ts';

export const gitWorktree = tool({
  name: 'git_worktree',
  title: 'Change work trees',
  description: 'Adds, moves, locks or removes linked work trees; prune forgets deleted ones.',
  input,
  output,
  annotations: { destructiveHint: true, openWorldHint: false },
  ask: ({ action, path, repo_path, dry_run }, ask, context) =>
    (action === 'remove' || action === 'prune') && !dry_run
      ? askToLose(ask, context, repo_path, async (opened) => {
          const planned =
            action === 'prune'
              ? await planPruning(opened)
              : await planRemoval(opened, context.scope, path, context.signal);
          return planned.loss;
        })
      : undefined,
  run(args, { scope: workspace, signal, answers }) {
    return workspace.repositories.change(workspace.scope, args.repo_path, signal, async (opened) => {
      const before = await pointOf(opened);
      const { undo, ...facts } = await act(opened, workspace, args, signal, answers);
      return { ...movement(opened, before, await pointOf(opened), undo), ...facts };
    });
  },
  render(
    { worktree, previous_path, created, loses, pruned, repaired, output: printed },
    { action, dry_run },
  ) {
    const lines: string[] = [];
    const would = dry_run ? 'would ' : '';
    if (worktree !== undefined) {
      const from = previous_path === undefined ? '' : ` from ${showPath(previous_path)}`;
      lines.push(`${would}${action}${from}:${worktreeLine(worktree).slice(1)}`);
    }
    if (created !== undefined) lines.push(`new branch ${created}`);
    if (pruned !== undefined)
      lines.push(pruned.length === 0 ? 'nothing to prune' : `${would}prune ${someOf(pruned)}`);
    if (action === 'repair' && dry_run) lines.push('dry run: nothing was repaired');
    if (repaired !== undefined) lines.push(...(repaired.length === 0 ? ['nothing repaired'] : repaired));
    if (loses !== undefined) lines.push(`${dry_run ? 'would lose' : 'lost'} ${someOf(loses)}`);
    if (printed !== undefined) lines.push(printed);
    return lines.join('\n');
  },
});

async function act(
  opened: Opened,
  workspace: Workspace,
  args: Arguments,
  signal: AbortSignal,
  agreed: Agreed,
): Promise<WorktreeResult> {
  switch (args.action) {
    case 'add':
      return add(opened, workspace, args);
    case 'remove':
      return remove(opened, await planRemoval(opened, workspace, args.path, signal), args, agreed);
    case 'move':
      return move(opened, workspace, args);
    case 'lock':
      return lock(opened, args);
    case 'unlock':
      return unlock(opened, args);
    case 'prune':
      return prune(opened, await planPruning(opened), args, agreed);
    case 'repair':
      return repair(opened, args);
  }
}
