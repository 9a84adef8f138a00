import type { CallContext } from '@rootbound/protocol';
import { find, inDirectory } from '../listing/find.ts';
import { excludesOf } from '../listing/globs.ts';
import { joinDisplayPath } from '../listing/paths.ts';
import type { FoundName } from '../search/outcome.ts';
import type { Workspace } from '../workspace.ts';

/** A file and when it was changed last. */
export interface RecentFile {
  /** as results show it */
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

export interface RecentFiles {
  /** the newest first */
  readonly files: readonly RecentFile[];
  /** whether there are others that fit the question */
  readonly more: boolean;
}

export interface Wanted {
  /** most files */
  readonly limit: number;
  /** the time after which they were changed, in milliseconds */
  readonly since: number;
}

/** The files below some folders that were changed last, as a search finds them: without what ignore files leave out. */
export async function recentFiles(
  folders: readonly string[],
  { limit, since }: Wanted,
  context: CallContext<Workspace, unknown>,
): Promise<RecentFiles> {
  const found = new Map<string, RecentFile>();
  let more = false;
  for (const folder of folders) {
    const { names, truncated } = await newestIn(folder, limit, context);
    const recent = names.filter(({ modified = 0 }) => modified >= since);
    more ||= truncated && recent.length === names.length;
    for (const { path: below, size = 0, modified = 0 } of recent) {
      const path = joinDisplayPath(folder, below);
      found.set(path, { path, size, modified });
    }
  }
  const files = [...found.values()].sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
  return { files: files.slice(0, limit), more: more || files.length > limit };
}

function newestIn(
  folder: string,
  limit: number,
  context: CallContext<Workspace, unknown>,
): Promise<{ names: readonly FoundName[]; truncated: boolean }> {
  return inDirectory(context.scope, folder, true, ({ where }) =>
    find(
      {
        ...where,
        kind: 'names',
        include: [],
        exclude: excludesOf(undefined),
        types: ['file'],
        sort: 'modified',
        limit,
      },
      context,
    ),
  );
}
