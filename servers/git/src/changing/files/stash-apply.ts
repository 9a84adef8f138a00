import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import type { Stash } from '../../porcelain/stash.ts';
import { parseStatus, statusCommand } from '../../porcelain/status.ts';
import { command } from '../../run/command.ts';
import { refName } from '../../run/operand.ts';
import { overwrittenBy } from '../safety/discarded.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { someOf } from '../safety/names.ts';
import { type Difference, differencesOf, occupied } from '../safety/written-paths.ts';
import type { StashResult } from './stash-schema.ts';

/** Applies a stash. Conflicts are a result: the stash stays then. */
export async function takeBack(opened: Opened, stash: Stash, index: boolean): Promise<StashResult> {
  const facts = { stash: stash.commit, message: stash.message };
  await assertTakeable(opened, stash);
  try {
    // by its commit: other changes may shift its number
    await opened.run(
      command('stash apply', {
        flags: ['--quiet', ...(index ? (['--index'] as const) : [])],
        names: [refName(stash.commit)],
      }),
    );
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (index && error.message.includes('Try without --index')) throw doesNotFit(error);
    if (error.code !== 'conflict') throw error;
    const conflicts = await conflictsNow(opened);
    if (conflicts.length === 0) throw error;
    return {
      state: 'conflicts',
      ...facts,
      conflicts,
      next: ['git_conflicts', 'git_resolve', 'git_stash with action "drop"'],
    };
  }
  return { state: 'done', ...facts };
}

/** Throws when it would overwrite untracked files, or write others without their filter. */
export async function assertTakeable(opened: Opened, stash: Stash): Promise<void> {
  const { base, commit, untracked } = stash;
  const changed = base === undefined ? [] : await differencesOf(opened, base, commit);
  const others: Difference[] =
    untracked === undefined ? [] : await differencesOf(opened, undefined, untracked);
  const paths = [...changed, ...others].map(({ path }) => nameOfByteString(path));
  await refuseFiltered(opened, paths, { target: commit });
  const added = changed.filter((each) => each.added).map(({ path }) => nameOfByteString(path));
  const there = [
    ...occupied(opened, others, new Set()),
    ...(await overwrittenBy(opened, added)).map(({ path }) => path),
  ];
  if (there.length === 0) return;
  // git would apply the rest, and leave these
  throw new ToolError(`files of the stash exist already: ${someOf(there)}`, {
    code: 'local-changes',
    hint: 'nothing was done; move them away first',
  });
}

function doesNotFit(cause: ToolError): ToolError {
  return new ToolError('staged changes of the stash conflict with those of the index', {
    code: 'conflict',
    hint: 'nothing was done; without index, changes come back unstaged',
    cause,
  });
}

async function conflictsNow(opened: Opened): Promise<NonNullable<StashResult['conflicts']>> {
  const { stdout } = await opened.run(statusCommand({ untracked: 'none', renames: false }));
  return parseStatus(stdout).entries.flatMap((entry) =>
    entry.kind === 'unmerged' ? [{ path: entry.path, conflict: entry.conflict }] : [],
  );
}
