import { defined } from '@rootbound/kit/primitives';
import type { Stretch } from '../../porcelain/hunks.ts';
import type { FileHunks } from './diff-schema.ts';
import type { PageFile } from './layout.ts';

/** Bytes of a result's entry for a file with a path of usual length, and for a hunk. */
export const FILE_BYTES = 160;
export const HUNK_BYTES = 72;

/** Returns the hunks that can be staged one by one; those of a merge cannot. */
export function hunksOf(files: readonly PageFile[]): FileHunks[] {
  return files.flatMap(({ head, changeId, hunks }) => {
    if (head.kind === 'merged' || (hunks.length === 0 && changeId === undefined)) return [];
    const ids = hunks.map((hunk) => ({ id: hunk.id, at: `-${rangeOf(hunk.old[0]!)} +${rangeOf(hunk.new)}` }));
    return [{ path: head.path, ...defined({ head: changeId }), ids }];
  });
}

function rangeOf({ start, lines }: Stretch): string {
  return lines === 1 ? String(start) : `${start},${lines}`;
}
