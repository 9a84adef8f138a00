import { showName } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { ConflictedPath } from '../../porcelain/conflicts.ts';
import { mergeTreeCommand, mergeTreeStatuses, parseMergeTree } from '../../porcelain/merge-tree.ts';
import type { Oid } from '../../run/oid.ts';
import { isAtLeast } from '../../run/version.ts';
import type { PreflightFacts } from './conflict-schema.ts';

export interface Preflight {
  readonly facts: PreflightFacts;
  readonly tree: Oid;
  readonly conflicts: readonly ConflictedPath[];
}

const MOST_MESSAGES = 20;
const MOST_LENGTH = 300;

/** Merges in memory and returns the outcome; touches neither index nor work tree. */
export async function preflight(opened: Opened, merge: string, into: string): Promise<Preflight> {
  await assertPossible(opened);
  const ours = await opened.resolve(into, 'commit');
  const theirs = await opened.resolve(merge, 'commit');
  const { stdout } = await opened.run(mergeTreeCommand({ ours, theirs }), { okay: mergeTreeStatuses });
  const { tree, conflicts, messages } = parseMergeTree(stdout);
  const reports = messages.filter(({ kind }) => kind.startsWith('CONFLICT'));
  const texts = reports.slice(0, MOST_MESSAGES).map(({ text }) => showName(text.slice(0, MOST_LENGTH)));
  // a conflict of names may leave no path in conflict
  const clean = conflicts.length === 0 && reports.length === 0;
  return { facts: { ours, theirs, clean, tree, messages: texts }, tree, conflicts };
}

async function assertPossible({ git, repository }: Opened): Promise<void> {
  if (repository.readOnly) {
    throw new ToolError('a preflight writes objects, and this repository is read-only', {
      code: 'read-only',
      hint: 'git_diff with target a...b lists the changes of each side',
    });
  }
  const version = await git.version();
  if (isAtLeast(version, '2.38')) return;
  throw new ToolError(`a preflight needs git 2.38 or newer, and this one is ${version.text}`, {
    code: 'unsupported',
  });
}
