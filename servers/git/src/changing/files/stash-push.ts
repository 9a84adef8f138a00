import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { parseStatus, statusCommand } from '../../porcelain/status.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';
import { command } from '../../run/command.ts';
import { missingOf } from '../safety/discarded.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { refuseOverwriting } from '../safety/in-the-way.ts';
import { isStaged } from '../safety/path-states.ts';
import { pointOf } from '../safety/point.ts';
import { type Selection, selectionOf } from '../safety/selection.ts';
import { assertAddable } from './stage.ts';
import { expectStash } from './stash-name.ts';
import type { Arguments, StashResult } from './stash-schema.ts';

/** Stashes changes and resets the work tree to HEAD. */
export async function putAside(opened: Opened, args: Arguments): Promise<StashResult> {
  const { message, include_untracked = false, staged = false, keep_index = false } = args;
  const selection = args.paths === undefined ? undefined : selectionOf(opened, args.paths);
  if ((await pointOf(opened)).commit === undefined)
    throw new ToolError('there is no commit yet to put changes aside from', {
      code: 'unsupported',
      hint: 'git_commit makes the first',
    });
  const before = (await opened.objects.info('refs/stash'))?.oid;
  const looked = statusCommand({ untracked: include_untracked ? 'all' : 'none', renames: false });
  const { entries } = parseStatus((await opened.run(looked)).stdout);
  await refuseFiltered(
    opened,
    entries.map(({ path }) => path),
  );
  if (!include_untracked) await refuseOverwriting(opened, missingOf(entries));
  // git would make the stash, and leave the files as they are
  if (include_untracked && selection !== undefined) await assertAddable(opened, selection);
  const asked = command('stash push', {
    flags: [
      '--quiet',
      ...(include_untracked ? (['--include-untracked'] as const) : []),
      ...(staged ? (['--staged'] as const) : []),
      keep_index ? '--keep-index' : '--no-keep-index',
    ],
    ...(message !== undefined && { options: { '--message': message } }),
    ...(selection !== undefined && { paths: selection.paths }),
  });
  await opened.run(asked);
  const made = (await opened.objects.info('refs/stash'))?.oid;
  // git exits with success where nothing is to be stashed
  if (made === undefined || made === before) return { state: 'nothing' };
  await expectStash(opened, made, true);
  const undo = `git_stash with action "pop", index and stash "${made}"`;
  // content that stays staged would conflict with it
  const leads = !keep_index && !isStagedInPart(entries, selection);
  return { state: 'done', stash: made, ...(leads && { undo }) };
}

/**
 * A stash of some paths contains everything that was staged, and the entries that stay staged are not staged again by
 * it.
 */
function isStagedInPart(entries: readonly StatusEntry[], selection: Selection | undefined): boolean {
  const staged = entries.filter(isStaged);
  const taken = staged.filter(({ path }) => selection?.holds(path) ?? true);
  return taken.length > 0 && taken.length < staged.length;
}
