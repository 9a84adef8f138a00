import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type ConflictedPath, conflictsCommand, parseConflicts } from '../../porcelain/conflicts.ts';
import { type OperationFacts, operationsOf } from '../../reading/state/operations.ts';
import { waysOut } from './actions.ts';

/** The state of a repository between two steps. */
export interface Standing {
  /** the operation that continues in steps, or waits for its commit; a bisect does neither */
  readonly operation: OperationFacts | undefined;
  readonly conflicts: readonly ConflictedPath[];
}

export async function standingOf(opened: Opened): Promise<Standing> {
  return { operation: operationOf(opened), conflicts: await conflictsIn(opened) };
}

export function operationOf({ repository }: Opened): OperationFacts | undefined {
  return operationsOf(repository).find(({ kind }) => kind !== 'bisect');
}

async function conflictsIn(opened: Opened): Promise<ConflictedPath[]> {
  return parseConflicts((await opened.run(conflictsCommand())).stdout);
}

/** Throws where an operation is in progress, or paths are in conflict. */
export async function assertIdle(opened: Opened): Promise<void> {
  if (opened.repository.place.workTree === undefined)
    throw new ToolError('a bare repository has no work tree to do this in', { code: 'unsupported' });
  const [found] = operationsOf(opened.repository);
  if (found !== undefined) {
    throw new ToolError(`a ${found.kind} is in progress`, {
      code: 'in-progress',
      hint: `nothing was done; end it first: ${waysOut(found.kind).join(', ')}`,
    });
  }
  const [conflict] = await conflictsIn(opened);
  if (conflict === undefined) return;
  throw new ToolError('there are paths in conflict, of an operation that is over', {
    code: 'conflict',
    hint: 'nothing was done; git_conflicts shows them, git_resolve settles them',
  });
}
