import { counted } from '@rootbound/kit/budget';
import * as z from 'zod';
import type { Change } from '../../porcelain/changes.ts';
import type { Version } from '../../porcelain/status-entries.ts';
import { listed } from '../safety/staged.ts';

/** A file of the work tree, and its change. */
export const effect = z.object({
  path: z.string(),
  change: z.string().describe('created, changed, deleted'),
  mode: z.string().optional(),
});

export type Effect = z.output<typeof effect> & { readonly change: 'created' | 'changed' | 'deleted' };

const ABSENT = '000000';
export const SUBMODULE = '160000';

/** Returns the change of a file that is restored: `from` is the work tree, `to` the restored version. */
export function effectOf({ path }: Pick<Change, 'path'>, from: Version, to: Version): Effect {
  if (isAbsent(to)) return { path, change: 'deleted' };
  if (isAbsent(from)) return { path, change: 'created', mode: to.mode };
  const mode = from.mode === to.mode ? {} : { mode: `${from.mode} -> ${to.mode}` };
  return { path, change: 'changed', ...mode };
}

export function isAbsent({ mode }: Version): boolean {
  return mode === ABSENT;
}

/** Files that are listed at most; all are counted. */
const MOST_LISTED = 100;

export interface EffectFacts {
  files?: { path: string; change: string; mode?: string | undefined }[] | undefined;
  files_total?: number | undefined;
}

export function effectFacts(all: readonly Effect[]): EffectFacts {
  if (all.length === 0) return {};
  return { files: all.slice(0, MOST_LISTED), files_total: all.length };
}

const letters: Readonly<Record<string, string>> = { created: 'A', changed: 'M', deleted: 'D' };

/** Returns lines of text: the number of files that other lines do not name, then a letter and a path for each. */
export function effectLines(
  { files: all = [], files_total = 0 }: EffectFacts,
  named: ReadonlySet<string>,
  dry: boolean,
): string[] {
  const files = all.filter(({ path }) => !named.has(path));
  const total = files_total - (all.length - files.length);
  if (total === 0) return [];
  const head = `${dry ? 'would restore' : 'restored'} ${counted(total, 'file', 'files')} of the work tree`;
  const lines = files.map(
    ({ path, change, mode }) =>
      `${letters[change]} ${path}${mode?.includes('->') === true ? ` (mode ${mode})` : ''}`,
  );
  return [head, ...listed(lines, total)];
}
