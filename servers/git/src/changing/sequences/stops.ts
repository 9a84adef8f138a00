import { gitFilesOf } from '../../call/git-files.ts';
import { readHead } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import { callText } from '../../call/undo-text.ts';
import type { OperationFacts } from '../../reading/state/operations.ts';
import { isStaged, isUnstaged, naming, stateOf } from '../safety/path-states.ts';
import { actionsOf, reasons, waysOut } from './actions.ts';
import { type Attempt, pathsInTheWay } from './attempt.ts';

/** The reason for which an operation without conflicts waits, and the calls that go on from the state that it left. */
export interface Stop {
  readonly reason: string;
  readonly next: string[];
}

/** Paths that a call names at most: it takes all instead. */
const MOST_NAMED = 20;

type Tried = Pick<Attempt, 'failure' | 'stdout' | 'stderr'>;

export async function stopOf(
  opened: Opened,
  operation: OperationFacts | undefined,
  tried: Tried,
): Promise<Stop> {
  const { failure } = tried;
  if (operation === undefined)
    return { reason: failure?.message ?? reasons.uncommitted, next: ['git_commit'] };
  const inTheWay = failure?.code === 'local-changes' ? pathsInTheWay(tried.stderr) : [];
  if (inTheWay.length > 0)
    // git tries the step again, also where it is skipped
    return {
      reason: failure!.message,
      next: [putAside(inTheWay, true), ...withoutContinue(operation, 'skip')],
    };
  const stop =
    operation.kind === 'rebase' || operation.kind === 'am' ? await stopOfState(opened, operation) : undefined;
  if (stop !== undefined) return stop;
  if (isEmpty(tried))
    return {
      reason: reasons.empty,
      next: [
        'git_continue with action skip',
        'git_commit with allow_empty',
        ...withoutContinue(operation, 'skip'),
      ],
    };
  if (failure !== undefined) return { reason: failure.message, next: waysOut(operation.kind) };
  return { reason: reasons.uncommitted, next: ['git_commit', ...waysOut(operation.kind)] };
}

/** Returns what the index and the work tree say of a rebase or patches; git's own words leave that out. */
async function stopOfState(opened: Opened, operation: OperationFacts): Promise<Stop | undefined> {
  const state = await stateOf(opened, undefined);
  const unstaged = state.filter(isUnstaged).map(({ path }) => path);
  // git takes these for conflicts that are not settled
  if (operation.kind === 'rebase' && unstaged.length > 0) return unstagedIn(operation, unstaged);
  const isAllCommitted = !state.some(isStaged);
  if (operation.amending === true) return amendingAt(opened, operation, isAllCommitted);
  return operation.kind === 'am' && isAllCommitted ? unapplied(opened, operation) : undefined;
}

function unstagedIn(operation: OperationFacts, paths: readonly string[]): Stop {
  return {
    reason: `${naming(paths)}: changed and not staged, and a rebase goes on only with all changes staged or put aside`,
    next: [callText('git_add', staging(paths)), putAside(paths, false), ...withoutContinue(operation)],
  };
}

/** Commits that were made at the stop are kept; what is staged besides belongs to a commit of its own. */
function amendingAt(opened: Opened, operation: OperationFacts, isAllCommitted: boolean): Stop {
  const stopped = gitFilesOf(opened.repository).read('rebase-merge/amend')?.toString('latin1').trim();
  if (isAllCommitted || stopped === readHead(opened.repository).commit)
    return { reason: reasons.edit, next: ['git_commit with amend', ...waysOut(operation.kind)] };
  return {
    reason: 'changes are staged, and another commit was made at this stop',
    next: ['git_commit', 'git_commit with amend', ...withoutContinue(operation)],
  };
}

function unapplied(opened: Opened, operation: OperationFacts): Stop {
  const patch = gitFilesOf(opened.repository).read('rebase-apply/patch');
  if (patch?.length === 0) return { reason: 'its mail has no patch', next: withoutContinue(operation) };
  return {
    reason: 'its patch does not apply, and changed nothing',
    next: ['git_add, after its changes were made by hand', ...withoutContinue(operation)],
  };
}

function isEmpty({ failure, stdout, stderr }: Tried): boolean {
  return failure?.code === 'nothing-to-commit' || /cherry-pick is now empty/.test(`${stdout}${stderr}`);
}

function staging(paths: readonly string[]): Record<string, unknown> {
  return paths.length > MOST_NAMED ? { files: ['.'], update: true } : { files: paths };
}

function putAside(paths: readonly string[], untracked: boolean): string {
  const stash = callText('git_stash', {
    action: 'push',
    paths: paths.length > MOST_NAMED ? undefined : paths,
    include_untracked: untracked ? true : undefined,
  });
  return `${stash}, then git_continue with action continue`;
}

/** Returns the ways that remain where going on would only stop again. */
function withoutContinue({ kind }: OperationFacts, besides?: string): string[] {
  const left = actionsOf(kind).filter((action) => action !== 'continue' && action !== besides);
  return [`git_continue with action ${left.join(', ')}`];
}
