import { showPath } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import type { Loss } from './consent.ts';
import { statOf } from './names.ts';
import { isUnmerged, naming } from './path-states.ts';
import { selectionOf } from './selection.ts';
import { takeSnapshot } from './snapshot.ts';
import { listed } from './staged.ts';
import { occupied } from './written-paths.ts';

/** A path whose content in the work tree, or in the index, exists nowhere else. */
export interface Discarded {
  readonly path: string;
  /** the content that would be lost */
  readonly what: 'changed' | 'deleted' | 'staged' | 'unmerged' | 'untracked';
  readonly size: number;
  /** differs when the file has changed since */
  readonly stamp: string;
}

/** The members of a result that describe discarded changes. */
export const discarded = {
  discarded: z.array(z.object({ path: z.string(), what: z.string() })).optional(),
  discarded_total: z.int().optional(),
  kept: z.string().optional().describe('a commit without a ref: a backup of tracked files'),
};

/** Paths that are reported at most. */
const MAX_LISTED = 100;

/** Bytes that are backed up at most. */
const MOST_KEPT = 10 << 20;

/**
 * Returns the tracked changes that would be discarded: against the index, and against HEAD where the index is reset,
 * too.
 */
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

/** Returns the untracked files that git would overwrite when these paths are written. */
export async function overwrittenBy(opened: Opened, coming: readonly string[]): Promise<Discarded[]> {
  const differences = coming.map((path) => ({ path: bytesOfName(path).toString('latin1'), added: true }));
  const there = occupied(opened, differences, new Set());
  if (there.length === 0) return [];
  // for a folder that is replaced, all its files
  const { fits, paths, holds } = selectionOf(opened, there);
  const flags = ['-z', '--others'] as const;
  const { stdout } = await opened.run(command('ls-files', { flags, ...(fits && { paths }) }));
  const lost = recordsOf(stdout).map(nameOfByteString).filter(holds);
  return lost.map((path) => withFile(opened, path, 'untracked'));
}

/** Returns the tracked paths without a file: a folder may be in their place. */
export function missingOf(entries: readonly StatusEntry[]): string[] {
  return entries.flatMap((entry) => (entry.kind === 'changed' && entry.worktree === 'D' ? entry.path : []));
}

/** Returns the text of a loss; a file that has changed since gives another one. */
function withFile(opened: Opened, path: string, what: Discarded['what']): Discarded {
  return { path, what, ...statOf(opened, path) };
}

export function lossOf(opened: Opened, discarded: readonly Discarded[]): Loss | undefined {
  if (discarded.length === 0) return undefined;
  const count = counted(discarded.length, 'file', 'files');
  const named = naming(discarded.map(({ path }) => path));
  return {
    question: `Discard the changes in ${count} of ${showPath(opened.displayPath)}: ${named}?`,
    label: 'Discard them',
    facts: [opened.repository.identity, discarded],
  };
}

/**
 * Backs up the data that is about to be discarded: a commit without a ref, of all tracked files as they are. Undefined
 * where they are too large, or git cannot, as before the first commit.
 */
export async function keepAside(
  opened: Opened,
  discarded: readonly Discarded[],
  entries: readonly StatusEntry[],
): Promise<Oid | undefined> {
  const tracked = discarded.filter(({ what }) => what !== 'untracked');
  if (tracked.length === 0 || entries.some(isUnmerged)) return undefined;
  if (tracked.reduce((sum, { size }) => sum + size, 0) > MOST_KEPT) return undefined;
  return takeSnapshot(opened);
}

export interface DiscardFacts {
  discarded?: { path: string; what: string }[] | undefined;
  discarded_total?: number | undefined;
  kept?: string | undefined;
}

export function tell(all: readonly Discarded[], kept?: Oid): DiscardFacts {
  if (all.length === 0) return {};
  return {
    discarded: all.slice(0, MAX_LISTED).map(({ path, what }) => ({ path, what })),
    discarded_total: all.length,
    ...defined({ kept }),
  };
}

export function discardedLines(
  { discarded: some = [], discarded_total: total = 0, kept }: DiscardFacts,
  dry: boolean,
) {
  if (total === 0) return [];
  const head = `${dry ? 'would discard' : 'discarded'} the changes in ${counted(total, 'file', 'files')}`;
  const aside = kept === undefined ? [] : [`backed up in commit ${kept}`];
  return [
    head,
    ...listed(
      some.map(({ path, what }) => `${path} (${what})`),
      total,
    ),
    ...aside,
  ];
}
