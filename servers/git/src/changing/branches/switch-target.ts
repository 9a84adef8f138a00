import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { parseRefs, type Ref, refsCommand } from '../../porcelain/refs.ts';
import { noCommitYet } from '../../repository/unborn.ts';
import type { Oid } from '../../run/oid.ts';
import { type RefName, refName } from '../../run/operand.ts';
import type { Point } from '../safety/point.ts';
import { branchName } from '../safety/refs.ts';

export interface Wanted {
  readonly branch_name: string;
  readonly create?: boolean | undefined;
  readonly base?: string | undefined;
  readonly detach?: boolean | undefined;
  readonly guess?: boolean | undefined;
}

/** The target of HEAD. */
export interface Target {
  /** undefined: HEAD is detached */
  readonly branch: RefName | undefined;
  /** undefined where there is no commit yet */
  readonly commit: Oid | undefined;
  /** the branch is created */
  readonly created: boolean;
  /** the branch is created at HEAD, so that no file changes */
  readonly stays?: true;
  /** the full name of the remote branch that a new branch tracks */
  readonly upstream?: RefName;
}

/** Returns the target that a name stands for: a branch, unless the caller says otherwise. */
export async function targetOf(opened: Opened, wanted: Wanted, { commit: head }: Point): Promise<Target> {
  const { branch_name, create = false, base, detach = false, guess = false } = wanted;
  if (create && detach) throw invalid('create and detach exclude each other');
  if (base !== undefined && !create) throw invalid('base is for create: true');
  if (detach)
    return { branch: undefined, commit: await opened.resolve(branch_name, 'commit'), created: false };
  const branch = branchName(branch_name);
  const there = await opened.objects.info(`refs/heads/${branch}`);
  if (create) {
    if (there !== undefined) throw taken(branch);
    if (base === undefined) return { branch, commit: head, created: true, stays: true };
    return { branch, commit: await opened.resolve(base, 'commit'), created: true };
  }
  if (there !== undefined) return { branch, commit: there.oid, created: false };
  const remotes = await remoteBranches(opened, branch);
  const [found] = remotes;
  if (!guess || found === undefined)
    throw (await noCommitYet(opened.objects, branch)) ?? unknown(branch, remotes);
  if (remotes.length > 1) throw ambiguous(branch, remotes);
  return { branch, commit: found.oid, created: true, upstream: refName(found.name) };
}

async function remoteBranches(opened: Opened, branch: RefName): Promise<Ref[]> {
  const options = { kinds: ['remote'], pattern: `*/${branch}` } as const;
  const { stdout } = await opened.run(refsCommand(options));
  return parseRefs(stdout, options);
}

function invalid(message: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments' });
}

function taken(branch: string): ToolError {
  return new ToolError(`the branch ${branch} is there already`, {
    code: 'exists',
    hint: 'leave out create to switch to it, or choose another name',
  });
}

function unknown(branch: string, remotes: readonly Ref[]): ToolError {
  const hint =
    remotes.length === 0
      ? 'create: true makes one; for a tag or another commit use detach: true; files are what git_restore is for'
      : `guess: true makes one that tracks ${remotes.map(({ short }) => short).join(' or ')}`;
  return new ToolError(`no such branch: ${branch}`, { code: 'unknown-revision', hint });
}

function ambiguous(branch: string, remotes: readonly Ref[]): ToolError {
  const names = remotes.map(({ short }) => short).join(', ');
  return new ToolError(`more than one remote has a branch ${branch}: ${names}`, {
    code: 'ambiguous',
    hint: 'name one of them as base_branch of git_create_branch with track: true, then switch to that',
  });
}
