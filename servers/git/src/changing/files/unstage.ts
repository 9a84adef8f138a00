import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { callText } from '../../call/undo-text.ts';
import type { Changed, StatusEntry } from '../../porcelain/status-entries.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { refuseUnmerged, stateOf } from '../safety/path-states.ts';
import { selectionOf } from '../safety/selection.ts';
import { takeSnapshot } from '../safety/snapshot.ts';
import { type Entry, entriesBetween, pathsFor, pathsOf, stagedNow } from '../safety/staged.ts';
import { applyChosen, type Choices, choose } from './chosen-hunks.ts';
import { readsModes } from './work-file.ts';

/** The entries that are no longer staged, and the undo where the work tree has all their content. */
export interface Unstaged {
  readonly entries: readonly Entry[];
  readonly undo: string | undefined;
}

interface UnstageOptions {
  readonly dryRun: boolean;
}

/** Resets these paths of the index to HEAD; the work tree and a merge in progress are left unchanged. */
export async function unstagePaths(
  opened: Opened,
  names: readonly string[],
  { dryRun }: UnstageOptions,
): Promise<Unstaged> {
  const selection = selectionOf(opened, names);
  const state = await stateOf(opened, selection);
  refuseUnmerged(state, 'git_resolve resolves a conflict; git_continue with abort undoes the operation');
  const before = await stagedNow(opened);
  const inside = [...before].filter(([path]) => selection.holds(path));
  if (inside.length === 0) return { entries: [], undo: undefined };
  if (dryRun) return { entries: entriesBetween(new Map(inside), new Map()), undo: undefined };
  const kept = await keptFor(opened, entriesBetween(new Map(inside), new Map()), state);
  await opened.run(command('reset', { flags: ['--quiet'], paths: selection.paths }), { okay: [0, 1] });
  const after = await stagedNow(opened);
  const entries = entriesBetween(before, after);
  if ([...after.keys()].some((path) => selection.holds(path))) throw notUnstaged();
  const above = selection.namesAbove(entries.map(({ path }) => path));
  return { entries, undo: undoOf(opened, entries, state) ?? undoFrom(kept, entries, above) };
}

/** Does the same for hunks of staged changes. */
export async function unstageHunks(
  opened: Opened,
  choices: Choices,
  { dryRun }: UnstageOptions,
): Promise<Unstaged> {
  const chosen = await choose(opened, 'staged', choices, { reverse: true });
  const [state, before] = [await stateOf(opened, undefined), await stagedNow(opened)];
  const kept = dryRun ? undefined : await keptFor(opened, chosen.entries, state);
  await applyChosen(opened, chosen, { to: 'index', reverse: true, check: dryRun });
  if (dryRun) return { entries: chosen.entries, undo: undefined };
  const entries = entriesBetween(before, await stagedNow(opened));
  return { entries, undo: undoOf(opened, entries, state) ?? undoFrom(kept, entries, chosen.paths) };
}

/** Backs up the index where git_add does not stage the same again. */
async function keptFor(
  opened: Opened,
  entries: readonly Entry[],
  state: readonly StatusEntry[],
): Promise<Oid | undefined> {
  return undoOf(opened, entries, state) === undefined ? takeSnapshot(opened) : undefined;
}

/** Returns the call that restores paths of the index from a backup; everything below `names` where they are many. */
export function undoFrom(
  kept: Oid | undefined,
  entries: readonly Entry[],
  names: readonly string[],
): string | undefined {
  if (kept === undefined || entries.length === 0) return undefined;
  const paths = pathsOf(entries.map(({ path }) => path)) ?? names;
  return callText('git_restore', { source: `${kept}^2`, paths, staged: true });
}

/** git_add stages the work tree's content: it is the undo only where that was staged */
export function undoOf(
  opened: Opened,
  entries: readonly Entry[],
  before: readonly StatusEntry[],
): string | undefined {
  const same = new Map(before.filter(isInWorkTree).map((entry) => [entry.path, entry.staged.mode]));
  if (entries.length === 0 || entries.some(({ path }) => !same.has(path))) return undefined;
  if (!readsModes(opened) && entries.some((entry) => !keepsMode(entry, same.get(entry.path))))
    return undefined;
  const names = entries.map(({ path }) => path);
  // an untracked path may be ignored
  if (entries.some(({ after }) => after === undefined)) {
    const files = pathsOf(names);
    return files && callText('git_add', { files, force: true });
  }
  const paths = pathsFor(names);
  return paths === undefined ? undefined : `git_add with files ${paths}`;
}

/** Returns whether git, where it takes modes from the index, stages a file with its earlier mode. */
function keepsMode({ after, mode }: Entry, staged: string | undefined): boolean {
  return after === undefined ? staged === '100644' : mode?.includes('->') !== true;
}

/** Where a deletion is staged, an untracked file may exist, which git_add would stage. */
function isInWorkTree(entry: StatusEntry): entry is Changed {
  return entry.kind === 'changed' && !'.D'.includes(entry.index) && entry.worktree === '.';
}

function notUnstaged(): ToolError {
  return new ToolError('git reported success, but paths are still staged', {
    code: 'changed',
    hint: 'another program may stage at the same time; look before trying again',
  });
}
