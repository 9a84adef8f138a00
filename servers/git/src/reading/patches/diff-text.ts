import { counted, moreNote } from '@rootbound/kit/budget';
import { fileLine } from './changed-files.ts';
import type { DiffOutput, FileHunks } from './diff-schema.ts';
import { withShortIds } from './patch-text.ts';

/** Returns a page of a diff as text: the sides, the files, the patch with short ids of blobs, and the ids of its hunks. */
export function textOf(diff: DiffOutput, cut: boolean): string {
  const { files, total, patch, hunks = [], lossy, truncated, next_cursor } = diff;
  const lines = [headLine(diff), ...files.map(fileLine)];
  if (patch !== undefined && patch !== '') lines.push('', withShortIds(patch).replace(/\n$/, ''));
  if (hunks.length > 0) lines.push('', 'hunk ids:', ...hunks.map(hunkLine));
  if (lossy === true) lines.push('[lines that are not UTF-8 are decoded as Latin-1]');
  if (cut) lines.push('[the last hunk is cut and continues in the next part]');
  if (truncated) {
    const more =
      total !== undefined && patch === undefined ? `of ${counted(total, 'file', 'files')}` : 'patch';
    lines.push(moreNote(`more: ${more}`, next_cursor));
  }
  return lines.join('\n');
}

function headLine(diff: DiffOutput): string {
  const { total } = diff;
  const what = comparedIn(diff);
  if (total === undefined) return `${what}, continued`;
  return total === 0 ? `${what}: no differences` : `${what}: ${counted(total, 'file', 'files')}`;
}

function comparedIn({ compared, from, to }: DiffOutput): string {
  const [old, now] = [from?.slice(0, 12), to?.slice(0, 12)];
  switch (compared) {
    case 'unstaged':
      return 'not staged';
    case 'staged':
      return old === undefined ? 'staged' : `staged, against ${old}`;
    case 'worktree':
      return `work tree, against ${old}`;
    case 'between':
      return `${old}..${now}`;
  }
}

function hunkLine({ path, head, ids }: FileHunks): string {
  const all = ids.map(({ id, at }) => `${id} (${at})`);
  return `${path}: ${[...(head === undefined ? [] : [`${head} (head)`]), ...all].join(', ')}`;
}
