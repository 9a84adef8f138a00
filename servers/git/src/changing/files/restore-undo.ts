import type { Opened } from '../../call/open-repository.ts';
import { callText } from '../../call/undo-text.ts';
import { within } from '../safety/nesting.ts';
import { isIntended, isUnmerged, isUnstaged } from '../safety/path-states.ts';
import type { Snapshot } from '../safety/snapshot.ts';
import { pathsOf } from '../safety/staged.ts';
import type { Restore } from './restore-plan.ts';
import { undoOf } from './unstage.ts';

/** Files that the undo names for git_clean: no folder stands for them. */
const MOST_FRESH = 200;

/** Returns whether the restore needs a backup: neither git_add, nor HEAD or the index, restore the same. */
export function needsSnapshot(opened: Opened, plan: Restore): boolean {
  const { wish, discarded } = plan;
  if (isLost(plan)) return false;
  // a backup of discarded data was tried
  if (!wish.staged) return discarded.length === 0 && cleanCalls(plan) === undefined;
  return undoByAdding(opened, plan) === undefined && cleanCalls(plan) === undefined;
}

/** Returns the calls that undo a restore of paths; `before` is a backup from before it. */
export function undoOfPaths(opened: Opened, plan: Restore, before: Snapshot | undefined): string | undefined {
  const { wish, files, entries } = plan;
  if (files.length + entries.length === 0 || isLost(plan)) return undefined;
  const added = undoByAdding(opened, plan);
  if (added !== undefined) return added;
  const calls = cleanCalls(plan) ?? (before && snapshotCalls(plan, before));
  if (calls === undefined) return undefined;
  return inOrder(wish.staged ? calls : [...calls, ...freshCalls(plan)]);
}

/** Returns whether the restore overwrites data that no backup has. */
function isLost({ state, discarded }: Restore): boolean {
  return discarded.some(({ what }) => what === 'untracked') || state.some(isUnmerged);
}

/** Returns the calls that restore hunks of the work tree. */
export function undoOfHunks(plan: Restore, before: Snapshot | undefined): string | undefined {
  const calls = before && fileCalls(plan, pathsIn(plan.discarded), before);
  return calls && inOrder([...calls.write, ...calls.remove]);
}

/** a call is undefined where nothing restores that part */
type Calls = readonly (string | undefined)[];

function inOrder(calls: Calls): string | undefined {
  return calls.includes(undefined) ? undefined : calls.join(', then ');
}

/** git_add stages it again where the work tree had all of it */
function undoByAdding(opened: Opened, { wish, entries, state }: Restore): string | undefined {
  if (wish.worktree) return undefined;
  const names = new Set(pathsIn(entries));
  const of = state.filter(({ path }) => names.has(path));
  const intended = of.filter(isIntended);
  if (of.length === names.size && intended.length === of.length) {
    // an intent to add replaces nothing that is staged
    if (entries.some(({ after }) => after !== undefined)) return undefined;
    const files = pathsOf([...names]);
    return files && callText('git_add', { files, intent_to_add: true, force: true });
  }
  return undoOf(opened, entries, state);
}

/** Returns the calls that restore from HEAD or the index, where these had everything, and few calls suffice. */
function cleanCalls(plan: Restore): Calls | undefined {
  const { staged, worktree, source } = plan.wish;
  const same = unchangedFiles(plan);
  if (same.length > 0 && cleanPaths(plan, same, false) === undefined) return undefined;
  const paths = cleanPaths(
    plan,
    namesOf(plan).filter((path) => !same.includes(path)),
    true,
  );
  if (paths === undefined) return undefined;
  const sides = { ...(staged && { staged, ...(worktree && { worktree }) }) };
  const confirm = worktree && source !== undefined ? { confirm: true } : {};
  return [
    ...(same.length === 0 ? [] : [callText('git_restore', { paths: same, staged: true })]),
    ...(paths.length === 0 ? [] : [callText('git_restore', { paths, ...sides, ...confirm })]),
  ];
}

