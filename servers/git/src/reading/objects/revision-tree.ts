import type { Opened } from '../../call/open-repository.ts';
import type { Oid } from '../../run/oid.ts';

/** The tree of a revision, and its commit, if it is one. */
export interface Snapshot {
  readonly tree: Oid;
  readonly commit: Oid | undefined;
}

/** Resolves the caller's revision once, so that commit and tree belong together. */
export async function snapshotOf(opened: Opened, revision: string): Promise<Snapshot> {
  const found = await opened.find(revision);
  if (found.type === 'tree') return { tree: found.oid, commit: undefined };
  // a blob has none, which its name shows
  if (found.type === 'blob') return { tree: await opened.resolve(revision, 'tree'), commit: undefined };
  const [tree, commit] = await Promise.all([
    opened.resolve(found.oid, 'tree'),
    found.type === 'commit' ? found : opened.objects.info(`${found.oid}^{commit}`),
  ]);
  return { tree, commit: commit?.oid };
}
