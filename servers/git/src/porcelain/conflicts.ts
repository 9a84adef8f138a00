import { type Command, command, type PathArgument } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { oidOf, recordsOf, unexpected } from './records.ts';
import type { Conflict } from './status-entries.ts';

/** A version of a path in conflict. */
export interface Stage {
  readonly mode: string;
  readonly oid: Oid;
}

export interface ConflictedPath {
  readonly path: string;
  readonly conflict: Conflict;
  readonly base: Stage | undefined;
  readonly ours: Stage | undefined;
  readonly theirs: Stage | undefined;
}

/** Builds the command that prints the versions of all paths in conflict, or of these. */
export function conflictsCommand(paths: readonly PathArgument[] = []): Command {
  return command('ls-files', { flags: ['--unmerged', '-z'], ...(paths.length === 0 ? {} : { paths }) });
}

/** Reads the output of `conflictsCommand`. */
export function parseConflicts(bytes: Buffer): ConflictedPath[] {
  return toConflicted(recordsOf(bytes));
}

/** Returns the paths of entries `mode object stage<TAB>path`, in their order. */
export function toConflicted(entries: readonly string[]): ConflictedPath[] {
  const paths = new Map<string, (Stage | undefined)[]>();
  for (const entry of entries) {
    const [, mode, oid, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.+)$/s.exec(entry) ?? [];
    if (path === undefined) throw unexpected('entry of a conflict');
    const stages = paths.get(path) ?? [];
    stages[Number(stage)] = { mode: mode!, oid: oidOf(oid!)! };
    paths.set(path, stages);
  }
  return [...paths].map(([path, [, base, ours, theirs]]) => ({
    path: nameOfByteString(path),
    conflict: conflictOf(base !== undefined, ours !== undefined, theirs !== undefined),
    base,
    ours,
    theirs,
  }));
}

function conflictOf(base: boolean, ours: boolean, theirs: boolean): Conflict {
  if (ours && theirs) return base ? 'both-modified' : 'both-added';
  if (ours) return base ? 'deleted-by-them' : 'added-by-us';
  if (theirs) return base ? 'deleted-by-us' : 'added-by-them';
  return 'both-deleted';
}

/** The length of markers where no attribute sets another. */
export const MARKER_SIZE = 7;

/** Builds the command that prints the length of conflict markers for each of these paths. */
export function markerSizesCommand(paths: readonly PathArgument[]): Command {
  return command('check-attr', { flags: ['-z', 'conflict-marker-size'], paths });
}

/** Reads the output of `markerSizesCommand`: the length by path, where it is not git's default. */
export function parseMarkerSizes(bytes: Buffer): Map<string, number> {
  const records = recordsOf(bytes);
  const sizes = new Map<string, number>();
  for (let at = 0; at + 2 < records.length; at += 3) {
    const size = /^[1-9]\d{0,3}$/.test(records[at + 2]!) ? Number(records[at + 2]) : MARKER_SIZE;
    if (size !== MARKER_SIZE) sizes.set(nameOfByteString(records[at]!), size);
  }
  return sizes;
}
