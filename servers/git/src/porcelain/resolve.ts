import { ToolError } from '@rootbound/protocol';
import { type Command, command } from '../run/command.ts';
import type { ConflictRegion, Marked } from './conflict-markers.ts';
import type { ConflictedPath } from './conflicts.ts';
import { bytesOfName } from './names.ts';

export type Side = 'base' | 'ours' | 'theirs';

/** What of a conflict stays: one side, or several one after another. */
export type Taken = Side | readonly Side[] | Buffer;

/** The file with a decision for each of its conflicts, in their order; undefined leaves one as it is. */
export function resolveMarkers({ regions }: Marked, decisions: readonly (Taken | undefined)[]): Buffer {
  const count = regions.filter((region) => region.kind === 'conflict').length;
  if (decisions.length !== count)
    throw unsuitable(`the file has ${count} conflicts, not ${decisions.length}`);
  const left = [...decisions];
  return Buffer.concat(
    regions.map((region) => {
      const taken = region.kind === 'conflict' ? left.shift() : undefined;
      return region.kind === 'agreed' || taken === undefined ? region.bytes : takenOf(region, taken);
    }),
  );
}

function takenOf(region: ConflictRegion, taken: Taken): Buffer {
  if (Buffer.isBuffer(taken)) return taken;
  const sides = typeof taken === 'string' ? [taken] : taken;
  return Buffer.concat(
    sides.map((side) => {
      const bytes = region[side];
      if (bytes === undefined) {
        throw unsuitable('the markers do not tell the base: it is told in the styles diff3 and zdiff3');
      }
      return bytes;
    }),
  );
}

/** What takes a side of whole paths, in this order; the objects are git's own, so that no filter runs for the index. */
export interface SideTaken {
  /** puts the versions into the index */
  readonly index: Command | undefined;
  /** then writes those to the work tree */
  readonly worktree: Command | undefined;
  /** removes the paths that the side does not have, from both */
  readonly removal: Command | undefined;
}

export function takeSide(conflicts: readonly ConflictedPath[], side: Side): SideTaken {
  const present = conflicts.filter((conflict) => conflict[side] !== undefined);
  const absent = conflicts.filter((conflict) => conflict[side] === undefined);
  const paths = present.map(({ path }) => bytesOfName(path));
  const entries = present.map((conflict) => entryOf(conflict, side));
  return {
    index: some(present, () =>
      command('update-index', { flags: ['-z', '--index-info'], input: Buffer.concat(entries.flat()) }),
    ),
    worktree: some(present, () => command('restore', { flags: ['--worktree'], paths })),
    removal: some(absent, () =>
      command('rm', {
        flags: ['--force', '--quiet'],
        paths: absent.map(({ path }) => bytesOfName(path)),
      }),
    ),
  };
}

/** Takes all versions of a path out of the index and puts one in. */
function entryOf(conflict: ConflictedPath, side: Side): Buffer[] {
  const { mode, oid } = conflict[side]!;
  const name = Buffer.concat([bytesOfName(conflict.path), Buffer.from('\0')]);
  return [Buffer.from(`0 ${'0'.repeat(oid.length)}\t`), name, Buffer.from(`${mode} ${oid} 0\t`), name];
}

function some<T>(items: readonly unknown[], make: () => T): T | undefined {
  return items.length === 0 ? undefined : make();
}

function unsuitable(why: string): ToolError {
  return new ToolError(why, { code: 'invalid-choice' });
}
