import type { Opened } from '../../call/open-repository.ts';
import type { ConflictedPath, Stage } from '../../porcelain/conflicts.ts';
import { Clipping } from './conflict-clipping.ts';
import { regionsOf } from './conflict-regions.ts';
import type { ConflictFacts, ConflictsArguments, VersionFacts } from './conflict-schema.ts';
import type { MarkedFile } from './conflict-sources.ts';

export interface Wanted {
  readonly contents: ConflictsArguments['contents'];
  readonly marked: MarkedFile;
  readonly sizes: ReadonlyMap<string, number>;
  /** bytes for the regions and texts of one path */
  readonly room: number;
}

const sides = ['base', 'ours', 'theirs'] as const;

/** Returns the result's entry for a path in conflict. */
export async function conflictFacts(
  opened: Opened,
  found: ConflictedPath,
  { contents, marked, sizes, room }: Wanted,
): Promise<ConflictFacts> {
  const { path, conflict } = found;
  const clipping = new Clipping(room);
  const versions: Partial<Record<(typeof sides)[number], VersionFacts>> = {};
  for (const side of sides) {
    const stage = found[side];
    if (stage === undefined) continue;
    const texts = contents === 'versions' ? await contentOf(opened, stage, clipping) : {};
    versions[side] = { mode: stage.mode, oid: stage.oid, ...(clipping.take(texts) && texts) };
  }
  const bytes = hasMarkers(found) ? await marked(path) : undefined;
  const regions = bytes && regionsOf(bytes, sizes.get(path), clipping, contents === 'regions');
  return {
    path,
    conflict,
    ...versions,
    ...regions,
    ...(clipping.cut && { cut: true }),
    ...(clipping.lossy && { lossy: true }),
  };
}

/** Returns whether git merges the contents: those of two files, not of links or submodules. */
export function hasMarkers({ ours, theirs }: ConflictedPath): boolean {
  return isFile(ours) && isFile(theirs);
}

function isFile(stage: Stage | undefined): boolean {
  return stage?.mode.startsWith('100') === true;
}

const SUBMODULE = '160000';
/** Bytes in which git looks for a NUL, which text does not have. */
const LOOKED_AT = 8000;
/** Bytes of a file that are reported at most. */
const MOST_BYTES = 4 << 20;

async function contentOf(
  opened: Opened,
  { mode, oid }: Stage,
  clipping: Clipping,
): Promise<Pick<VersionFacts, 'text' | 'binary'>> {
  if (mode === SUBMODULE) return {};
  const bytes = (await opened.objects.contents(oid, MOST_BYTES))?.bytes;
  if (bytes === undefined) {
    clipping.cut = true;
    return {};
  }
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return { binary: true };
  return { text: clipping.text(bytes) };
}
