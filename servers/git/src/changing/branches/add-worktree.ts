import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { noCommitYet } from '../../repository/unborn.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import type { RefName } from '../../run/operand.ts';
import { runCheckout } from '../safety/checkout-hook.ts';
import { takeDestination } from '../safety/destination.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { branchName } from '../safety/refs.ts';
import { differencesOf } from '../safety/written-paths.ts';
import { assertFree } from './checked-out.ts';
import { needed, otherwise, worktreeAt } from './worktree-name.ts';
import { placeFor } from './worktree-path.ts';
import { type Arguments, undoBy, type WorktreeResult } from './worktree-schema.ts';

/** The place of a new work tree. */
interface Target {
  readonly branch: RefName | undefined;
  readonly commit: Oid;
}

export async function add(opened: Opened, workspace: Workspace, args: Arguments): Promise<WorktreeResult> {
  const { scope, repositories } = workspace;
  const { create = false, dry_run = false } = args;
  const path = needed(args.path, 'path');
  const { real } = placeFor(opened, repositories, scope, path);
  const target = await targetOf(opened, args);
  const { branch, commit } = target;
  const written = async () =>
    (await differencesOf(opened, undefined, commit)).map((each) => nameOfByteString(each.path));
  await refuseFiltered(opened, written, { target: commit });
  const planned = { path: real, ...defined({ branch }), commit };
  const created = create && branch !== undefined && { created: branch };
  if (dry_run) return { worktree: planned, ...created };
  const destination = await takeDestination(scope, path);
  const adding = command('worktree add', {
    flags: ['--quiet', '--no-guess-remote', ...flagsOf(create, branch)],
    options: { '-b': create ? branch : undefined },
    paths: [destination.path],
    ...(create || branch === undefined ? { revisions: [commit] } : { names: [branch] }),
  });
  const isDone = async () => (await worktreeAt(opened, destination.path)) !== undefined;
  const printed = await runCheckout(opened, adding, isDone).catch(async (error: unknown) => {
    await destination.clear();
    throw error;
  });
  const facts = (await worktreeAt(opened, destination.path))?.facts;
  const there = repositories.open(scope, destination.path);
  if (there.commonIdentity !== opened.repository.commonIdentity || facts?.commit !== commit)
    throw otherwise();
  const removed = undoBy({ action: 'remove', path: real });
  const unmade = `, then git_update_branch with action "delete" and branch_name ${JSON.stringify(branch)}`;
  return {
    worktree: facts,
    ...created,
    undo: created ? removed + unmade : removed,
    ...defined({ output: printed }),
  };
}

function flagsOf(create: boolean, branch: RefName | undefined) {
  if (branch === undefined) return ['--detach'] as const;
  return create ? (['--no-track'] as const) : [];
}

async function targetOf(opened: Opened, args: Arguments): Promise<Target> {
  const { detach = false, create = false, base, branch_name } = args;
  if (detach && create)
    throw new ToolError('detach and create exclude each other', { code: 'invalid-arguments' });
  if (detach) return { branch: undefined, commit: await opened.resolve(branch_name ?? 'HEAD', 'commit') };
  const branch = branchName(needed(branch_name, 'branch_name'));
  const found = await opened.objects.info(`refs/heads/${branch}`);
  if (!create && found !== undefined) {
    await assertFree(opened, branch);
    return { branch, commit: found.oid };
  }
  if (create && found === undefined)
    return { branch, commit: await opened.resolve(base ?? 'HEAD', 'commit') };
  throw found === undefined
    ? ((await noCommitYet(opened.objects, branch)) ??
        new ToolError(`no such branch: ${branch}`, {
          code: 'unknown-revision',
          hint: 'create: true makes it, at base',
        }))
    : new ToolError(`the branch ${branch} is there already`, {
        code: 'exists',
        hint: 'leave out create, or choose another name',
      });
}
