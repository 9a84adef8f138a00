import type { StatusEntry } from '../../porcelain/status-entries.ts';
import type { Oid } from '../../run/oid.ts';
import type { Discarded } from '../safety/discarded.ts';
import type { Selection } from '../safety/selection.ts';
import type { Entry } from '../safety/staged.ts';
import type { Choices, ChosenPatch } from './chosen-hunks.ts';
import type { Effect } from './effects.ts';

export interface RestoreWish {
  readonly paths: readonly string[] | undefined;
  readonly hunks: Choices | undefined;
  /** a commit; undefined is the index, and never so for the index itself */
  readonly source: Oid | undefined;
  readonly staged: boolean;
  readonly worktree: boolean;
  /** whether it ends conflicts: the caller named the source of the index */
  readonly endsConflicts: boolean;
}

/** The effect of a restore. */
export interface Restore {
  readonly wish: RestoreWish;
  readonly selection: Selection | undefined;
  readonly chosen: ChosenPatch | undefined;
  /** the differences from HEAD or the index before */
  readonly state: readonly StatusEntry[];
  readonly discarded: readonly Discarded[];
  /** files of the work tree that are restored */
  readonly files: readonly Effect[];
  /** files that these displace */
  readonly displaced: readonly Effect[];
  readonly entries: readonly Entry[];
  /** files that are created without an index entry */
  readonly untracked: ReadonlySet<string>;
  /** how many paths differ outside of the sparse checkout, and are left unchanged */
  readonly sparse: number;
}
