import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { entryAt } from '../../repository/revisions.ts';
import { noSuchPath } from '../../repository/unknown.ts';
import { type Entry, FOLDER } from './entry.ts';
import { type Snapshot, snapshotOf } from './revision-tree.ts';
import { StagedEntries } from './staged-entries.ts';

/** The revision or index, and the path, as callers give them. */
export interface PlaceArguments {
  readonly revision?: string | undefined;
  readonly staged?: boolean | undefined;
}

/** The object at a path of a revision, whose tree does not change, or of the index. */
export interface Place {
  /** undefined for the index */
  readonly snapshot: Snapshot | undefined;
  readonly entry: Entry;
}

/** Returns the revision that callers mean; undefined for the index. */
export function revisionOf({ revision, staged = false }: PlaceArguments): string | undefined {
  if (!staged) return revision ?? 'HEAD';
  if (revision === undefined) return undefined;
  throw new ToolError('give only one of revision and staged', { code: 'invalid-arguments' });
}

/** Returns the object of a revision at a path, a byte string. */
export async function placeAt(
  opened: Opened,
  revision: string,
  path: string,
  signal: AbortSignal,
): Promise<Place> {
  const snapshot = await snapshotOf(opened, revision);
  const { tree } = snapshot;
  if (path === '') {
    return { snapshot, entry: { path, mode: FOLDER, oid: tree, stage: 0, missing: false } };
  }
  const bytes = Buffer.from(path, 'latin1');
  const found = await entryAt(opened.objects, tree, bytes, signal);
  if (found === undefined) throw noSuchPath(revision, bytes, undefined);
  return { snapshot, entry: { path, mode: found.mode, oid: found.oid, stage: 0, missing: false } };
}

/** Returns the one entry of the index at a path; for a conflict our side. */
export async function stagedAt(opened: Opened, path: string): Promise<Place> {
  const entries = new StagedEntries(opened, { path, depth: 1 });
  try {
    const found: Entry[] = [];
    // a folder has entries with other paths, too
    for (let entry = await entries.next(); entry?.path === path; entry = await entries.next()) {
      found.push(entry);
    }
    const entry = found.find(({ stage }) => stage === 2) ?? found[0];
    if (entry !== undefined) return { snapshot: undefined, entry };
  } finally {
    entries.close();
  }
  throw notStaged(path);
}

export function notStaged(path: string): ToolError {
  return new ToolError(`${nameOfByteString(path) || 'the top'} is no file of the index`, {
    code: 'not-found',
    hint: 'git_list_files with staged lists the entries',
  });
}
