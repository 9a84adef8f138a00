import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { parseChanges } from '../../porcelain/changes.ts';
import { changesCommand } from '../../porcelain/diff.ts';
import { bytesOfName, isPlainName } from '../../porcelain/names.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { runCheckout } from '../safety/checkout-hook.ts';
import { type Agreed, requireConsent } from '../safety/consent.ts';
import { type Discarded, discardedOf, keepAside, lossOf } from '../safety/discarded.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { topmost } from '../safety/nesting.ts';
import { isUnmerged, refuseUnmerged, stateOf } from '../safety/path-states.ts';
import { selectionOf } from '../safety/selection.ts';
import { takeSnapshot, wronglyKept } from '../safety/snapshot.ts';
import type { Entry } from '../safety/staged.ts';
import { applyChosen, type Choices, choose } from './chosen-hunks.ts';
import { displacedBy, refuseReplacing } from './displaced.ts';
import type { Effect } from './effects.ts';
import type { Restore, RestoreWish } from './restore-plan.ts';
import { needsSnapshot, undoOfHunks, undoOfPaths } from './restore-undo.ts';
import { differencesOf, indexChanges, unrestoredOf } from './restoring.ts';

export interface Restored {
  readonly kept: Oid | undefined;
  readonly undo: string | undefined;
  /** what hooks printed */
  readonly output: string | undefined;
}

export async function planRestore(opened: Opened, wish: RestoreWish): Promise<Restore> {
  const { hunks, paths, source, worktree } = wish;
  if (hunks !== undefined) return planHunks(opened, wish, hunks);
  const selection = selectionOf(opened, paths!);
  const state = await stateOf(opened, selection);
  if (!wish.endsConflicts) refuseUnmerged(state, 'git_resolve ends a conflict, also by taking one side');
  const found = await differencesOf(opened, wish, selection);
  const { files, entries, coming } = found;
  await refuseReplacing(opened, entries);
  const displaced = await displacedBy(opened, coming, files);
  if (worktree) {
    const written = files.flatMap(({ path, change }) => (change === 'deleted' ? [] : path));
    await refuseFiltered(opened, written, source && { target: source });
  }
  const discarded = [...discardedBy(opened, state, files, entries, wish), ...displaced.discarded];
  const lost = { discarded, displaced: displaced.files };
  return { ...{ wish, selection, chosen: undefined, state }, ...found, ...lost };
}

/** Returns the tracked content that exists nowhere else, of the files and entries that change. */
function discardedBy(
  opened: Opened,
  state: readonly StatusEntry[],
  files: readonly Effect[],
  entries: readonly Entry[],
  { staged, worktree }: RestoreWish,
): Discarded[] {
  if (!worktree) return [];
  const inFiles = new Set(files.map(({ path }) => path));
  const inIndex = new Set(entries.map(({ path }) => path));
  const changed = state.flatMap((entry): StatusEntry[] => {
    if (inFiles.has(entry.path) || isUnmerged(entry)) return [entry];
    // for these the work tree is left unchanged
    return inIndex.has(entry.path) && entry.kind === 'changed' ? [{ ...entry, worktree: '.' }] : [];
  });
  return discardedOf(opened, changed, staged);
}

async function planHunks(opened: Opened, wish: RestoreWish, hunks: Choices): Promise<Restore> {
  const chosen = await choose(opened, 'unstaged', hunks, { reverse: true });
  const state = await stateOf(opened, undefined);
  const touched = new Set(chosen.paths);
  const changed = state.filter(({ path }) => touched.has(path));
  const { stdout } = await opened.run(changesCommand({ sides: { kind: 'unstaged' }, renames: false }));
  const files = parseChanges(stdout).flatMap(({ path, kind }): Effect[] =>
    touched.has(path) ? [{ path, change: kind === 'deleted' ? 'created' : 'changed' }] : [],
  );
  const discarded = discardedOf(opened, changed, false);
  const rest = { entries: [], displaced: [], untracked: new Set<string>(), sparse: 0 };
  return { ...{ wish, selection: undefined, chosen, state, discarded, files }, ...rest };
}

/** Restores paths; the user agrees to losses first. */
export async function restore(
  opened: Opened,
  plan: Restore,
  agreed: Agreed,
  confirmed: boolean | undefined,
): Promise<Restored> {
  const { chosen, state, discarded } = plan;
  requireConsent(lossOf(opened, discarded), agreed, confirmed);
  const kept = await keepAside(opened, discarded, state);
  const commit = kept ?? (needsSnapshot(opened, plan) ? await takeSnapshot(opened) : undefined);
  const before = commit && { commit, ...wronglyKept(opened, state) };
  if (chosen !== undefined) {
    await applyChosen(opened, chosen, { to: 'worktree', reverse: true });
    return { kept, undo: undoOfHunks(plan, before), output: undefined };
  }
  const output = await restorePaths(opened, plan);
  return { kept, undo: undoOfPaths(opened, plan, before), output };
}

/** names exactly the changed paths to git, so that it touches nothing else */
async function restorePaths(opened: Opened, plan: Restore): Promise<string | undefined> {
  const { wish, files, entries } = plan;
  const { source, staged, worktree } = wish;
  const names = new Set([...files, ...entries].map(({ path }) => path));
  if (names.size === 0) return undefined;
  // a file replaces a folder with its content, which git then no longer knows
  const paths = topmost([...names]);
  const asked = command('restore', {
    flags: [
      '--quiet',
      ...(staged ? (['--staged'] as const) : []),
      ...(worktree ? (['--worktree'] as const) : []),
    ],
    options: { '--source': source },
    paths: paths.map((name) => (isPlainName(name) ? name : bytesOfName(name))),
  });
  const isDone = async () => {
    const left = [
      ...(staged ? (await indexChanges(opened, source!)).map(({ path }) => path) : []),
      ...(worktree ? await unrestoredOf(opened, source) : []),
    ];
    return !left.some((path) => names.has(path));
  };
  const printed = await runCheckout(opened, asked, isDone);
  if (!(await isDone())) throw notRestored();
  return printed;
}

function notRestored(): ToolError {
  return new ToolError('git reported success, but files still differ', {
    code: 'changed',
    hint: 'another program may write them at the same time; look before trying again',
  });
}
