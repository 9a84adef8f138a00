import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { CallOptions, Opened } from '../../call/open-repository.ts';
import { noCommitYet } from '../../repository/unborn.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { expression, isRefName, type RefName, range } from '../../run/operand.ts';
import { isAncestor } from '../safety/ancestry.ts';
import { expectedHead } from '../safety/change-schema.ts';
import { keepingLinesOf } from '../safety/message-lines.ts';
import { refuseOverwritingBy } from '../safety/overwriting.ts';
import { expectHead, type Point, pointOf } from '../safety/point.ts';
import { branchName } from '../safety/refs.ts';
import { attempt, type Waiting } from './attempt.ts';
import { commitsIn } from './chosen-commits.ts';
import { assertIdle } from './in-progress.ts';
import { branchesOf, movedSince } from './moved-branches.ts';
import { backTo, type Ending, expectBranch, notSo, outcome } from './outcome.ts';
import { branchNamed } from './revision-names.ts';
import type { Sequenced } from './sequence-schema.ts';
import { editorOf, todo } from './todo.ts';
import { refuseFilteredChanges } from './touched-filters.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  upstream: z.string().optional().describe('default: of the branch'),
  onto: z.string().optional(),
  branch: z.string().optional(),
  autostash: z.boolean().optional(),
  autosquash: z.boolean().optional(),
  update_refs: z.boolean().optional(),
  todo: todo.min(1).optional().describe('every commit once'),
  expected_head: expectedHead,
});

export type RebaseArguments = z.output<typeof input>;

export async function rebase(
  opened: Opened,
  args: RebaseArguments,
  waiting: Waiting,
  environment: CallOptions['environment'] = {},
): Promise<Sequenced> {
  const { branch, autostash = false, autosquash = false, update_refs = false } = args;
  if (args.todo !== undefined && (autosquash || update_refs)) {
    throw new ToolError('todo says it all: leave out autosquash and update_refs', {
      code: 'invalid-arguments',
    });
  }
  await assertIdle(opened);
  const head = await pointOf(opened);
  await expectHead(opened, head, args.expected_head);
  const before = branch === undefined ? head : await branchPoint(opened, branch);
  const { upstream, name } = await upstreamOf(opened, args);
  const onto = args.onto === undefined ? upstream : await opened.resolve(args.onto, 'commit');
  const commits =
    before.commit === undefined
      ? []
      : await commitsIn(opened, range(upstream, before.commit), true, { merges: false });
  await refuseFilteredChanges(opened, head.commit, { tips: [onto], commits });
  await refuseOverwritingBy(opened, head.commit, { targets: [onto], picked: commits });
  const editor = args.todo === undefined ? ':' : await editorOf(opened, args.todo, commits);
  const others = update_refs ? await branchesOf(opened) : undefined;
  const melds = autosquash || args.todo !== undefined;
  const asked = command('rebase', {
    flags: [
      ...(['--merge', '--no-stat', '--no-fork-point'] as const),
      autostash ? '--autostash' : '--no-autostash',
      update_refs ? '--update-refs' : '--no-update-refs',
      autosquash ? '--autosquash' : '--no-autosquash',
      ...(melds ? (['--interactive'] as const) : []),
    ],
    options: { '--onto': onto },
    // the hook pre-rebase receives its name here
    revisions: [name ?? upstream],
    names: branch === undefined ? [] : [branchName(branch)],
  });
  const tried = await attempt(opened, asked, waiting, {
    environment: { ...environment, GIT_SEQUENCE_EDITOR: editor },
    config: await keepingLinesOf(opened, melds ? commits : []),
  });
  return outcome(opened, before, tried, async (after) => {
    expectBranch(after, before.branch);
    const ending = await ended(opened, before, after, onto);
    const moved = others === undefined ? [] : await movedSince(opened, others, before.branch);
    if (moved.length > 0) return { state: ending.state, moved };
    const left = branch === undefined || branch === head.branch ? undefined : head.branch;
    const back = [ending.undo, left === undefined ? undefined : `git_checkout with branch_name "${left}"`];
    return {
      ...ending,
      ...keptAside(tried.stderr),
      undo: back.filter((each) => each).join(', then ') || undefined,
    };
  });
}

interface Upstream {
  readonly upstream: Oid;
  /** undefined: it has no unambiguous name */
  readonly name: RefName | undefined;
}

async function upstreamOf(opened: Opened, { upstream, branch = '' }: RebaseArguments): Promise<Upstream> {
  if (upstream !== undefined) {
    const oid = await opened.resolve(upstream, 'commit');
    return { upstream: oid, name: await branchNamed(opened, upstream, oid) };
  }
  const tracked = `${branch}@{upstream}`;
  try {
    const oid = await opened.resolve(tracked, 'commit');
    return { upstream: oid, name: await wholeName(opened, tracked, oid) };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'unknown-revision') throw error;
    throw new ToolError('upstream is missing, and the branch tracks none', {
      code: 'invalid-arguments',
      cause: error,
    });
  }
}

/** Returns the full name of the reference that an expression means. */
async function wholeName(opened: Opened, expressed: string, oid: Oid): Promise<RefName | undefined> {
  const flags = ['--symbolic-full-name'] as const;
  const asked = command('rev-parse', { flags, revisions: [expression(expressed)] });
  const name = (await opened.run(asked)).stdout.toString().trim();
  const isThere = isRefName(name) && (await opened.objects.info(name))?.oid === oid;
  return isThere ? (name as RefName) : undefined;
}

async function branchPoint({ objects }: Opened, name: string): Promise<Point> {
  const branch = branchName(name);
  const info = await objects.info(`refs/heads/${branch}`);
  if (info !== undefined) return { branch, commit: info.oid };
  const unknown = { code: 'unknown-revision', hint: 'git_branch lists them' };
  throw (await noCommitYet(objects, branch)) ?? new ToolError('there is no such branch', unknown);
}

async function ended(opened: Opened, before: Point, after: Point, onto: Oid): Promise<Ending> {
  if (after.commit === undefined || !(await isAncestor(opened, onto, after.commit)))
    throw notSo('HEAD does not follow what it was rebased onto');
  if (after.commit === before.commit) return { state: 'up-to-date' };
  const undo = backTo(before);
  const forwarded =
    after.commit === onto && before.commit !== undefined && (await isAncestor(opened, before.commit, onto));
  return { state: forwarded ? 'fast-forwarded' : 'done', undo };
}

/** changes that were stashed and could not be applied again stay in the stash */
function keptAside(stderr: string): Pick<Ending, 'reason' | 'next'> {
  if (!/Your changes are safe in the stash/.test(stderr)) return {};
  return {
    reason: 'the changes that were put aside are still in the stash: putting them back had conflicts',
    next: ['git_stash'],
  };
}
