import { showName } from '@rootbound/kit/boundary';
import { type ConflictRegion, parseMarkers } from '../../porcelain/conflict-markers.ts';
import { textOf } from '../../porcelain/records.ts';
import type { Clipping } from './conflict-clipping.ts';
import type { ConflictFacts, RegionFacts } from './conflict-schema.ts';

/** Characters of a label, which is the name of a branch or the subject of a commit. */
const MOST_LABEL = 120;
/** Stray marker lines that are reported at most. */
const MOST_STRAY = 20;

/** Reads the conflicts that are marked in a file, with their texts where these are wanted. */
export function regionsOf(
  bytes: Buffer,
  size: number | undefined,
  clipping: Clipping,
  texts: boolean,
): Pick<ConflictFacts, 'regions' | 'region_count' | 'stray'> {
  const { regions, stray } = parseMarkers(bytes, size);
  const marked = regions.filter((region) => region.kind === 'conflict');
  const listed: RegionFacts[] = [];
  for (const region of marked) {
    const facts = { ...placeOf(region), ...(texts && textsOf(region, clipping)) };
    if (!clipping.take(facts)) break;
    listed.push(facts);
  }
  return {
    regions: listed,
    region_count: marked.length,
    ...(stray.length > 0 && { stray: stray.slice(0, MOST_STRAY) }),
  };
}

function placeOf({ line, bytes, labels }: ConflictRegion): RegionFacts {
  return {
    start: line,
    end: line + countLines(bytes) - 1,
    ours_label: labelOf(labels.ours),
    theirs_label: labelOf(labels.theirs),
  };
}

function textsOf({ ours, base, theirs }: ConflictRegion, clipping: Clipping): Partial<RegionFacts> {
  return {
    ours: clipping.text(ours),
    ...(base !== undefined && { base: clipping.text(base) }),
    theirs: clipping.text(theirs),
  };
}

function labelOf(label: string): string {
  return showName(textOf(label).slice(0, MOST_LABEL));
}

const NEWLINE = 10;

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; lines++) at = bytes.indexOf(NEWLINE, at) + 1 || bytes.length;
  return lines;
}
