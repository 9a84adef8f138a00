import type { CallContext } from '@rootbound/protocol';
import { find, inDirectory } from '../listing/find.ts';
import { excludesOf } from '../listing/globs.ts';
import { joinDisplayPath } from '../listing/paths.ts';
import type { FoundName } from '../search/outcome.ts';
import type { Workspace } from '../workspace.ts';

/** A file and the time of its last change. */
export interface RecentFile {
  /** the display path */
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

export interface RecentFiles {
  /** the newest first */
  readonly files: readonly RecentFile[];
  /** whether further files match the filter */
  readonly more: boolean;
}

export interface RecentFilter {
  /** maximum number of files */
  readonly limit: number;
  /** the earliest time of change, in milliseconds */
  readonly since: number;
}

/** Finds the most recently changed files below folders, without those that ignore files exclude. */
export async function recentFiles(
  folders: readonly string[],
  { limit, since }: RecentFilter,
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
