import { defined } from '@rootbound/kit/primitives';
import type { Branch } from '../../porcelain/status.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';

/** HEAD, as results give it. */
export interface BranchFacts {
  branch?: string;
  commit?: string;
  upstream?: string;
  ahead?: number;
  behind?: number;
}

export function branchFacts({ head, commit, upstream, track }: Branch): BranchFacts {
  return {
    ...defined({ branch: head, commit, upstream }),
    ...track,
  };
}

/** A path of a status, as results give it. */
export interface EntryFacts {
  path: string;
  kind: StatusEntry['kind'];
  index?: string;
  worktree?: string;
  from?: string;
  conflict?: string;
  submodule?: string;
  filter_off?: string;
}

export function entryFacts(found: StatusEntry, filtersOff: ReadonlyMap<string, string>): EntryFacts {
  if (!('submodule' in found)) return { path: found.path, kind: found.kind };
  const inner = found.submodule;
  const inside = inner && Object.entries(inner).flatMap(([what, is]) => (is ? [what] : []));
  const submodule = inside === undefined || inside.length === 0 ? {} : { submodule: inside.join(', ') };
  const { kind, path } = found;
  if (found.kind === 'unmerged') return { path, kind, conflict: found.conflict, ...submodule };
  const { index, worktree, from } = found;
  const filter = filtersOff.get(path);
  return {
    path,
    kind,
    ...(index !== '.' && { index }),
    ...(worktree !== '.' && { worktree }),
    ...(from !== undefined && { from: from.path }),
    ...submodule,
    ...(filter !== undefined && { filter_off: filter }),
  };
}
