import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import type { OperationFacts } from '../../reading/state/operations.ts';
import { type Command, command } from '../../run/command.ts';
import { type Oid, toOid } from '../../run/oid.ts';
import type { Setting } from '../../run/settings.ts';
import { isAncestor, parentsOf } from '../safety/ancestry.ts';
import { confirmed, dryRun } from '../safety/change-schema.ts';
import { type Agreed, requireConsent } from '../safety/consent.ts';
import { dropConflictLines, keepingLinesOfStep } from '../safety/message-lines.ts';
import { movement, type Point, pointOf } from '../safety/point.ts';
import { type Action, lossOf, lostBy } from './abort-loss.ts';
import { actionsOf } from './actions.ts';
import { attempt, type Waiting } from './attempt.ts';
import { type Standing, standingOf } from './in-progress.ts';
import { backTo, type Ending, expectBranch, notSo, outcome, pausedAt } from './outcome.ts';
import type { Sequenced } from './sequence-schema.ts';
import { refuseFilteredChanges } from './touched-filters.ts';

const kinds = ['merge', 'rebase', 'cherry-pick', 'revert', 'am'] as const;
type Kind = (typeof kinds)[number];

export const input = z.strictObject({
  repo_path: repoPath,
  action: z.enum(['continue', 'skip', 'abort', 'quit']),
  expected: z.enum(kinds).optional(),
  dry_run: dryRun,
  confirm: confirmed,
});

export type StepArguments = z.output<typeof input>;

/** Returns the operation in progress; throws unless it is the expected one and knows the action. */
export async function assertStep(
  opened: Opened,
  { action, expected }: StepArguments,
): Promise<Standing & { readonly operation: OperationFacts & { kind: Kind } }> {
  const standing = await standingOf(opened);
  const { operation } = standing;
  if (operation === undefined || operation.kind === 'bisect')
    throw refusal('nothing is in progress', 'nothing-in-progress');
  const { kind } = operation;
  if (expected !== undefined && expected !== kind)
    throw refusal(`a ${kind} is in progress, not a ${expected}`, 'moved');
  if (!actionsOf(kind).includes(action))
    throw refusal(`a ${kind} has no step to ${action}`, 'invalid-arguments');
  return { ...standing, operation: { ...operation, kind } };
}

function refusal(why: string, code: string): ToolError {
  return new ToolError(why, {
    code,
    hint: 'nothing was done; git_conflicts names the operation in progress',
  });
}

export async function step(
  opened: Opened,
  args: StepArguments,
  agreed: Agreed,
  waiting: Waiting,
): Promise<Sequenced> {
  const { action, dry_run = false } = args;
  const standing = await assertStep(opened, args);
  const { operation } = standing;
  const before = await pointOf(opened);
  const lost = await lostBy(opened, standing, action);
  if (dry_run || (action === 'continue' && standing.conflicts.length > 0)) {
    const quiet = { failure: undefined, stdout: '', stderr: '' };
    const facts = {
      ...movement(opened, before, before, undefined),
      ...(await pausedAt(opened, standing, quiet)),
    };
    return dry_run ? { ...facts, would_lose: lost } : facts;
  }
  requireConsent(lossOf(operation.kind, action, lost), agreed, args.confirm);
  await refuseFilteredSteps(opened, before, operation, action);
  const config = await settle(opened, operation.kind, action);
  const tried = await attempt(opened, commandOf(operation.kind, action), waiting, { config });
  return outcome(opened, before, tried, (after) => ended(opened, { operation, action, before, after }));
}

/** Prepares the message of the step, and returns the settings for git to keep its lines. */
async function settle(opened: Opened, kind: Kind, action: Action): Promise<Setting[]> {
  if (action === 'abort' || action === 'quit') return [];
  if (kind !== 'merge') return keepingLinesOfStep(opened);
  // its commit takes the message as it is
  await dropConflictLines(opened);
  return [];
}

function commandOf(kind: Kind, action: Action): Command {
  if (kind === 'merge' && action === 'continue')
    return command('commit', { flags: ['--no-edit', '--cleanup=verbatim'] });
  if (kind === 'merge') return command(kind, { flags: [action === 'quit' ? '--quit' : '--abort'] });
  return command(kind, { flags: [`--${action}`] });
}

/** the remaining steps, and an abort, write to the work tree as well */
async function refuseFilteredSteps(
  opened: Opened,
  { commit }: Point,
  { original }: OperationFacts,
  action: Action,
): Promise<void> {
  if (action !== 'quit')
    await refuseFilteredChanges(opened, commit, { tips: original === undefined ? [] : [toOid(original)] });
}

interface Step {
  readonly operation: OperationFacts & { readonly kind: Kind };
  readonly action: Action;
  readonly before: Point;
  readonly after: Point;
}

async function ended(opened: Opened, step: Step): Promise<Ending> {
  const { operation, action, before, after } = step;
  const { kind, original, branch, onto, heads = [] } = operation;
  if (action === 'quit') return { state: 'done' };
  if (kind === 'rebase') expectBranch(after, branch);
  else expectBranch(after, before.branch);
  if (action === 'abort') {
    const back = kind === 'merge' || original === undefined ? before.commit : original;
    if (after.commit !== back && kind !== 'am') throw notSo('HEAD is not where it was before');
    return { state: 'done' };
  }
  if (kind === 'merge') await expectMerge(opened, before, after, heads);
  else await expectAfter(opened, kind === 'rebase' ? onto : before.commit, after);
  return {
    state: 'done',
    undo: backTo({ commit: original === undefined ? before.commit : toOid(original) }),
  };
}

async function expectMerge(
  opened: Opened,
  before: Point,
  { commit }: Point,
  heads: readonly string[],
): Promise<void> {
  const [first, ...others] = commit === undefined ? [] : await parentsOf(opened, commit);
  // only some of many are listed
  if (first === before.commit && heads.every((head) => others.includes(head as Oid))) return;
  throw notSo('HEAD is not the merge that was in progress');
}

async function expectAfter(opened: Opened, old: string | undefined, { commit }: Point): Promise<void> {
  if (old === undefined || (commit !== undefined && (await isAncestor(opened, toOid(old), commit)))) return;
  throw notSo('HEAD does not follow what it was put on');
}
