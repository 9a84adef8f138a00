import { join } from 'node:path';
import { showPath, statEntry } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import * as z from 'zod';
import type { Loss } from '../changes/consent.ts';
import type { Opened } from '../opened.ts';
import { isPlainName } from '../porcelain/names.ts';
import type { StatusEntry } from '../porcelain/status-entries.ts';
import { isNotFound } from '../repository/refusals.ts';
import { command } from '../run/command.ts';
import { isOid, type Oid } from '../run/oid.ts';
import { listed } from './staged.ts';
import { isUnmerged, naming } from './state.ts';

/** A path whose content in the work tree, or in the index, is nowhere else. */
export interface Discarded {
  readonly path: string;
  /** what would be gone of it */
  readonly what: 'changed' | 'deleted' | 'staged' | 'unmerged' | 'untracked';
  /** of the file as it is now */
  readonly size?: number;
  readonly modified?: number;
}

/** What a change tells of what it discards. */
export const discarded = {
  discarded: z.array(z.object({ path: z.string(), what: z.string() })).optional(),
  discarded_total: z.int().optional(),
  kept: z.string().optional().describe('a commit that nothing refers to, with tracked files as they were'),
};

/** As many of them are told. */
const MOST_TOLD = 100;

/** More bytes than these are not kept aside. */
const MOST_KEPT = 10 << 20;

/** What git tracks and would be discarded: the difference to the index, and that to HEAD where the index goes, too. */
export function discardedOf(opened: Opened, entries: readonly StatusEntry[], index: boolean): Discarded[] {
  return entries.flatMap((entry) => {
    const what = whatOf(entry, index);
    return what === undefined ? [] : [withFile(opened, entry.path, what)];
  });
}

function whatOf(entry: StatusEntry, index: boolean): Discarded['what'] | undefined {
  if (entry.kind === 'unmerged') return 'unmerged';
  if (entry.kind !== 'changed') return undefined;
  if (entry.worktree === 'D') return 'deleted';
  if (entry.worktree !== '.') return 'changed';
  return index && entry.index !== '.' ? 'staged' : undefined;
}

/** Files that git does not track, and would write over. */
export function overwritten(opened: Opened, paths: readonly string[]): Discarded[] {
  return paths
    .map((path) => withFile(opened, path, 'untracked'))
    .filter(({ modified }) => modified !== undefined);
}

/** A later look that finds another size or time of a file finds another loss. */
function withFile({ repository }: Opened, path: string, what: Discarded['what']): Discarded {
  // a name that is no text cannot be looked at by its path here
  if (!isPlainName(path)) return { path, what };
  try {
    const { stat } = statEntry(repository.opened.roots, join(repository.place.workTree!, path));
    return { path, what, size: stat.size, modified: stat.mtimeMs };
  } catch (error) {
    if (isNotFound(error)) return { path, what };
    throw error;
  }
}

export function lossOf(opened: Opened, discarded: readonly Discarded[]): Loss | undefined {
  if (discarded.length === 0) return undefined;
  const count = counted(discarded.length, 'file', 'files');
  const named = naming(discarded.map(({ path }) => path));
  return {
    question: `Discard the changes in ${count} of ${showPath(opened.shown)}: ${named}?`,
    label: 'Discard them',
    facts: discarded,
  };
}

/**
 * Keeps aside what is about to be discarded: a commit that nothing refers to, of all tracked files as they are.
 * Undefined where that is too much, or git cannot, as before the first commit.
 */
export async function keepAside(
  opened: Opened,
  discarded: readonly Discarded[],
  entries: readonly StatusEntry[],
): Promise<Oid | undefined> {
  const tracked = discarded.filter(({ what }) => what !== 'untracked');
  if (tracked.length === 0 || entries.some(isUnmerged)) return undefined;
  if (tracked.reduce((sum, { size = 0 }) => sum + size, 0) > MOST_KEPT) return undefined;
  const { stdout } = await opened.run(command('stash create'), { okay: [0, 1] });
  const oid = stdout.toString('latin1').trim();
  return isOid(oid) ? oid : undefined;
}

export interface Told {
  discarded?: { path: string; what: string }[] | undefined;
  discarded_total?: number | undefined;
  kept?: string | undefined;
}

export function tell(all: readonly Discarded[], kept?: Oid): Told {
  if (all.length === 0) return {};
  return {
    discarded: all.slice(0, MOST_TOLD).map(({ path, what }) => ({ path, what })),
    discarded_total: all.length,
    ...(kept !== undefined && { kept }),
  };
}

export function discardedLines(
  { discarded: some = [], discarded_total: total = 0, kept }: Told,
  dry: boolean,
) {
  if (total === 0) return [];
  const head = `${dry ? 'would discard' : 'discarded'} the changes in ${counted(total, 'file', 'files')}`;
  const aside = kept === undefined ? [] : [`kept aside in commit ${kept}`];
  return [
    head,
    ...listed(
      some.map(({ path, what }) => `${path} (${what})`),
      total,
    ),
    ...aside,
  ];
}
