import type { OperationFacts } from '../../reading/state/operations.ts';

type Kind = OperationFacts['kind'];

/** The actions of an operation; a merge has one step, and nothing to skip. */
export function actionsOf(kind: Kind): readonly string[] {
  return kind === 'merge' ? ['continue', 'abort', 'quit'] : ['continue', 'skip', 'abort', 'quit'];
}

/** The tools that end an operation. */
export function waysOut(kind: Kind): string[] {
  return kind === 'bisect' ? ['git_bisect'] : [`git_continue with action ${actionsOf(kind).join(', ')}`];
}

/** The reasons for which an operation stopped without a conflict. */
export const reasons = {
  empty: 'nothing is left to commit of this step',
  edit: 'it stopped so that this commit can be amended',
  uncommitted: 'all changes are staged and not committed',
} as const;

/** The tools that continue after conflicts. */
export function afterConflicts(kind: Kind | undefined): string[] {
  const ways = kind === undefined ? ['git_commit'] : waysOut(kind);
  return ['git_conflicts', 'git_resolve', ...ways];
}
