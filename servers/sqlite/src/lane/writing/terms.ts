import { LaneError } from '../../shared/error.ts';
import type { Applied } from './apply.ts';

/** What a caller allows a change to do, and what is to be kept from before it. */
export interface Terms {
  /** everything is put back in the end */
  readonly dryRun: boolean;
  /** most rows that may be touched in all */
  readonly maxChanges: number | undefined;
  /** where a copy from before goes, and when it is made; never without this */
  readonly undo: { readonly path: string; readonly when: 'always' | 'when-needed' } | undefined;
}

/** More rows than these are not changed or deleted without a copy from before. */
const MANY_ROWS = 1_000;

/** Whether so many rows go that a copy from before is in order. */
export function losesMany(applied: readonly Applied[]): boolean {
  const lost = applied
    .flatMap(({ tables }) => tables)
    .reduce((rows, { updated, deleted }) => rows + updated + deleted, 0);
  return lost > MANY_ROWS;
}

/** Throws when more rows were touched than the caller allows, triggers and foreign keys included. */
export function assertWithin({ maxChanges }: Terms, applied: readonly Applied[]): void {
  if (maxChanges === undefined) return;
  const touched = applied.reduce((sum, { changes, tables }) => {
    const counted = tables.reduce(
      (rows, { inserted, updated, deleted }) => rows + inserted + updated + deleted,
      0,
    );
    // the rows of virtual tables are in the first number only
    return sum + Math.max(changes, counted);
  }, 0);
  if (touched <= maxChanges) return;
  throw new LaneError(`it would change ${touched} rows, and max_changes is ${maxChanges}`, {
    code: 'too-many-changes',
    hint: 'nothing was changed: narrow it down, or allow more',
  });
}
