import type { Opened } from '../../call/open-repository.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';
import { command } from '../../run/command.ts';
import { isOid, type Oid } from '../../run/oid.ts';
import { foldersAbove } from './nesting.ts';
import { isOccupied } from './written-paths.ts';

/**
 * A backup commit without a ref: all tracked files as they are, with HEAD as its first parent and a commit of the index
 * as its second.
 */
export interface Snapshot {
  readonly commit: Oid;
  /** files with their staged content, although neither HEAD nor the work tree has them */
  readonly added: readonly string[];
  /** the same, where the work tree or HEAD has something else in their place */
  readonly replaced: readonly string[];
}

/** Creates the backup commit; undefined where git cannot, as before the first commit. */
export async function takeSnapshot(opened: Opened): Promise<Oid | undefined> {
  const { stdout } = await opened.run(command('stash create'), { okay: [0, 1] });
  const oid = stdout.toString('latin1').trim();
  return isOid(oid) ? oid : undefined;
}

/**
 * Restores the files that git leaves out of a stash: it takes only those of HEAD, in places that are free. The work
 * tree must be unchanged since the backup.
 */
export function wronglyKept(
  opened: Opened,
  state: readonly StatusEntry[],
): Pick<Snapshot, 'added' | 'replaced'> {
  const folders = new Set(foldersAbove(state.map(({ path }) => path)));
  const [added, replaced]: [string[], string[]] = [[], []];
  for (const entry of state) {
    if (entry.kind !== 'changed' || entry.worktree !== 'D') continue;
    const { path } = entry;
    if (isOccupied(opened, path)) replaced.push(path);
    else if (entry.index === 'A') (folders.has(path) ? replaced : added).push(path);
  }
  return { added, replaced };
}
