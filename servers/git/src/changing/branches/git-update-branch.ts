import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { type Agreed, requireConsent } from '../safety/consent.ts';
import { askToLose } from '../safety/data-loss-consent.ts';
import { movement, pointOf } from '../safety/point.ts';
import { type Branch, move, namedBranch, remove, rename, setUpstream } from './branch-change.ts';
import { type Arguments, type BranchResult, input, output } from './branch-schema.ts';
import { assertFree } from './checked-out.ts';
import { lossOf, unmergedOf } from './unmerged.ts';

export const gitUpdateBranch = tool({
  name: 'git_update_branch',
  title: 'Update branch',
  description: 'Renames, deletes or moves a branch, or sets its upstream.',
  input,
  output,
  annotations: { destructiveHint: true, openWorldHint: false },
  ask: (args, ask, context) =>
    args.action === 'delete' && !args.dry_run
      ? askToLose(ask, context, args.repo_path, async (opened) => {
          const { name, at } = await namedBranch(opened, args);
          return lossOf(opened, name, at, await unmergedOf(opened, name, at));
        })
      : undefined,
  run(args, context) {
    const { scope, repositories } = context.scope;
    return repositories.change(scope, args.repo_path, context.signal, async (opened) => {
      const before = await pointOf(opened);
      const branch = await namedBranch(opened, args);
      const { undo, ...facts } = args.dry_run
        ? await preview(opened, branch, args)
        : await act(opened, branch, args, context.answers);
      const after = args.dry_run ? before : await pointOf(opened);
      return { ...movement(opened, before, after, undo), ...facts };
    });
  },
  render({ name, commit, previous, previous_name, upstream, unmerged }, { action, dry_run }) {
    const [at, was] = [commit?.slice(0, 12), previous?.slice(0, 12)];
    const lost = unmerged === undefined || unmerged === 0 ? '' : `, with ${unmerged} commits in no other`;
    if (dry_run) return `would ${action.replace('_', ' ')} ${name}${lost}`;
    if (action === 'rename') return `renamed ${previous_name} to ${name} at ${at}`;
    if (action === 'delete') return `deleted ${name}, which was at ${was}${lost}`;
    if (action === 'move') return `${name}: ${was} -> ${at}`;
    return upstream === undefined ? `${name} has no upstream` : `${name} tracks ${upstream}`;
  },
});

async function preview(opened: Opened, { name, at }: Branch, { action }: Arguments): Promise<BranchResult> {
  if (action === 'delete' || action === 'move') await assertFree(opened, name);
  const unmerged = action === 'delete' && { unmerged: await unmergedOf(opened, name, at) };
  return { name, commit: at, ...unmerged };
}

async function act(opened: Opened, branch: Branch, args: Arguments, agreed: Agreed): Promise<BranchResult> {
  switch (args.action) {
    case 'rename':
      return rename(opened, branch, args.new_name);
    case 'move':
      return move(opened, branch, args.revision);
    case 'set_upstream':
    case 'unset_upstream':
      return setUpstream(opened, branch, args.action === 'set_upstream' ? (args.upstream ?? '') : undefined);
    case 'delete': {
      const unmerged = await unmergedOf(opened, branch.name, branch.at);
      await assertFree(opened, branch.name);
      requireConsent(lossOf(opened, branch.name, branch.at, unmerged), agreed, args.confirm);
      return remove(opened, branch, unmerged);
    }
  }
}
