import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { command } from '../../run/command.ts';
import { assertIdle, linkedAt, needed, otherwise, worktreeAt } from './worktree-name.ts';
import { assertAbsent, placeFor } from './worktree-path.ts';
import { type Arguments, undoBy, type WorktreeResult } from './worktree-schema.ts';

export async function move(
  opened: Opened,
  { scope, repositories }: Workspace,
  args: Arguments,
): Promise<WorktreeResult> {
  const linked = await linkedAt(opened, args.path);
  assertIdle(linked, opened);
  const wanted = needed(args.new_path, 'new_path');
  const { real, exists } = placeFor(opened, repositories, scope, wanted);
  // git would move it into an existing folder
  assertAbsent(exists, wanted);
  const { path } = linked;
  assertOwn(opened, repositories.open(scope, path).commonIdentity);
  if (args.dry_run) return { worktree: { ...linked.facts, path: real }, previous_path: path };
  await opened.run(command('worktree move', { paths: [path, real] }));
  const moved = await worktreeAt(opened, real);
  if (moved === undefined) throw otherwise();
  const undo = undoBy({ action: 'move', path: real, new_path: path });
  return { worktree: moved.facts, previous_path: path, undo };
}

export async function lock(opened: Opened, args: Arguments): Promise<WorktreeResult> {
  const { path, facts } = await linkedAt(opened, args.path);
  if (facts.locked !== undefined)
    throw new ToolError('the work tree is locked already', { code: 'exists', hint: 'unlock it first' });
  if (args.dry_run) return { worktree: { ...facts, locked: args.reason ?? '' } };
  await opened.run(command('worktree lock', { options: { '--reason': args.reason }, paths: [path] }));
  const locked = await worktreeAt(opened, path);
  if (locked?.facts.locked === undefined) throw otherwise();
  return { worktree: locked.facts, undo: undoBy({ action: 'unlock', path }) };
}

export async function unlock(opened: Opened, { path: asked, dry_run }: Arguments): Promise<WorktreeResult> {
  const { path, facts } = await linkedAt(opened, asked);
  const { locked, ...open } = facts;
  if (locked === undefined) throw new ToolError('the work tree is not locked', { code: 'unsupported' });
  if (dry_run) return { worktree: open };
  await opened.run(command('worktree unlock', { paths: [path] }));
  const found = await worktreeAt(opened, path);
  if (found === undefined || found.facts.locked !== undefined) throw otherwise();
  const reason = locked === '' ? {} : { reason: locked };
  return { worktree: found.facts, undo: undoBy({ action: 'lock', path, ...reason }) };
}

function assertOwn({ repository }: Opened, commonIdentity: string): void {
  if (repository.commonIdentity === commonIdentity) return;
  throw new ToolError('the folder holds another repository by now', { code: 'changed' });
}
