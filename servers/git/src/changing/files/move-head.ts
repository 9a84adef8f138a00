import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { callText } from '../../call/undo-text.ts';
import { parseChanges } from '../../porcelain/changes.ts';
import { changesCommand } from '../../porcelain/diff.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';
import { operationsOf } from '../../reading/state/operations.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { type Agreed, requireConsent } from '../safety/consent.ts';
import {
  type Discarded,
  discardedOf,
  keepAside,
  lossOf,
  missingOf,
  overwrittenBy,
} from '../safety/discarded.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { refuseOverwritingBy } from '../safety/overwriting.ts';
import { isIntended, isStaged, stateOf } from '../safety/path-states.ts';
import { type Point, pointOf } from '../safety/point.ts';
import { type Snapshot, takeSnapshot, wronglyKept } from '../safety/snapshot.ts';
import { pathsOf } from '../safety/staged.ts';
import { isOccupied } from '../safety/written-paths.ts';

export type Mode = 'soft' | 'mixed' | 'keep' | 'hard';

/** The effect of a move of HEAD and its branch. */
export interface Move {
  readonly mode: Mode;
  readonly to: Oid;
  readonly from: Point;
  readonly state: readonly StatusEntry[];
  readonly discarded: readonly Discarded[];
}

export async function planMove(opened: Opened, mode: Mode, to: Oid): Promise<Move> {
  const plan = await moveOf(opened, mode, to);
  if (mode === 'keep' || mode === 'hard')
    await refuseFiltered(opened, () => written(opened, plan), { target: to });
  if (mode === 'keep') await refuseOverwritingBy(opened, plan.from.commit, { targets: [to] });
  return plan;
}

async function moveOf(opened: Opened, mode: Mode, to: Oid): Promise<Move> {
  const from = await pointOf(opened);
  const state = mode === 'soft' ? [] : await stateOf(opened, undefined);
  if (mode !== 'hard') return { mode, to, from, state, discarded: [] };
  const coming = [...(await comingTo(opened, to)), ...missingOf(state)];
  const discarded = [...discardedOf(opened, state, true), ...(await overwrittenBy(opened, coming))];
  return { mode, to, from, state, discarded };
}

/** paths that the commit has and the index lacks */
async function comingTo(opened: Opened, to: Oid): Promise<string[]> {
  const asked = changesCommand({ sides: { kind: 'staged', from: to }, renames: false });
  const { stdout } = await opened.run(asked);
  return parseChanges(stdout).flatMap(({ path, kind }) => (kind === 'deleted' ? path : []));
}

/** Moves HEAD; the user agrees to losses first. */
export async function move(
  opened: Opened,
  plan: Move,
  agreed: Agreed,
  confirmed: boolean | undefined,
): Promise<{ readonly after: Point; readonly kept: Oid | undefined; readonly undo: string | undefined }> {
  const { mode, to, from, state, discarded } = plan;
  requireConsent(lossOf(opened, discarded), agreed, confirmed);
  const kept = await keepAside(opened, discarded, state);
  // the two others keep staged content in the work tree, but not that it was staged
  const index = mode !== 'hard' && state.some(isInIndex) ? await takeSnapshot(opened) : undefined;
  const before = kept && { commit: kept, ...wronglyKept(opened, state) };
  const undo = undoOf(opened, plan, before, index);
  await opened.run(command('reset', { flags: [`--${mode}`, '--quiet'], revisions: [to] }));
  const after = await pointOf(opened);
  if (after.commit !== to || after.branch !== from.branch) throw notMoved();
  return { after, kept, undo };
}

/** Returns whether the index differs from HEAD. */
function isInIndex(entry: StatusEntry): boolean {
  return isStaged(entry) || isIntended(entry);
}

/** Returns the files that differ between the work tree and the target. */
async function written(opened: Opened, { to, mode, from }: Move): Promise<string[]> {
  const sides =
    mode === 'keep' && from.commit !== undefined
      ? ({ kind: 'between', from: from.commit, to } as const)
      : ({ kind: 'worktree', from: to } as const);
  const { stdout } = await opened.run(changesCommand({ sides, renames: false }));
  return parseChanges(stdout).map(({ path }) => path);
}

function undoOf(
  opened: Opened,
  { mode, from, state, discarded }: Move,
  before: Snapshot | undefined,
  index: Oid | undefined,
): string | undefined {
  // ends an operation in progress, and conflicts
  if (from.commit === undefined || operationsOf(opened.repository).length > 0) return undefined;
  const back = `git_reset with mode "${mode}" and revision "${from.commit}"`;
  const staged = state.some(isInIndex);
  if (mode === 'soft' || (mode !== 'hard' && !staged) || (mode === 'hard' && discarded.length === 0))
    return back;
  if (mode !== 'hard')
    return (
      index &&
      `${back}, then ${callText('git_restore', { source: `${index}^2`, paths: ['.'], staged: true })}`
    );
  if (before === undefined || before.replaced.length > 0) return undefined;
  if (discarded.some(({ what }) => what === 'untracked')) return undefined;
  const [gone, { commit }] = [pathsOf(before.added), before];
  if (gone === undefined || state.some((entry) => isLeft(opened, entry))) return undefined;
  const restore = `git_restore with paths ["."] and source "${commit}`;
  const removal = callText('git_restore', { source: `${commit}^`, paths: gone });
  return [
    `${back}, then ${restore}"`,
    ...(staged ? [`${restore}^2" and staged true`] : []),
    ...(gone.length > 0 ? [removal] : []),
  ].join(', then ');
}

/** Returns whether a file that is staged as deleted exists, or another in its place: the undo would overwrite it. */
function isLeft(opened: Opened, entry: StatusEntry): boolean {
  return entry.kind === 'changed' && entry.index === 'D' && isOccupied(opened, entry.path);
}

function notMoved(): ToolError {
  return new ToolError('git reported success, but HEAD is not where it was to go', {
    code: 'changed',
    hint: 'another program may have moved it; look before trying again',
  });
}
