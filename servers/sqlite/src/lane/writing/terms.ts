import { LaneError } from '../../shared/error.ts';
import type { Applied } from './apply.ts';

/** The limits that a caller sets for a change, and its undo copy. */
export interface Terms {
  /** roll back at the end */
  readonly dryRun: boolean;
  /** most rows that may be touched in total */
  readonly maxChanges: number | undefined;
  /** path of the undo copy and when to make it; undefined for no copy */
  readonly undo: { readonly path: string; readonly when: 'always' | 'when-needed' } | undefined;
}

/** Updated or deleted rows above which an undo copy is made. */
const MANY_ROWS = 1_000;

/** Returns whether so many rows were updated or deleted that an undo copy is needed. */
export function losesMany(applied: readonly Applied[]): boolean {
  const lost = applied
    .flatMap(({ tables }) => tables)
    .reduce((rows, { updated, deleted }) => rows + updated + deleted, 0);
  return lost > MANY_ROWS;
}

/** Throws if more rows were touched than allowed, including by triggers and foreign keys. */
export function assertWithin({ maxChanges }: Terms, applied: readonly Applied[]): void {
  if (maxChanges === undefined) return;
  const touched = applied.reduce((sum, { changes, tables }) => {
    const counted = tables.reduce(
      (rows, { inserted, updated, deleted }) => rows + inserted + updated + deleted,
      0,
    );
    // rows of virtual tables are only in `changes`
    return sum + Math.max(changes, counted);
  }, 0);
  if (touched <= maxChanges) return;
  throw new LaneError(`rows touched: ${touched}, but max_changes is ${maxChanges}`, {
    code: 'too-many-changes',
    hint: 'nothing was changed: narrow the WHERE, or raise max_changes',
  });
}
