import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import { command } from '../../run/command.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { isTracked, isUnmerged, naming, stateOf } from '../safety/path-states.ts';
import { type Selection, selectionOf } from '../safety/selection.ts';
import type { Entry } from '../safety/staged.ts';

export interface StageOptions {
  /** only tracked files */
  readonly update: boolean;
  /** only the intent to add the file */
  readonly intent: boolean;
  /** ignored files, too */
  readonly force: boolean;
}

/** Stages paths as they are in the work tree: all of them, or none. */
export async function stagePaths(
  opened: Opened,
  names: readonly string[],
  options: StageOptions,
): Promise<void> {
  const selection = selectionOf(opened, names);
  await refuseUnstageable(opened, selection, options);
  const { update, intent, force } = options;
  const flags = [
    ...(update ? (['--update'] as const) : []),
    ...(intent ? (['--intent-to-add'] as const) : []),
    ...(force ? (['--force'] as const) : []),
  ];
  if (opened.audit.facts.sparse) await assertAddable(opened, selection, flags);
  await opened.run(command('add', { flags, paths: selection.paths }));
}

/** Throws where git would take only some of the paths: the others are missing, ignored, or outside of the sparse checkout. */
export async function assertAddable(
  opened: Opened,
  { paths }: Selection,
  flags: readonly ('--update' | '--intent-to-add' | '--force')[] = [],
): Promise<void> {
  const asked = command('add', { flags: ['--dry-run', ...flags], paths });
  const { status, stderr } = await opened.run(asked, { okay: [0, 1] });
  if (status === 0) return;
  const lines = stderr.split('\n');
  // the paths are below a sentence of several lines
  const refused = lines
    .slice(lines.findIndex((line) => line.endsWith(':')) + 1)
    .filter((line) => line !== '' && !line.startsWith('hint:'));
  const why = /sparse-checkout/.test(stderr) ? 'outside of the sparse checkout' : 'ignored by a .gitignore';
  throw new ToolError(`${why}: ${naming(refused)}`, {
    code: 'invalid-path',
    hint: 'nothing was done; leave them out',
  });
}

/** Returns the paths that `stagePaths` would stage, each with its index entry. */
export async function stageable(
  opened: Opened,
  names: readonly string[],
  options: StageOptions,
): Promise<Entry[]> {
  const selection = selectionOf(opened, names);
  await refuseUnstageable(opened, selection, options);
  const { update, intent } = options;
  const entries = await stateOf(opened, selection, update ? 'none' : 'all');
  return entries.flatMap((entry): Entry[] => {
    const { path } = entry;
    if (entry.kind === 'untracked') return [{ path }];
    if (intent || !isTracked(entry)) return [];
    if (isUnmerged(entry)) return [{ path, conflict: 'resolved' }];
    if (entry.worktree === '.') return [];
    const { oid } = entry.staged;
    return [{ path, ...defined({ before: oid }), ...modeIn(entry.worktreeMode) }];
  });
}

function modeIn(mode: string): { mode?: string } {
  return mode === '000000' ? {} : { mode };
}

async function refuseUnstageable(
  opened: Opened,
  selection: Selection,
  { update, force }: StageOptions,
): Promise<void> {
  if (!force && !update) await refuseIgnored(opened, selection);
  await refuseFiltered(opened, () => pathsToStage(opened, selection, update, force));
}

const DOT = Buffer.from('./');

/** git would stage the others, and fail */
async function refuseIgnored(opened: Opened, { names }: Selection): Promise<void> {
  const files = names.filter((name) => name !== '.');
  if (files.length === 0) return;
  // it takes no literal paths, and no path that begins with a dot is special
  const input = Buffer.concat(files.flatMap((name) => [DOT, bytesOfName(name), Buffer.from('\0')]));
  const asked = { ...command('check-ignore', { flags: ['-z', '--stdin'], input }), literal: false };
  const { stdout } = await opened.run(asked, { okay: [0, 1] });
  const ignored = recordsOf(stdout).map((path) => nameOfByteString(path.slice(DOT.length)));
  if (ignored.length === 0) return;
  throw new ToolError(`ignored by a .gitignore: ${naming(ignored)}`, {
    code: 'ignored',
    hint: 'nothing was staged; leave them out, or give force: true',
  });
}

async function pathsToStage(
  opened: Opened,
  selection: Selection,
  update: boolean,
  force: boolean,
): Promise<string[]> {
  if (!force) return (await stateOf(opened, selection, update ? 'none' : 'all')).map(({ path }) => path);
  const { fits, paths, holds } = selection;
  const flags = ['-z', '--cached', '--others', '--deduplicate'] as const;
  const { stdout } = await opened.run(command('ls-files', { flags, ...(fits && { paths }) }));
  return recordsOf(stdout).map(nameOfByteString).filter(holds);
}
