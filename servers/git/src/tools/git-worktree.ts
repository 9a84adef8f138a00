import { showPath } from '@rootbound/kit/boundary';
import type { Agreed } from '../changes/consent.ts';
import { movement, pointOf } from '../changes/point.ts';
import { askToLose } from '../losses/asking.ts';
import { someOf } from '../losses/names.ts';
import type { Opened } from '../opened.ts';
import { worktreeLine } from '../state/worktrees.ts';
import { tool, type Workspace } from '../workspace.ts';
import { add } from '../worktrees/add.ts';
import { lock, move, unlock } from '../worktrees/change.ts';
import { planPruning, prune } from '../worktrees/prune.ts';
import { planRemoval, remove } from '../worktrees/remove.ts';
import { repair } from '../worktrees/repair.ts';
import { type Arguments, input, output, type Told } from '../worktrees/schema.ts';

export const gitWorktree = tool({
  name: 'git_worktree',
  title: 'Change work trees',
  description: 'Adds, moves, locks or removes linked work trees; prune forgets deleted ones.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
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
      const { undo, ...told } = await act(opened, workspace, args, signal, answers);
      return { ...movement(opened, before, await pointOf(opened), undo), ...told };
    });
  },
  render({ worktree, previous_path, created, loses, pruned, repaired, said }, { action, dry_run }) {
    const lines: string[] = [];
    const would = dry_run ? 'would ' : '';
    if (worktree !== undefined) {
      const from = previous_path === undefined ? '' : ` from ${showPath(previous_path)}`;
      lines.push(`${would}${action}${from}:${worktreeLine(worktree).slice(1)}`);
    }
    if (created !== undefined) lines.push(`new branch ${created}`);
    if (pruned !== undefined)
      lines.push(pruned.length === 0 ? 'nothing to prune' : `${would}prune ${someOf(pruned)}`);
    if (repaired !== undefined) lines.push(...(repaired.length === 0 ? ['nothing repaired'] : repaired));
    if (loses !== undefined) lines.push(`${dry_run ? 'would lose' : 'lost'} ${someOf(loses)}`);
    if (said !== undefined) lines.push(said);
    return lines.join('\n');
  },
});

async function act(
  opened: Opened,
  workspace: Workspace,
  args: Arguments,
  signal: AbortSignal,
  agreed: Agreed,
): Promise<Told> {
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
