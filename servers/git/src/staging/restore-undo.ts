import { callText } from '../changes/undo.ts';
import type { Oid } from '../run/oid.ts';
import type { Restore } from './restore-plan.ts';
import { pathsOf } from './staged.ts';
import { isUnmerged, isUnstaged } from './state.ts';
import { undoOf } from './unstage.ts';

/** As many files are named that git_clean is to delete: no folder stands for them. */
const MOST_FRESH = 200;

/** Whether the way back needs the index or the work tree as they were, in a commit. */
export function needsSnapshot(plan: Restore): boolean {
  return plan.wish.staged && !isClean(plan, namesOf(plan)) && undoByAdding(plan) === undefined;
}

/** Returns the calls that bring back what a restore of paths changed; `before` is a snapshot from before it. */
export function undoOfPaths(plan: Restore, before: Oid | undefined): string | undefined {
  const { wish, state, discarded, files, entries } = plan;
  if (files.length + entries.length === 0) return undefined;
  if (discarded.some(({ what }) => what === 'untracked') || state.some(isUnmerged)) return undefined;
  if (!wish.worktree) return undoByAdding(plan) ?? undoOfIndex(plan, before);
  return wish.staged ? undoOfBoth(plan, before) : undoOfFiles(plan, before);
}

/** Returns the call that brings back hunks of the work tree. */
export function undoOfHunks({ discarded }: Restore, kept: Oid | undefined): string | undefined {
  if (kept === undefined) return undefined;
  const paths = pathsOf(discarded.map(({ path }) => path));
  return paths && callText('git_restore', { source: kept, paths, confirm: true });
}

/** git_add stages it again where the work tree had it all. */
function undoByAdding({ wish, entries, state }: Restore): string | undefined {
  if (wish.worktree) return undefined;
  const names = new Set(entries.map(({ path }) => path));
  const of = state.filter(({ path }) => names.has(path));
  const intended = of.filter(
    (entry) => entry.kind === 'changed' && entry.index === '.' && entry.worktree === 'A',
  );
  if (of.length === names.size && intended.length === of.length) {
    const files = pathsOf([...names]);
    return files && callText('git_add', { files, intent_to_add: true, force: true });
  }
  return undoOf(entries, state);
}

function undoOfIndex(plan: Restore, before: Oid | undefined): string | undefined {
  const all = namesOf(plan);
  if (isClean(plan, all)) {
    const paths = pathsFrom(plan, all, undefined);
    return paths && callText('git_restore', { paths, staged: true });
  }
  const paths = pathsFrom(plan, all, before);
  return paths && callText('git_restore', { source: `${before}^2`, paths, staged: true });
}

function undoOfBoth(plan: Restore, before: Oid | undefined): string | undefined {
  const all = namesOf(plan);
  if (isClean(plan, all)) {
    const paths = pathsFrom(plan, all, undefined);
    return paths && callText('git_restore', { paths, staged: true, worktree: true, confirm: true });
  }
  const [files, entries] = [plan.files, plan.entries].map((some) => {
    const names = some.map(({ path }) => path);
    return names.length === 0 ? [] : pathsFrom(plan, names, before);
  });
  if (files === undefined || entries === undefined) return undefined;
  const calls = [
    files.length > 0 && callText('git_restore', { source: before, paths: files, confirm: true }),
    entries.length > 0 && callText('git_restore', { source: `${before}^2`, paths: entries, staged: true }),
  ];
  return calls.filter(Boolean).join(', then ');
}

/** Of the work tree alone: what the index has, a snapshot of what it had not, and no file that neither had. */
function undoOfFiles(plan: Restore, before: Oid | undefined): string | undefined {
  const { files, untracked, wish } = plan;
  const names = files.map(({ path }) => path);
  const [fresh, rest] = [true, false].map((is) => names.filter((path) => untracked.has(path) === is));
  const calls: (string | undefined)[] = [];
  if (rest!.length > 0) {
    const clean = isClean(plan, rest!);
    const paths = pathsFrom(plan, rest!, clean ? undefined : before);
    const source = clean ? {} : { source: before };
    const confirm = wish.source === undefined ? {} : { confirm: true };
    calls.push(paths && callText('git_restore', { ...source, paths, ...confirm }));
  }
  if (fresh!.length > 0) {
    const paths = pathsOf(fresh!, MOST_FRESH);
    calls.push(paths && callText('git_clean', { paths, ignored: true, dry_run: false, confirm: true }));
  }
  return calls.includes(undefined) ? undefined : calls.join(', then ');
}

/** Returns the paths that were otherwise than in HEAD, or for files alone otherwise than in the index. */
function changedIn({ state, wish }: Restore): ReadonlySet<string> {
  const changed = wish.staged
    ? state
    : state.filter((entry) => entry.kind !== 'changed' || isUnstaged(entry));
  return new Set(changed.map(({ path }) => path));
}

function isClean(plan: Restore, names: readonly string[]): boolean {
  const changed = changedIn(plan);
  return !names.some((name) => changed.has(name));
}

/** The paths of a call; where they are too many, the names of the caller if nothing else is below them. */
function pathsFrom(
  plan: Restore,
  names: readonly string[],
  before: Oid | undefined,
): readonly string[] | undefined {
  if (before === undefined && !isClean(plan, names)) return undefined;
  const few = pathsOf(names);
  if (few !== undefined) return few;
  // of all that was changed there a snapshot has what it was
  return before === undefined && changedIn(plan).size > 0 ? undefined : plan.selection!.names;
}

function namesOf({ files, entries }: Restore): string[] {
  return [...new Set([...files, ...entries].map(({ path }) => path))];
}
