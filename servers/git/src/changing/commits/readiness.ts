import { counted } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import { gitFilesOf } from '../../call/git-files.ts';
import type { Opened } from '../../call/open-repository.ts';
import { type Operation, readOperations } from '../../porcelain/operation.ts';
import type { Changed } from '../../porcelain/status-entries.ts';
import type { Oid } from '../../run/oid.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { isStaged, isTracked, isUnstaged, refuseUnmerged, stateOf } from '../safety/path-states.ts';
import { type Selection, selectionOf } from '../safety/selection.ts';

/** The contents of a commit. */
export interface Contents {
  /** all tracked files, as they are in the work tree */
  readonly all: boolean;
  /** only these paths, as they are in the work tree */
  readonly paths: readonly string[] | undefined;
  readonly amend: boolean;
  readonly allowEmpty: boolean;
}

/** An operation, or a step of one, that the commit concludes. */
export interface Concluded {
  readonly kind: 'merge' | 'cherry-pick' | 'revert';
  /** the commits that are merged */
  readonly heads: readonly Oid[];
  /** the commits that remain to be picked */
  readonly remaining: number;
}

export interface Ready {
  readonly selection: Selection | undefined;
  readonly concluded: Concluded | undefined;
  /** the paths that the commit takes in another state than the staged one */
  readonly fromWorkTree: readonly Changed[];
  readonly isStaged: boolean;
}

/** Throws when there is nothing to commit, or something prevents it. */
export async function getReady(opened: Opened, contents: Contents): Promise<Ready> {
  const { all, paths, amend, allowEmpty } = contents;
  if (opened.repository.place.workTree === undefined)
    throw new ToolError('a bare repository has no work tree', { code: 'unsupported' });
  if (all && paths !== undefined) throw invalid('all and paths exclude each other');
  const concluded = concludedIn(readOperations(gitFilesOf(opened.repository)));
  if (concluded !== undefined && amend)
    throw invalid(`a ${concluded.kind} is in progress: it has no commit to amend`);
  if (concluded?.kind === 'merge' && paths !== undefined)
    throw invalid('a merge is committed as a whole: leave out paths');
  const selection = paths === undefined ? undefined : selectionOf(opened, paths);
  const state = await stateOf(opened, undefined);
  refuseUnmerged(state, 'git_conflicts lists them, git_resolve resolves them');
  const taken = state.filter((entry) => selection === undefined || selection.holds(entry.path));
  const fromWorkTree = all || selection !== undefined ? taken.filter(isUnstaged) : [];
  const some = fromWorkTree.length > 0 || taken.some(isStaged);
  if (!some && !amend && !allowEmpty && concluded?.kind !== 'merge')
    throw nothing(state.filter(isTracked).length);
  await refuseFiltered(opened, async () => fromWorkTree.map(({ path }) => path));
  return { selection, concluded, fromWorkTree, isStaged: state.some(isStaged) };
}

function concludedIn(operations: readonly Operation[]): Concluded | undefined {
  for (const operation of operations) {
    if (operation.kind === 'am' || (operation.kind === 'rebase' && !operation.amending)) {
      throw new ToolError(`a ${operation.kind} is in progress`, {
        code: 'in-progress',
        hint: 'stage what resolves its step, then git_continue commits it',
      });
    }
    if (operation.kind === 'merge') return { kind: 'merge', heads: operation.heads, remaining: 0 };
    if ((operation.kind === 'cherry-pick' || operation.kind === 'revert') && operation.commit !== undefined)
      return { kind: operation.kind, heads: [], remaining: operation.remaining - 1 };
  }
  return undefined;
}

function nothing(changed: number): ToolError {
  const more = changed === 0 ? '' : `, but ${counted(changed, 'file is', 'files are')} changed elsewhere`;
  return new ToolError(`nothing to commit${more}`, {
    code: 'nothing-to-commit',
    hint: changed === 0 ? 'allow_empty makes an empty commit' : 'stage with git_add first, or give all: true',
  });
}

function invalid(message: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments' });
}
