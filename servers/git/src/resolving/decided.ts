import { ToolError } from '@rootbound/protocol';
import { hasMarkers } from '../conflicts/facts.ts';
import { markerSizes } from '../conflicts/sources.ts';
import type { Opened } from '../opened.ts';
import { parseMarkers } from '../porcelain/conflict-markers.ts';
import type { ConflictedPath } from '../porcelain/conflicts.ts';
import { resolveMarkers, type Taken } from '../porcelain/resolve.ts';
import { readFile } from './place.ts';
import type { ResolveArguments } from './schema.ts';

/** What a file is to hold. */
export interface Decided {
  readonly bytes: Buffer;
  /** of the file that was decided about */
  readonly etag: string | undefined;
  /** some conflicts were left as they are: nothing is staged */
  readonly partial: boolean;
}

/** The file that decisions, or whole content, make of a path in conflict. */
export async function decidedText(
  opened: Opened,
  conflict: ConflictedPath,
  { content, decisions = [], allow_markers = false }: ResolveArguments,
): Promise<Decided> {
  const { path } = conflict;
  assertText(conflict);
  const size = (await markerSizes(opened, [path])).get(path);
  if (content !== undefined) {
    const bytes = Buffer.from(content);
    if (!allow_markers) assertNoMarkers(bytes, size, path);
    return { bytes, etag: undefined, partial: false };
  }
  if (!hasMarkers(conflict))
    throw unsuitable(`${path} has no markers: take a side, give the content, or delete it`);
  const { bytes, etag } = readFile(opened, path);
  const marked = parseMarkers(bytes, size);
  const decided = resolveMarkers(marked, decisions.map(toTaken));
  const partial = decisions.includes('leave');
  if (!partial && !allow_markers) assertNoMarkers(decided, size, path);
  return { bytes: decided, etag, partial };
}

type Decision = NonNullable<ResolveArguments['decisions']>[number];

function toTaken(decision: Decision): Taken | undefined {
  if (typeof decision === 'object') return Buffer.from(decision.text);
  if (decision === 'leave') return undefined;
  return decision === 'both' ? ['ours', 'theirs'] : decision;
}

/** The content of a link is where it leads, and a submodule has none. */
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
  // a line of `=` alone is a heading as often
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
