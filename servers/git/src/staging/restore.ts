import { ToolError } from '@rootbound/protocol';
import { type Agreed, requireConsent } from '../changes/consent.ts';
import { refuseFiltered } from '../changes/filters.ts';
import {
  type Discarded,
  discardedOf,
  keepAside,
  lossOf,
  missingOf,
  overwrittenBy,
} from '../losses/discarded.ts';
import type { Opened } from '../opened.ts';
import { parseChanges } from '../porcelain/changes.ts';
import { changesCommand } from '../porcelain/diff.ts';
import type { StatusEntry } from '../porcelain/status-entries.ts';
import { command } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { applyChosen, type Choices, type ChosenPatch, choose } from './choices.ts';
import { type Selection, selectionOf } from './selection.ts';
import { refuseUnmerged, stateOf } from './state.ts';

export interface RestoreWish {
  readonly paths: readonly string[] | undefined;
  readonly hunks: Choices | undefined;
  /** a commit or tree; default the index, and HEAD for the index */
  readonly source: Oid | undefined;
  readonly staged: boolean;
  readonly worktree: boolean;
}

/** What a restore would do. */
export interface Restore {
  readonly wish: RestoreWish;
  readonly selection: Selection | undefined;
  readonly chosen: ChosenPatch | undefined;
  readonly state: readonly StatusEntry[];
  readonly discarded: readonly Discarded[];
}

export async function planRestore(opened: Opened, wish: RestoreWish): Promise<Restore> {
  const { hunks, paths, source, staged, worktree } = wish;
  if (hunks !== undefined) return planHunks(opened, wish, hunks);
  const selection = selectionOf(opened, paths!);
  const state = await stateOf(opened, selection);
  if (source === undefined || !staged)
    refuseUnmerged(state, 'git_resolve ends a conflict, also by taking one side');
  if (!worktree) return { wish, selection, chosen: undefined, state, discarded: [] };
  const coming = source === undefined ? [] : await comingFrom(opened, source, selection);
  const lost = await overwrittenBy(opened, [...coming, ...missingOf(state)]);
  const discarded = [...discardedOf(opened, state, staged), ...lost];
  return { wish, selection, chosen: undefined, state, discarded };
}

async function planHunks(opened: Opened, wish: RestoreWish, hunks: Choices): Promise<Restore> {
  const chosen = await choose(opened, 'unstaged', hunks, { reverse: true });
  const state = await stateOf(opened, undefined);
  const touched = new Set(chosen.paths);
  const entries = state.filter(({ path }) => touched.has(path));
  return { wish, selection: undefined, chosen, state, discarded: discardedOf(opened, entries, false) };
}

/** Paths that the index has not, and the source has. */
async function comingFrom(opened: Opened, source: Oid, { holds }: Selection): Promise<string[]> {
  const asked = changesCommand({ sides: { kind: 'staged', from: source }, renames: false });
  const { stdout } = await opened.run(asked);
  return parseChanges(stdout).flatMap(({ path, kind }) => (kind === 'deleted' && holds(path) ? path : []));
}

/** Restores; what would be lost has to be agreed to. */
export async function restore(
  opened: Opened,
  plan: Restore,
  agreed: Agreed,
  confirmed: boolean | undefined,
): Promise<Oid | undefined> {
  const { wish, selection, chosen, state, discarded } = plan;
  requireConsent(lossOf(opened, discarded), agreed, confirmed);
  if (chosen !== undefined) {
    const kept = await keepAside(opened, discarded, state);
    await applyChosen(opened, chosen, { to: 'worktree', reverse: true });
    return kept;
  }
  const { source, staged, worktree } = wish;
  if (worktree) await refuseFiltered(opened, () => written(opened, plan), source && { target: source });
  const kept = await keepAside(opened, discarded, state);
  await opened.run(
    command('restore', {
      flags: [
        '--quiet',
        ...(staged ? (['--staged'] as const) : []),
        ...(worktree ? (['--worktree'] as const) : []),
      ],
      options: { '--source': source },
      paths: selection!.paths,
    }),
  );
  if (worktree && source === undefined) await expectRestored(opened, selection!);
  return kept;
}

/** Files that will be written, of those that the source has. */
async function written(opened: Opened, { wish: { source, staged }, selection }: Restore): Promise<string[]> {
  const sides =
    source !== undefined
      ? ({ kind: 'worktree', from: source } as const)
      : staged
        ? ({ kind: 'worktree', from: await opened.resolve('HEAD', 'commit') } as const)
        : ({ kind: 'unstaged' } as const);
  const { stdout } = await opened.run(changesCommand({ sides, renames: false }));
  return parseChanges(stdout).flatMap(({ path }) => (selection!.holds(path) ? path : []));
}

async function expectRestored(opened: Opened, selection: Selection): Promise<void> {
  const left = (await stateOf(opened, selection)).some(
    (entry) => entry.kind === 'changed' && entry.worktree !== '.' && entry.submodule === undefined,
  );
  if (!left) return;
  throw new ToolError('git reported success, but files still differ', {
    code: 'changed',
    hint: 'another program may write them at the same time; look before trying again',
  });
}
