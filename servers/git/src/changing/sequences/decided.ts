import { isUtf8 } from 'node:buffer';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type ConflictRegion, type Marked, parseMarkers } from '../../porcelain/conflict-markers.ts';
import type { ConflictedPath } from '../../porcelain/conflicts.ts';
import { resolveMarkers, type Taken } from '../../porcelain/resolve.ts';
import { readLines } from '../../reading/patches/patch-lines.ts';
import { hasMarkers } from '../../reading/state/conflict-facts.ts';
import { markerSizes } from '../../reading/state/conflict-sources.ts';
import { encodingOf } from './encoded.ts';
import type { ResolveArguments } from './resolve-schema.ts';
import { readFile } from './resolved-file.ts';
import { refuseAmbiguous, unendedOf, versionsOf } from './versions.ts';

/** Lines that look like markers which a failure names at most. */
const MOST_STRAY = 5;

/** The decided content of a file. */
export interface Decided {
  readonly bytes: Buffer;
  /** the digest of the file about which was decided */
  readonly etag: string | undefined;
  /** some conflicts are not decided: nothing is staged */
  readonly partial: boolean;
  /** git writes the bytes, which are UTF-8, in another encoding */
  readonly encoded: boolean;
}

/** Returns the file that decisions, or the whole content, make of a path in conflict. */
export async function decidedText(
  opened: Opened,
  conflict: ConflictedPath,
  { content, decisions = [], allow_markers = false }: ResolveArguments,
): Promise<Decided> {
  const { path } = conflict;
  assertText(conflict);
  const size = (await markerSizes(opened, [path])).get(path);
  const encoding = await encodingOf(opened, path);
  if (content !== undefined) {
    const bytes = Buffer.from(content);
    if (!allow_markers) assertNoMarkers(bytes, size, path);
    return { bytes, etag: undefined, partial: false, encoded: encoding !== undefined };
  }
  if (!hasMarkers(conflict))
    throw unsuitable(`${path} has no markers: take a side, give the content, or delete it`);
  if (encoding !== undefined)
    throw unsuitable(`${path} is ${encoding} in the work tree: take a side, or give the content`);
  const { bytes, etag } = readFile(opened, path);
  const decided = await decide(opened, conflict, parseMarkers(bytes, size), size, decisions);
  const partial = decisions.includes('leave');
  if (!partial && !allow_markers) assertNoMarkers(decided, size, path);
  return { bytes: decided, etag, partial, encoded: false };
}

type Decision = NonNullable<ResolveArguments['decisions']>[number];

async function decide(
  opened: Opened,
  conflict: ConflictedPath,
  marked: Marked,
  size: number | undefined,
  decisions: readonly Decision[],
): Promise<Buffer> {
  const { path } = conflict;
  const { regions, stray } = marked;
  const conflicts = regions.filter((region) => region.kind === 'conflict');
  if (decisions.length !== conflicts.length)
    throw miscounted(path, conflicts.length, decisions.length, stray);
  const versions = await versionsOf(opened, conflict);
  refuseAmbiguous(marked, versions, size, path);
  const taken = decisions.map((decision, at) => toTaken(decision, conflicts[at]!, path));
  return resolveMarkers(marked, taken, unendedOf(versions));
}

function toTaken(decision: Decision, region: ConflictRegion, path: string): Taken | undefined {
  if (typeof decision === 'object') return bytesOfText(decision.text, region, path);
  if (decision === 'leave') return undefined;
  return decision === 'both' ? ['ours', 'theirs'] : decision;
}

/** Throws for sides that are not UTF-8: callers receive them as Latin-1, line by line. */
function bytesOfText(text: string, { ours, theirs, base }: ConflictRegion, path: string): Buffer {
  const sides = [ours, theirs, base].filter((side) => side !== undefined);
  const bytes = Buffer.from(text);
  if (sides.every((side) => isUtf8(side)) || bytes.length === text.length) return bytes;
  const same = sides.find((side) => withoutEnd(readLines(side).text) === withoutEnd(text));
  if (same !== undefined) return same;
  throw unsuitable(`${path} is not UTF-8 there: take a side, or give a text of ASCII or the content`);
}

function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function miscounted(path: string, there: number, given: number, stray: readonly number[]): ToolError {
  const more =
    stray.length === 0
      ? ''
      : `; lines that look like markers and belong to none: ${stray.slice(0, MOST_STRAY).join(', ')}`;
  return unsuitable(`${path} has ${there} marked conflicts, and there are ${given} decisions${more}`);
}

/** Throws for links and submodules: the content of a link is its target, and a submodule has none. */
function assertText({ path, base, ours, theirs }: ConflictedPath): void {
  const other = [base, ours, theirs].find((stage) => stage !== undefined && !stage.mode.startsWith('100'));
  if (other !== undefined)
    throw unsuitable(
      `${path} is a ${other.mode === '160000' ? 'submodule' : 'link'} on a side: take a side, or delete it`,
    );
}

function assertNoMarkers(bytes: Buffer, size: number | undefined, path: string): void {
  const { regions, stray } = parseMarkers(bytes, size);
  const lines = stray.length === 0 ? [] : bytes.toString('latin1').split('\n');
  // a line of `=` alone is often a heading
  const strays = stray.filter((line) => /^[<>|]/.test(lines[line - 1]!));
  const found = regions.find((region) => region.kind === 'conflict');
  const line = found?.kind === 'conflict' ? found.line : strays[0];
  if (line === undefined) return;
  throw new ToolError(`${path} would still have a marker of a conflict in line ${line}`, {
    code: 'markers-left',
    hint: 'nothing was done; decide about each, or say allow_markers',
  });
}

export function unsuitable(why: string): ToolError {
  return new ToolError(why, { code: 'invalid-choice', hint: 'nothing was done' });
}
