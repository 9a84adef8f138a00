import { ToolError } from '@rootbound/protocol';
import { readHead } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import type { Stash } from '../../porcelain/stash.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { stashEntry } from '../../run/operand.ts';
import { parentsOf } from '../safety/ancestry.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { refuseOverwritingBy } from '../safety/overwriting.ts';
import { pointOf } from '../safety/point.ts';
import { branchName } from '../safety/refs.ts';
import { differencesOf } from '../safety/written-paths.ts';
import { assertTakeable } from './stash-apply.ts';
import { expectStash, namedStash } from './stash-name.ts';
import type { StashResult } from './stash-schema.ts';

/** Drops a stash by its present number; its commit stays until git collects it. */
export async function drop(opened: Opened, commit: Oid): Promise<StashResult> {
  const { position, message } = await namedStash(opened, commit, commit);
  await opened.run(command('stash drop', { flags: ['--quiet'], names: [stashEntry(position)] }));
  await expectStash(opened, commit, false);
  const undo = `git_stash with action "store", stash "${commit}" and message ${JSON.stringify(message)}`;
  return { state: 'done', stash: commit, message, undo };
}

/** Adds the commit of a dropped stash to the list again. */
export async function store(
  opened: Opened,
  name: string | undefined,
  message: string | undefined,
): Promise<StashResult> {
  if (name === undefined) {
    throw new ToolError('stash, the commit to store, is missing', { code: 'invalid-arguments' });
  }
  const commit = await opened.resolve(name, 'commit');
  if ((await parentsOf(opened, commit)).length < 2)
    throw new ToolError('this commit is no stash', {
      code: 'unsupported',
      hint: 'git_create_branch keeps a commit',
    });
  const line = message?.replace(/(?<!\s)\s*\n\s*/g, ' ');
  await opened.run(
    command('stash store', {
      flags: ['--quiet'],
      options: line === undefined ? {} : { '--message': line },
      revisions: [commit],
    }),
  );
  await expectStash(opened, commit, true);
  return { state: 'done', stash: commit, undo: `git_stash with action "drop" and stash "${commit}"` };
}

/** Creates a branch at the commit of a stash, and applies the stash there. */
export async function branch(opened: Opened, stash: Stash, name: string | undefined): Promise<StashResult> {
  const { base, commit, message, position } = stash;
  if (name === undefined) throw new ToolError('branch_name is missing', { code: 'invalid-arguments' });
  if (base === undefined) throw new ToolError('this is no stash: it has no base', { code: 'unsupported' });
  const made = branchName(name);
  const head = await pointOf(opened);
  await assertTakeable(opened, stash);
  const written = await differencesOf(opened, head.commit, base);
  await refuseFiltered(
    opened,
    written.map(({ path }) => nameOfByteString(path)),
    { target: base },
  );
  await refuseOverwritingBy(opened, head.commit, { targets: [base] });
  await opened
    .run(command('stash branch', { names: [made, stashEntry(position)] }))
    .catch((error: unknown) => {
      throw stoppedByHook(opened, error, made);
    });
  const after = await pointOf(opened);
  if (after.branch !== made || after.commit !== base) {
    throw new ToolError('git reported success, but HEAD is not at the new branch', { code: 'changed' });
  }
  await expectStash(opened, commit, false);
  return { state: 'done', stash: commit, message };
}

/** git applies no stash after a hook that failed at the checkout of the new branch */
function stoppedByHook({ repository }: Opened, error: unknown, made: string): unknown {
  if (!(error instanceof ToolError) || readHead(repository).branch !== made) return error;
  const { message, code } = error;
  return new ToolError(message, {
    code,
    cause: error,
    hint: `the branch ${made} is checked out and the stash is kept: git_stash with action "pop" applies it`,
  });
}
