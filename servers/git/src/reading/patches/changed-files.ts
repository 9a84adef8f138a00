import * as z from 'zod';
import type { Change, ChangeKind } from '../../porcelain/changes.ts';

/** A path that differs, as results give it. */
export const changedFile = z.object({
  path: z.string(),
  change: z.string().describe('added, deleted, modified, renamed, copied, type-changed, unmerged'),
  from: z.string().optional().describe('renamed or copied from'),
  mode: z.string().optional().describe('where it changes: 100644 -> 100755'),
  added: z.int().optional().describe('lines'),
  deleted: z.int().optional().describe('lines'),
  binary: z.boolean().optional(),
});

export type ChangedFile = z.output<typeof changedFile>;

const ABSENT = '000000';

export function toChangedFile({ path, kind, from, old, new: now, lines }: Change): ChangedFile {
  const before = old[0]!.mode;
  const moded = before !== now.mode && before !== ABSENT && now.mode !== ABSENT;
  return {
    path,
    change: kind,
    ...(from !== undefined && { from: from.path }),
    ...(moded && { mode: `${before} -> ${now.mode}` }),
    ...(lines === 'binary' ? { binary: true } : lines),
  };
}

const letters: Readonly<Record<ChangeKind, string>> = {
  added: 'A',
  copied: 'C',
  deleted: 'D',
  modified: 'M',
  renamed: 'R',
  'type-changed': 'T',
  unmerged: 'U',
};

/** Returns a path in a line, as `--name-status` prints it, with its other known facts. */
export function fileLine({ path, change, from, mode, added, deleted, binary }: ChangedFile): string {
  const counts = added === undefined ? '' : ` +${added} -${deleted}`;
  const name = from === undefined ? path : `${from} -> ${path}`;
  const moded = mode === undefined ? '' : ` (mode ${mode})`;
  return `${letters[change as ChangeKind]} ${name}${moded}${counts}${binary === true ? ' (binary)' : ''}`;
}
