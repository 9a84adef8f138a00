import type { Opened } from '../../call/open-repository.ts';
import { filteredOf } from '../../changing/safety/filters.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';

/** Returns the filters that do not run, by the paths that a status gives as changed in the work tree. */
export function filtersOffIn(
  opened: Opened,
  entries: readonly StatusEntry[],
): Promise<ReadonlyMap<string, string>> {
  const changed = entries.flatMap((entry) =>
    entry.kind === 'changed' && entry.worktree !== '.' ? [entry.path] : [],
  );
  return filteredOf(opened, changed);
}

/** Returns a notice of filters that do not run; undefined where there is none. */
export function filtersOffNotice(filters: Iterable<string>): string | undefined {
  const names = [...new Set(filters)].sort();
  if (names.length === 0) return undefined;
  const those = names.join(', ');
  return `off, as the repository is not trusted: filter ${those}. With it git may call its files unchanged: the user can trust the repository with git_trust, or the operator with --trust or by that filter in the global configuration${names.includes('lfs') ? ' (git lfs install)' : ''}`;
}
