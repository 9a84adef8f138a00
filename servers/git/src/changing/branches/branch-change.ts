import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { shortRef } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import { parseRefs, refsCommand } from '../../porcelain/refs.ts';
import { noCommitYet } from '../../repository/unborn.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { type RefName, refName } from '../../run/operand.ts';
import { branchName, expectRef } from '../safety/refs.ts';
import type { Arguments, BranchResult } from './branch-schema.ts';
import { assertFree } from './checked-out.ts';

/** A branch and the commit to which it points. */
export interface Branch {
  readonly name: RefName;
  readonly at: Oid;
}

export async function namedBranch(opened: Opened, { branch_name, expected }: Arguments): Promise<Branch> {
  const name = branchName(branch_name);
  const found = await opened.objects.info(`refs/heads/${name}`);
  if (found === undefined) {
    const unknown = new ToolError(`no such branch: ${name}`, {
      code: 'unknown-revision',
      hint: 'git_branch lists the branches',
    });
    throw (await noCommitYet(opened.objects, name)) ?? unknown;
  }
  if (expected === undefined || (await opened.resolve(expected, 'commit')) === found.oid)
    return { name, at: found.oid };
  throw new ToolError(`the branch ${name} is at ${found.oid}, not at the expected commit`, {
    code: 'moved',
    hint: 'nothing was done; look at the new commits first',
  });
}

export async function rename(
  opened: Opened,
  { name, at }: Branch,
  to: string | undefined,
): Promise<BranchResult> {
  const renamed = branchName(needed(to, 'new_name'));
  if ((await opened.objects.info(`refs/heads/${renamed}`)) !== undefined) {
    throw new ToolError(`the branch ${renamed} is there already`, {
      code: 'exists',
      hint: 'choose another name',
    });
  }
  await opened.run(command('branch', { flags: ['--move'], names: [name, renamed] }));
  await expectRef(opened, `refs/heads/${renamed}`, at);
  await expectRef(opened, `refs/heads/${name}`, undefined);
  const undo = `${call(renamed, 'rename')} and new_name ${JSON.stringify(name)}`;
  return { name: renamed, commit: at, previous_name: name, undo };
}

export async function remove(opened: Opened, { name, at }: Branch, unmerged: number): Promise<BranchResult> {
  await assertFree(opened, name);
  const upstream = await upstreamOf(opened, name);
  // all commits that would be lost were checked, not only those that its upstream lacks
  await opened.run(command('branch', { flags: ['--delete', '--force'], names: [name] }));
  await expectRef(opened, `refs/heads/${name}`, undefined);
  const undo = `git_create_branch with branch_name ${JSON.stringify(name)} and base_branch "${at}"`;
  const tracked =
    upstream === undefined
      ? ''
      : `, then ${call(name, 'set_upstream')} and upstream ${JSON.stringify(upstream)}`;
  return { name, previous: at, unmerged, undo: undo + tracked };
}

export async function move(
  opened: Opened,
  { name, at }: Branch,
  revision: string | undefined,
): Promise<BranchResult> {
  const to = await opened.resolve(needed(revision, 'revision'), 'commit');
  await assertFree(opened, name);
  await opened.run(command('branch', { flags: ['--force', '--no-track'], names: [name], revisions: [to] }));
  await expectRef(opened, `refs/heads/${name}`, to);
  return { name, commit: to, previous: at, undo: `${call(name, 'move')} and revision "${at}"` };
}

export async function setUpstream(
  opened: Opened,
  { name, at }: Branch,
  to: string | undefined,
): Promise<BranchResult> {
  const before = await upstreamOf(opened, name);
  if (to === undefined && before === undefined) {
    throw new ToolError(`the branch ${name} has no upstream`, { code: 'unknown-revision' });
  }
  await opened.run(
    to === undefined
      ? command('branch', { flags: ['--unset-upstream'], names: [name] })
      : command('branch', { options: { '--set-upstream-to': refName(to) }, names: [name] }),
  );
  const upstream = await upstreamOf(opened, name);
  if ((upstream === undefined) !== (to === undefined)) {
    throw new ToolError('git reported success, but the upstream is not the requested one', {
      code: 'changed',
    });
  }
  const undo =
    before === undefined
      ? call(name, 'unset_upstream')
      : `${call(name, 'set_upstream')} and upstream ${JSON.stringify(before)}`;
  return { name, commit: at, ...defined({ upstream }), undo };
}

async function upstreamOf(opened: Opened, name: RefName): Promise<string | undefined> {
  const options = { names: [`refs/heads/${name}`], upstream: true };
  const { stdout } = await opened.run(refsCommand(options));
  const found = parseRefs(stdout, options).find((ref) => ref.short === name)?.upstream;
  return found === undefined ? undefined : shortRef(found.name);
}

function call(name: string, action: Arguments['action']): string {
  return `git_update_branch with branch_name ${JSON.stringify(name)}, action "${action}"`;
}

function needed(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new ToolError(`${name} is missing`, { code: 'invalid-arguments' });
}
