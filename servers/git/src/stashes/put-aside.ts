import { ToolError } from '@rootbound/protocol';
import { refuseFiltered } from '../changes/filters.ts';
import { pointOf } from '../changes/point.ts';
import { refuseOverwriting } from '../checkouts/in-the-way.ts';
import { missingOf } from '../losses/discarded.ts';
import type { Opened } from '../opened.ts';
import { parseStatus, statusCommand } from '../porcelain/status.ts';
import type { StatusEntry } from '../porcelain/status-entries.ts';
import { command } from '../run/command.ts';
import { type Selection, selectionOf } from '../staging/selection.ts';
import { isStaged } from '../staging/state.ts';
import { expectStash } from './named.ts';
import type { Arguments, Told } from './schema.ts';

/** Puts changes aside, and the work tree back to HEAD. */
export async function putAside(opened: Opened, args: Arguments): Promise<Told> {
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
  // git takes it for a success that there was nothing to do
  if (made === undefined || made === before) return { state: 'nothing' };
  await expectStash(opened, made, true);
  const undo = `git_stash with action "pop", index and stash "${made}"`;
  // what was left staged would be in the way of it
  const leads = !keep_index && !isStagedInPart(entries, selection);
  return { state: 'done', stash: made, ...(leads && { undo }) };
}

/** A stash of some paths remembers all that was staged, and what of that is staged still does not go there again. */
function isStagedInPart(entries: readonly StatusEntry[], selection: Selection | undefined): boolean {
  const staged = entries.filter(isStaged);
  const taken = staged.filter(({ path }) => selection?.holds(path) ?? true);
  return taken.length > 0 && taken.length < staged.length;
}
