import { toPaths } from '../arguments.ts';
import { refuseFiltered } from '../changes/filters.ts';
import type { Opened } from '../opened.ts';
import { parseStatus, statusCommand } from '../porcelain/status.ts';
import { command } from '../run/command.ts';
import { expectStash } from './named.ts';
import type { Arguments, Told } from './schema.ts';

/** Puts changes aside, and the work tree back to HEAD. */
export async function putAside(opened: Opened, args: Arguments): Promise<Told> {
  const { message, include_untracked = false, staged = false, keep_index = false } = args;
  const paths = args.paths === undefined ? {} : { paths: toPaths(args.paths) };
  const before = (await opened.objects.info('refs/stash'))?.oid;
  const looked = statusCommand({ untracked: include_untracked ? 'all' : 'none', renames: false });
  const { entries } = parseStatus((await opened.run(looked)).stdout);
  await refuseFiltered(
    opened,
    entries.map(({ path }) => path),
  );
  const asked = command('stash push', {
    flags: [
      '--quiet',
      ...(include_untracked ? (['--include-untracked'] as const) : []),
      ...(staged ? (['--staged'] as const) : []),
      keep_index ? '--keep-index' : '--no-keep-index',
    ],
    ...(message !== undefined && { options: { '--message': message } }),
    ...paths,
  });
  // without paths it has another git remove what it took by a pathspec of its own, which must not be literal
  await opened.run(args.paths === undefined ? { ...asked, literal: false } : asked);
  const made = (await opened.objects.info('refs/stash'))?.oid;
  // git takes it for a success that there was nothing to do
  if (made === undefined || made === before) return { state: 'nothing' };
  await expectStash(opened, made, true);
  const undo = `git_stash with action "pop", index and stash "${made}"`;
  // what was left staged would be in the way of it
  return { state: 'done', stash: made, ...(!keep_index && { undo }) };
}
