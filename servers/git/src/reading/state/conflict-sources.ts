import { join } from 'node:path';
import { readSmall, textOfBytes } from '@rootbound/kit/boundary';
import type { Opened } from '../../call/open-repository.ts';
import { markerSizesCommand, parseMarkerSizes } from '../../porcelain/conflicts.ts';
import { bytesOfName, isPlainName } from '../../porcelain/names.ts';
import { scopeOfFiles } from '../../repository/files.ts';
import { isNotFound } from '../../repository/refusals.ts';
import type { Oid } from '../../run/oid.ts';

/** Bytes of a file in which markers are searched. */
const MOST_BYTES = 4 << 20;

/** The file with the markers: in the work tree, or in the tree of a preflight. */
export type MarkedFile = (path: string) => Promise<Buffer | undefined>;

export function inWorkTree({ repository: { place, opened } }: Opened): MarkedFile {
  const { workTree } = place;
  return async (path) => {
    if (workTree === undefined) return undefined;
    try {
      const file = join(workTree, textOfBytes(bytesOfName(path)));
      return readSmall(scopeOfFiles(opened.roots), file, MOST_BYTES)?.bytes;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
}

export function inTree(opened: Opened, tree: Oid): MarkedFile {
  return async (path) => {
    try {
      const { oid } = await opened.find(`${tree}:${path}`, 'blob');
      return (await opened.objects.contents(oid, MOST_BYTES))?.bytes;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
}

/**
 * Returns the length of markers by path, where it is not git's default; git reads attributes from a work tree alone.
 */
export async function markerSizes(
  opened: Opened,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  // a command line cannot hold other names
  const plain = paths.filter(isPlainName);
  if (plain.length === 0 || opened.repository.place.workTree === undefined) return new Map();
  return parseMarkerSizes((await opened.run(markerSizesCommand(plain))).stdout);
}
