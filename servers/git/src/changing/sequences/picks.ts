import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { type Command, command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { parentsOf } from '../safety/ancestry.ts';
import { expectedHead } from '../safety/change-schema.ts';
import { refuseOverwritingBy } from '../safety/overwriting.ts';
import { expectHead, type Point, pointOf } from '../safety/point.ts';
import { reasons } from './actions.ts';
import { attempt, type Waiting } from './attempt.ts';
import { commitsOf } from './chosen-commits.ts';
import { assertIdle } from './in-progress.ts';
import { backTo, type Ending, expectBranch, notSo, outcome } from './outcome.ts';
import type { Sequenced } from './sequence-schema.ts';
import { refuseFilteredChanges } from './touched-filters.ts';

const shared = {
  repo_path: repoPath,
  commits: z.array(z.string()).min(1).describe('revisions, or ranges a..b'),
  mainline: z.int().min(1).optional().describe('of a merge: the parent to compare with, from 1'),
  no_commit: z.boolean().optional(),
  expected_head: expectedHead,
};

export const pickInput = z.strictObject({
  ...shared,
  append_origin: z.boolean().optional().describe('-x: the message names the original commit'),
});
export const revertInput = z.strictObject(shared);

type Arguments = z.output<typeof revertInput> & { append_origin?: boolean | undefined };

/** Applies or reverts commits one after another. */
export async function applyCommits(
  opened: Opened,
  verb: 'cherry-pick' | 'revert',
  args: Arguments,
  waiting: Waiting,
): Promise<Sequenced> {
  await assertIdle(opened);
  const before = await pointOf(opened);
  await expectHead(opened, before, args.expected_head);
  const commits = await commitsOf(opened, args.commits, verb === 'cherry-pick');
  await assertParents(opened, commits, args.mainline);
  await refuseFilteredChanges(opened, before.commit, { commits });
  const kind = verb === 'revert' ? 'reverted' : 'picked';
  await refuseOverwritingBy(opened, before.commit, { [kind]: commits });
  const tried = await attempt(opened, commandOf(verb, commits, args), waiting, {});
  const isEmpty = tried.failure?.code === 'nothing-to-commit';
  // a revert without changes leaves no operation in progress
  const settled = isEmpty && verb === 'revert' ? { ...tried, failure: undefined } : tried;
  return outcome(opened, before, settled, (after) => {
    expectBranch(after, before.branch);
    if (isEmpty) return Promise.resolve({ state: 'up-to-date', reason: reasons.empty });
    return ended(opened, before, after, args.no_commit === true ? 0 : commits.length);
  });
}

function commandOf(verb: 'cherry-pick' | 'revert', revisions: readonly Oid[], args: Arguments): Command {
  const options = { '--mainline': args.mainline };
  const uncommitted = args.no_commit === true ? (['--no-commit'] as const) : [];
  if (verb === 'revert')
    return command(verb, { flags: ['--no-edit', '--cleanup=verbatim', ...uncommitted], options, revisions });
  const origin = args.append_origin === true ? (['-x'] as const) : [];
  return command(verb, { flags: ['--cleanup=verbatim', ...uncommitted, ...origin], options, revisions });
}

/** git would check each only at its turn, when a part is done */
async function assertParents(
  opened: Opened,
  commits: readonly Oid[],
  mainline: number | undefined,
): Promise<void> {
  for (const commit of commits) {
    const { length } = await parentsOf(opened, commit);
    const why =
      length > 1 && mainline === undefined
        ? 'is a merge: say by mainline which parent to compare with'
        : mainline !== undefined && mainline > Math.max(length, 1)
          ? `has no parent ${mainline}`
          : undefined;
    if (why === undefined) continue;
    throw new ToolError(`${commit.slice(0, 12)} ${why}`, { code: 'invalid-arguments' });
  }
}

/** all are committed, each on the one before */
async function ended(opened: Opened, before: Point, after: Point, count: number): Promise<Ending> {
  if (count === 0) {
    if (after.commit !== before.commit) throw notSo('HEAD has moved');
    return { state: 'stopped', reason: reasons.uncommitted, next: ['git_commit'] };
  }
  let at = after.commit;
  for (let left = count; left > 0 && at !== undefined; left--) [at] = await parentsOf(opened, at);
  if (at !== before.commit || after.commit === before.commit)
    throw notSo(`HEAD is not ${count} commits after where it was`);
  return { state: 'done', undo: backTo(before) };
}
