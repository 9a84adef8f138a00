import { join } from 'node:path';
import { showPath, statEntry } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { operationsOf } from '../../reading/state/operations.ts';
import { readStatus } from '../../reading/state/read-status.ts';
import { isNotFound } from '../../repository/refusals.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { refName } from '../../run/operand.ts';
import { type Agreed, type Loss, requireConsent } from '../safety/consent.ts';
import { someOf, stampOf } from '../safety/names.ts';
import { unmergedOf } from './unmerged.ts';
import { assertIdle, type Linked, linkedAt, otherwise, readOnly, worktreeAt } from './worktree-name.ts';
import { type Arguments, undoBy, type WorktreeResult } from './worktree-schema.ts';

/** Losses that are named at most. */
const MAX_LISTED = 200;

/** The data that a removal deletes. */
export interface Removal {
  readonly linked: Linked;
  readonly loses: readonly string[];
  readonly loss: Loss | undefined;
}

export async function planRemoval(
  opened: Opened,
  workspace: Workspace,
  path: string | undefined,
  signal: AbortSignal,
): Promise<Removal> {
  const linked = await linkedAt(opened, path);
  assertIdle(linked, opened);
  const { facts, path: real } = linked;
  const found = facts.prunable === undefined ? await dataLossOf(opened, workspace, real, signal) : nothing;
  const loses = [...found.loses, ...(await lostCommits(opened, linked))];
  if (loses.length === 0) return { linked, loses, loss: undefined };
  return {
    linked,
    loses,
    loss: {
      question: `Remove the work tree ${showPath(real)}, with ${someOf(loses)}?`,
      label: 'Remove it',
      facts: [opened.repository.commonIdentity, real, facts.commit, loses, found.stamps],
    },
  };
}

const nothing = { loses: [], stamps: [] };

export async function remove(
  opened: Opened,
  { linked, loses, loss }: Removal,
  { dry_run, confirm }: Arguments,
  agreed: Agreed,
): Promise<WorktreeResult> {
  const result = { worktree: linked.facts, ...(loses.length > 0 && { loses: loses.slice(0, MAX_LISTED) }) };
  if (dry_run) return result;
  requireConsent(loss, agreed, confirm);
  const { path, facts } = linked;
  // by default git deletes ignored files and unreferenced commits, and refuses for others
  await opened.run(
    command('worktree remove', { flags: loss === undefined ? [] : ['--force'], paths: [path] }),
  );
  if ((await worktreeAt(opened, path)) !== undefined) throw otherwise();
  if (loss !== undefined || facts.commit === undefined) return result;
  const at =
    facts.branch === undefined || facts.branch.startsWith('refs/')
      ? { detach: true, branch_name: facts.commit }
      : { branch_name: facts.branch };
  return { ...result, undo: undoBy({ action: 'add', path, ...at }) };
}

/** Returns the files of a work tree that are in no commit: git removes ignored ones without a message. */
function dataLossOf(
  opened: Opened,
  { scope, repositories }: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly loses: readonly string[]; readonly stamps: readonly string[] }> {
  return repositories.use(scope, path, signal, async (inner) => {
    const { commonIdentity, place, reach, readOnly: closed } = inner.repository;
    if (commonIdentity !== opened.repository.commonIdentity || place.workTree !== path) {
      throw new ToolError('the folder holds another repository by now', {
        code: 'changed',
        hint: 'nothing was done; git_list with kind worktrees lists them',
      });
    }
    if (closed) throw readOnly();
    const { entries } = await readStatus(inner, { ignored: true, renames: false });
    const names = entries.map((entry) => entry.path);
    const inProgress = operationsOf(inner.repository).map(({ kind }) => `a ${kind} in progress`);
    const modules = isThere(() => statEntry(reach, join(place.gitDir, 'modules')));
    return {
      loses: [...names, ...inProgress, ...(modules ? ['the repositories of its submodules'] : [])],
      stamps: names.map((name) => stampOf(inner, name)),
    };
  });
}

/** Returns the commits that only the HEAD of a work tree leads to, whose log is deleted with it. */
export async function lostCommits(
  opened: Opened,
  { path, facts: { branch, commit } }: Linked,
): Promise<string[]> {
  if (branch !== undefined || commit === undefined) return [];
  // no branch has this name, so that every commit counts
  const count = await unmergedOf(opened, refName('HEAD'), commit as Oid);
  return count === 0 ? [] : [`${count === 1 ? '1 commit' : `${count} commits`} of ${showPath(path)}`];
}

function isThere(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
