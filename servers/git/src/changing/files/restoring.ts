import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type Change, parseChanges } from '../../porcelain/changes.ts';
import { changesCommand } from '../../porcelain/diff.ts';
import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import type { Version } from '../../porcelain/status-entries.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import type { Selection } from '../safety/selection.ts';
import { type Entry, modeOf } from '../safety/staged.ts';
import { type Effect, effectOf, isAbsent, SUBMODULE } from './effects.ts';
import type { RestoreWish } from './restore-plan.ts';
import { isSameFile, versionAt } from './work-file.ts';

/** The changes of a restore of paths. */
export interface Differences {
  readonly files: readonly Effect[];
  readonly entries: readonly Entry[];
  /** paths that are written where the work tree has none */
  readonly coming: readonly string[];
  readonly untracked: ReadonlySet<string>;
  readonly sparse: number;
}

/** Compares the paths of a selection with their source; throws for a name that matches nothing. */
export async function differencesOf(
  opened: Opened,
  { source, staged, worktree }: RestoreWish,
  selection: Selection,
): Promise<Differences> {
  const tracked = await trackedIn(opened, selection);
  const held = ({ path }: Change) => selection.holds(path);
  const inIndex = staged ? (await indexChanges(opened, source!)).filter(held) : [];
  const inWorkTree = worktree ? (await workTreeChanges(opened, source)).filter(held) : [];
  assertKnown(selection, [...tracked.keys(), ...[...inIndex, ...inWorkTree].map(({ path }) => path)]);
  const isSparse = ({ path }: Change) => tracked.get(path) === 'S';
  const files: Effect[] = [];
  for (const change of inWorkTree) {
    if (isSparse(change)) continue;
    const effect = await fileEffect(opened, change, source);
    if (effect !== undefined) files.push(effect);
  }
  const coming = files.flatMap(({ path, change }) =>
    change === 'created' || (change === 'changed' && !tracked.has(path)) ? path : [],
  );
  return {
    files,
    entries: inIndex.filter((change) => !isSparse(change)).map(toEntry),
    coming,
    untracked: new Set(files.flatMap(({ path }) => (tracked.has(path) ? [] : path))),
    sparse: new Set([...inIndex, ...inWorkTree].filter(isSparse).map(({ path }) => path)).size,
  };
}

/** Returns the paths of the index with git's letter for each: S is outside of the sparse checkout. */
async function trackedIn(opened: Opened, { fits, paths, holds }: Selection): Promise<Map<string, string>> {
  const asked = command('ls-files', { flags: ['-z', '-t', '--cached'], ...(fits && { paths }) });
  const records = recordsOf((await opened.run(asked)).stdout);
  const all = records.map((record) => [nameOfByteString(record.slice(2)), record[0]!] as const);
  return new Map(all.filter(([path]) => holds(path)));
}

/**
 * Builds the command that prints the differences between the index and a commit, with files that are only intended to
 * be added.
 */
export async function indexChanges(opened: Opened, source: Oid): Promise<Change[]> {
  const flags = ['--cached', '--raw', '-z', '--no-abbrev', '--no-renames'] as const;
  const more = ['--ita-visible-in-index', '--ignore-submodules=dirty'] as const;
  const { stdout } = await opened.run(command('diff', { flags: [...flags, ...more], revisions: [source] }));
  return parseChanges(stdout);
}

async function workTreeChanges(opened: Opened, source: Oid | undefined): Promise<Change[]> {
  const sides =
    source === undefined ? ({ kind: 'unstaged' } as const) : ({ kind: 'worktree', from: source } as const);
  return parseChanges((await opened.run(changesCommand({ sides, renames: false }))).stdout);
}

/** Returns the files that differ after a restore; git does not look for those that the index lacks. */
export async function unrestoredOf(opened: Opened, source: Oid | undefined): Promise<string[]> {
  const changes = await workTreeChanges(opened, source);
  return changes.flatMap(({ path, kind, old: [to], new: from }) =>
    [to!.mode, from.mode].includes(SUBMODULE) || (kind === 'deleted' && source !== undefined) ? [] : path,
  );
}

async function fileEffect(
  opened: Opened,
  change: Change,
  source: Oid | undefined,
): Promise<Effect | undefined> {
  const { path, kind, old } = change;
  const to: Version = old[0]!;
  // git would empty a file that is only intended to be added
  if (source === undefined && kind === 'added') return undefined;
  const seen = kind === 'deleted' || kind === 'unmerged' ? versionAt(opened, path) : change.new;
  if (seen.mode === SUBMODULE) {
    // another repository is in it: no restore removes or changes that
    if (isAbsent(to) || to.mode === SUBMODULE) return undefined;
    throw new ToolError(`a submodule is at ${path}, and a file would come there`, {
      code: 'unsupported',
      hint: 'nothing was done; leave the path out, or move the folder away first',
    });
  }
  const target = to.mode === SUBMODULE ? { mode: '000000', oid: undefined } : to;
  if (isAbsent(target) && isAbsent(seen)) return undefined;
  if (kind === 'deleted' && !isAbsent(seen) && isSameFile(opened, path, seen, target)) return undefined;
  return effectOf(change, seen, target);
}

function toEntry({ path, kind, old, new: from }: Change): Entry {
  const to = old[0]!;
  return {
    path,
    ...defined({ before: from.oid, after: to.oid }),
    ...modeOf(from.mode, to.mode),
    ...(kind === 'unmerged' && { conflict: 'resolved' as const }),
  };
}

/** Throws for a name that neither the index nor the source has. */
function assertKnown({ names }: Selection, paths: readonly string[]): void {
  const known = new Set<string>();
  for (const path of paths) {
    let at = bytesOfName(path).toString('latin1');
    for (; at !== '' && !known.has(at); at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) known.add(at);
  }
  const missing = names.find((name) => name !== '.' && !known.has(bytesOfName(name).toString('latin1')));
  if (missing === undefined) return;
  throw new ToolError(`neither the index nor the source has ${missing}`, {
    code: 'not-found',
    hint: 'nothing was done; git_list_files lists what a revision has',
  });
}
