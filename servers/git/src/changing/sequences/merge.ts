import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { CallOptions, Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import type { RefName } from '../../run/operand.ts';
import { isAncestor, parentsOf } from '../safety/ancestry.ts';
import { expectedHead } from '../safety/change-schema.ts';
import { messageOf } from '../safety/message.ts';
import { refuseOverwritingBy } from '../safety/overwriting.ts';
import { expectHead, type Point, pointOf } from '../safety/point.ts';
import { reasons } from './actions.ts';
import { attempt, type Waiting } from './attempt.ts';
import { assertIdle } from './in-progress.ts';
import { backTo, type Ending, expectBranch, notSo, outcome } from './outcome.ts';
import { branchNamed } from './revision-names.ts';
import type { Sequenced } from './sequence-schema.ts';
import { refuseFilteredChanges } from './touched-filters.ts';

export const input = z.strictObject({
  repo_path: repoPath,
  revisions: z.array(z.string()).min(1).max(16),
  fast_forward: z.enum(['allow', 'only', 'never']).optional(),
  squash: z.boolean().optional(),
  no_commit: z.boolean().optional(),
  message: z.string().min(1).optional(),
  prefer: z.enum(['ours', 'theirs']).optional(),
  ignore_space: z.boolean().optional(),
  allow_unrelated: z.boolean().optional(),
  expected_head: expectedHead,
});

export type MergeArguments = z.output<typeof input>;

const forward = { allow: '--ff', only: '--ff-only', never: '--no-ff' } as const;

export async function merge(
  opened: Opened,
  args: MergeArguments,
  waiting: Waiting,
  environment: CallOptions['environment'] = {},
): Promise<Sequenced> {
  const { revisions, squash = false, no_commit = false, fast_forward = 'allow' } = args;
  if (squash && (no_commit || fast_forward === 'never' || args.message !== undefined)) {
    throw new ToolError('squash makes no commit: leave out no_commit, message and fast_forward never', {
      code: 'invalid-arguments',
    });
  }
  await assertIdle(opened);
  const before = await pointOf(opened);
  await expectHead(opened, before, args.expected_head);
  const heads: Oid[] = [];
  for (const revision of revisions) heads.push(await opened.resolve(revision, 'commit'));
  await refuseFilteredChanges(opened, before.commit, { tips: heads });
  await refuseOverwritingBy(opened, before.commit, { merged: heads });
  const names = await namesOf(opened, revisions, heads);
  const asked = command('merge', {
    flags: [
      ...(['--no-edit', '--no-stat', '--no-autostash'] as const),
      forward[fast_forward],
      squash ? '--squash' : '--no-squash',
      ...(args.message === undefined ? [] : (['--cleanup=verbatim'] as const)),
      ...(squash ? [] : ([no_commit ? '--no-commit' : '--commit'] as const)),
      ...(args.prefer === undefined ? [] : ([`--strategy-option=${args.prefer}`] as const)),
      ...(args.ignore_space === true ? (['--strategy-option=ignore-all-space'] as const) : []),
      ...(args.allow_unrelated === true ? (['--allow-unrelated-histories'] as const) : []),
      ...(waiting.wantsProgress ? (['--progress'] as const) : []),
    ],
    options: { '--message': args.message === undefined ? undefined : messageOf(args.message) },
    ...(names === undefined ? { revisions: heads } : { names }),
  });
  const tried = await attempt(opened, asked, waiting, { environment });
  return outcome(opened, before, tried, (after) => {
    expectBranch(after, before.branch);
    return ended(opened, { before, after, heads, squash, output: tried.stdout });
  });
}

interface Ended {
  readonly before: Point;
  readonly after: Point;
  readonly heads: readonly Oid[];
  readonly squash: boolean;
  readonly output: string;
}

async function ended(
  opened: Opened,
  { before, after, heads, squash, output: printed }: Ended,
): Promise<Ending> {
  if (after.commit === before.commit) {
    if (/^Already up to date/m.test(printed)) return { state: 'up-to-date' };
    if (squash) return { state: 'stopped', reason: reasons.uncommitted, next: ['git_commit'] };
    throw notSo('HEAD did not move');
  }
  const undo = backTo(before);
  if (heads.some((head) => head === after.commit)) return { state: 'fast-forwarded', undo };
  if (!(await isMergeOf(opened, after.commit!, before.commit, heads)))
    throw notSo('HEAD is not a merge of what was asked');
  return { state: 'done', undo };
}

/** Returns whether a commit joins the earlier HEAD and the heads; git leaves out those that others contain. */
async function isMergeOf(
  opened: Opened,
  merge: Oid,
  earlier: Oid | undefined,
  heads: readonly Oid[],
): Promise<boolean> {
  const asked = earlier === undefined ? heads : [earlier, ...heads];
  const parents = await parentsOf(opened, merge);
  if (parents.length < 2 || !parents.every((parent) => asked.includes(parent))) return false;
  for (const head of asked) if (!(await isAncestor(opened, head, merge))) return false;
  return true;
}

/** Returns the branches by their names, where each is a branch without ambiguity. */
async function namesOf(
  opened: Opened,
  revisions: readonly string[],
  heads: readonly Oid[],
): Promise<RefName[] | undefined> {
  const names: RefName[] = [];
  for (const [at, revision] of revisions.entries()) {
    const name = await branchNamed(opened, revision, heads[at]!);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}