/** Returns the calls that restore from a backup. */
function snapshotCalls(plan: Restore, before: Snapshot): Calls {
  const { files, entries, untracked, wish } = plan;
  const names = pathsIn(files).filter((path) => wish.staged || !untracked.has(path));
  const { whole, write, remove } = fileCalls(plan, names, before);
  const index = (paths: readonly string[] | undefined): Calls => {
    if (paths?.length === 0) return [];
    return [paths && callText('git_restore', { source: `${before.commit}^2`, paths, staged: true })];
  };
  // as git no longer knows them then, a call for all paths of the caller leaves them
  const same = whole ? unchangedFiles(plan) : [];
  const others = pathsIn(entries).filter((path) => !same.includes(path));
  return [...index(pathsOf(same)), ...write, ...index(pathsFor(plan, others, true)?.paths), ...remove];
}

/** Returns the call that deletes files which a restore of the work tree created, and which the index lacks. */
function freshCalls({ files, untracked }: Restore): Calls {
  const fresh = pathsIn(files).filter((path) => untracked.has(path));
  if (fresh.length === 0) return [];
  const paths = pathsOf(fresh, MOST_FRESH);
  return [paths && callText('git_clean', { paths, ignored: true, dry_run: false, confirm: true })];
}

interface FileCalls {
  /** whether the calls write all paths of the caller, and not only the restored ones */
  readonly whole: boolean;
  readonly write: Calls;
  /** deletes files that the backup has and the work tree lacked; built while the index is as it was */
  readonly remove: Calls;
}

/** Returns the calls that restore files of the work tree from a backup. */
function fileCalls(plan: Restore, names: readonly string[], before: Snapshot): FileCalls {
  const { commit, replaced } = before;
  const isNamed = within(names);
  if (replaced.some(isNamed)) return { whole: false, write: [undefined], remove: [] };
  const added = new Set(before.added);
  const found = pathsFor(
    plan,
    names.filter((path) => !added.has(path)),
    replaced.length === 0,
  );
  const whole = found?.whole === true;
  const call = (source: string, paths: readonly string[] | undefined): Calls => {
    if (paths?.length === 0) return [];
    const { source: from, hunks } = plan.wish;
    const confirm = whole || from !== undefined || hunks !== undefined ? { confirm: true } : {};
    return [paths && callText('git_restore', { source, paths, ...confirm })];
  };
  const gone = before.added.filter((path) => whole || isNamed(path));
  return { whole, write: call(commit, found?.paths), remove: call(`${commit}^`, pathsOf(gone)) };
}

/** Returns the untracked files that equal their restored version: only their index entries change. */
function unchangedFiles({ wish, files, entries }: Restore): string[] {
  if (!wish.worktree) return [];
  const changed = new Set(pathsIn(files));
  return pathsIn(entries.filter(({ path, before }) => before === undefined && !changed.has(path)));
}

/**
 * Returns the paths of a call that restores these from HEAD or, for files alone, from the index, where that had them. A
 * call that names a file where a folder was also reaches the folder's content.
 */
function cleanPaths(plan: Restore, names: readonly string[], mayBeWhole: boolean) {
  const { state, wish } = plan;
  const changed = wish.staged
    ? state
    : state.filter((entry) => entry.kind !== 'changed' || isUnstaged(entry));
  if (pathsIn(changed).some(within(names))) return undefined;
  return pathsFor(plan, names, mayBeWhole && changed.length === 0)?.paths;
}

/** The paths of a call; `whole` where they are all paths of the caller. */
interface PathsOfCall {
  readonly paths: readonly string[];
  readonly whole: boolean;
}

/** Returns each path, or where they are too many the caller's paths above them, if that restores the same. */
function pathsFor(
  { selection }: Restore,
  names: readonly string[],
  isSame: boolean,
): PathsOfCall | undefined {
  const few = pathsOf(names);
  if (few !== undefined) return { paths: few, whole: false };
  return selection === undefined || !isSame ? undefined : { paths: selection.namesAbove(names), whole: true };
}

/** Returns the restored paths that were tracked, or are now. */
function namesOf({ files, entries, untracked, wish }: Restore): string[] {
  const tracked = files.filter(({ path }) => wish.staged || !untracked.has(path));
  return [...new Set(pathsIn([...tracked, ...entries]))];
}

function pathsIn(all: readonly { readonly path: string }[]): string[] {
  return all.map(({ path }) => path);
}
