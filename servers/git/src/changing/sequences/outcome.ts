import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { hookOutput } from '../../run/hook-output.ts';
import { movement, type Point, pointOf } from '../safety/point.ts';
import { afterConflicts, waysOut } from './actions.ts';
import type { Attempt } from './attempt.ts';
import { type Standing, standingOf } from './in-progress.ts';
import type { Sequenced } from './sequence-schema.ts';
import { stopOf } from './stops.ts';

/** The result of an operation that ended, after a look whether it did. */
export type Ending = Pick<Sequenced, 'state' | 'moved' | 'reason' | 'next'> & { undo?: string | undefined };

/** Paths in conflict that a result lists; git_conflicts lists all. */
const MOST_CONFLICTS = 100;

/** Returns the outcome of a run: reads conflicts and stops from the repository; `end` verifies a run that ended. */
export async function outcome(
  opened: Opened,
  before: Point,
  tried: Attempt,
  end: (after: Point) => Promise<Ending>,
): Promise<Sequenced> {
  const standing = await standingAfter(opened, tried);
  const after = await pointOf(opened);
  const undo = 'git_continue with action abort';
  if (standing.conflicts.length > 0 || standing.operation !== undefined) {
    const back = standing.operation === undefined ? undefined : undo;
    const facts = { ...movement(opened, before, after, back), ...(await pausedAt(opened, standing, tried)) };
    return { ...facts, ...saying(opened, tried) };
  }
  if (tried.failure !== undefined) throw tried.failure;
  const { undo: back, ...ending } = await end(after);
  const committed = ending.state === 'done' && after.commit !== before.commit;
  return {
    ...movement(opened, before, after, back),
    ...ending,
    ...(committed && unsigned(opened)),
    ...saying(opened, tried),
  };
}

/** Returns the state of the repository after a run; the failure of a run that was stopped gets it, too. */
async function standingAfter(opened: Opened, { failure }: Attempt): Promise<Standing> {
  if (failure?.code === 'cancelled') throw failure;
  const standing = await standingOf(opened);
  const { operation } = standing;
  if (failure === undefined || !['timeout', 'hook-rejected', 'locked'].includes(failure.code))
    return standing;
  const { message, code, retryable } = failure;
  throw new ToolError(message, {
    code,
    retryable: retryable && operation === undefined,
    cause: failure,
    hint:
      operation === undefined
        ? 'nothing is in progress; git_status shows what it left'
        : `a ${operation.kind} is in progress now: ${waysOut(operation.kind).join(', ')}`,
  });
}

/** Returns the result of an operation that waits for the caller. */
export async function pausedAt(
  opened: Opened,
  { operation, conflicts }: Standing,
  tried: Pick<Attempt, 'failure' | 'stdout' | 'stderr'>,
): Promise<Pick<Sequenced, 'state' | 'reason' | 'operation' | 'conflicts' | 'total_conflicts' | 'next'>> {
  const doing = operation === undefined ? {} : { operation };
  if (conflicts.length > 0) {
    return {
      state: 'conflicts',
      ...doing,
      conflicts: conflicts.slice(0, MOST_CONFLICTS).map(({ path, conflict }) => ({ path, conflict })),
      total_conflicts: conflicts.length,
      next: afterConflicts(operation?.kind),
    };
  }
  return { state: 'stopped', ...doing, ...(await stopOf(opened, operation, tried)) };
}

function saying({ state, audit }: Opened, { stderr }: Attempt): Pick<Sequenced, 'output'> {
  const printed = state === 'trusted' && audit.hooks !== undefined ? hookOutput(stderr) : undefined;
  return printed === undefined ? {} : { output: printed };
}

/**
 * Throws for a commit without the requested signature: the repository's settings for signing count only where it is
 * trusted.
 */
export function unsigned({ state, audit }: Opened): Pick<Sequenced, 'signed'> {
  const kept = audit.suppressed.some(
    ({ key, submodule }) => key === 'commit.gpgsign' && submodule === undefined,
  );
  return kept && state !== 'trusted' ? { signed: false } : {};
}

/** Returns the undo that moves the checked-out branch back to a commit. */
export function backTo({ commit }: Pick<Point, 'commit'>): string | undefined {
  return commit === undefined ? undefined : `git_reset with mode "keep" and revision "${commit}"`;
}

/** Returns the failure for a success that git reported and the repository does not have. */
export function notSo(what: string): ToolError {
  return new ToolError(`git reported success, but ${what}`, {
    code: 'changed',
    hint: 'another program may be at work there; look before trying again',
  });
}

/** Throws unless HEAD is at the same branch as before. */
export function expectBranch(after: Point, branch: string | undefined): void {
  if (after.branch !== branch) throw notSo(`HEAD is not at ${branch ?? 'a commit alone'}`);
}
