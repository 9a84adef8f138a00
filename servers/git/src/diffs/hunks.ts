import { defined } from '@rootbound/kit/primitives';
import type { PageFile } from '../patches/sheet.ts';
import type { Stretch } from '../porcelain/hunks.ts';
import type { FileHunks } from './schema.ts';

/** What an entry takes in a result, with a path as most are, and a hunk of it. */
export const FILE_BYTES = 160;
export const HUNK_BYTES = 72;

/** The hunks that can be chosen: a merge has none that could be applied. */
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
