import { ToolError } from '@rootbound/protocol';
import { type Command, command } from '../run/command.ts';
import type { ConflictRegion, Marked } from './conflict-markers.ts';
import type { ConflictedPath } from './conflicts.ts';
import { bytesOfName } from './names.ts';

export type Side = 'base' | 'ours' | 'theirs';

/** The decision for a conflict: one side, several in sequence, or lines of the caller. */
export type Taken = Side | readonly Side[] | Buffer;

const none: ReadonlySet<Side> = new Set();

/**
 * Returns the file with a decision for each of its conflicts, in their order; undefined keeps a conflict. `unended` are
 * the sides without a newline at their end: git adds one before a marker.
 */
export function resolveMarkers(
  { regions }: Marked,
  decisions: readonly (Taken | undefined)[],
  unended: ReadonlySet<Side> = none,
): Buffer {
  const count = regions.filter((region) => region.kind === 'conflict').length;
  if (decisions.length !== count)
    throw unsuitable(`the file has ${count} conflicts, not ${decisions.length}`);
  const left = [...decisions];
  const uniform = hasCarriageReturns(regions);
  return Buffer.concat(
    regions.map((region, at) => {
      const taken = region.kind === 'conflict' ? left.shift() : undefined;
      if (region.kind === 'agreed' || taken === undefined) return region.bytes;
      const conflict = { region, unended: at === regions.length - 1 ? unended : none };
      return Buffer.isBuffer(taken) ? toLines(conflict, taken, uniform) : takenOf(conflict, taken);
    }),
  );
}

interface Conflict {
  readonly region: ConflictRegion;
  /** sides whose last newline git added */
  readonly unended: ReadonlySet<Side>;
}

/** only the last of several sides may end without a newline */
function takenOf(conflict: Conflict, taken: Side | readonly Side[]): Buffer {
  const sides = typeof taken === 'string' ? [taken] : taken;
  return Buffer.concat(
    sides.map((side, at) => {
      const bytes = at === sides.length - 1 ? sideOf(conflict, side) : conflict.region[side];
      if (bytes === undefined) {
        throw unsuitable('the markers do not tell the base: it is told in the styles diff3 and zdiff3');
      }
      return bytes;
    }),
  );
}

/** Returns the lines of a side as its file has them. */
function sideOf({ region, unended }: Conflict, side: Side): Buffer | undefined {
  const bytes = region[side];
  if (bytes === undefined || !unended.has(side)) return bytes;
  // git ends the line as it ends its markers
  const eol = newlineOf(region);
  return endsIn(bytes, eol) ? bytes.subarray(0, bytes.length - eol.length) : bytes;
}

/** Returns the side to which a text is equal: a branch rather than the base. */
const sides: readonly (readonly Side[])[] = [['ours', 'theirs'], ['base']];

/** Returns whole lines of a text: those of the side that it equals, else with the newline of the file at the end. */
function toLines(conflict: Conflict, text: Buffer, uniform: boolean): Buffer {
  // an empty text has no line; a side without a newline has one
  if (text.length === 0) return text;
  const lines = uniform && !text.includes('\r') ? withCarriageReturns(text) : text;
  for (const some of sides) {
    const known = some.flatMap((side) => sideOf(conflict, side) ?? []);
    const same = known.find((side) => side.equals(lines)) ?? known.find((side) => isSame(side, lines));
    if (same !== undefined) return same;
  }
  const { region, unended } = conflict;
  if (endsIn(lines, LF) || (unended.has('ours') && unended.has('theirs'))) return lines;
  const eol = newlineOf(region);
  return Buffer.concat([lines, eol.length > 1 && endsIn(lines, CR) ? LF : eol]);
}

const LF = Buffer.from('\n');
const CR = Buffer.from('\r');
const CRLF = Buffer.from('\r\n');

function newlineOf({ bytes }: ConflictRegion): Buffer {
  return bytes[bytes.indexOf('\n') - 1] === CR[0] ? CRLF : LF;
}

function endsIn(bytes: Buffer, end: Buffer): boolean {
  return bytes.length >= end.length && bytes.subarray(bytes.length - end.length).equals(end);
}

/** Returns whether two texts with as many lines differ only in the newline at their end. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.length > 0 && withoutNewline(one).equals(withoutNewline(other));
}

function withoutNewline(bytes: Buffer): Buffer {
  const eol = [CRLF, LF].find((end) => endsIn(bytes, end));
  return eol === undefined ? bytes : bytes.subarray(0, bytes.length - eol.length);
}

/** Returns whether every line of a file ends in CRLF. */
function hasCarriageReturns(regions: Marked['regions']): boolean {
  return regions.every(({ bytes }) => !/(?:^|[^\r])\n/.test(bytes.toString('latin1')));
}

function withCarriageReturns(text: Buffer): Buffer {
  return Buffer.from(text.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

/** A command that takes one side of whole paths. The objects are git's own, so that no filter runs for the index. */
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

/** Builds the command that replaces all versions of a path in the index by one. */
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
