import { join } from 'node:path';
import { locate, type OpenDirectory, openDirectory, readEntries, textOfBytes } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { folderAt } from './pointers.ts';
import { isNotFound, type Look, leadsOut, unsupported } from './refusals.ts';

/** Which folders in a folder are looked through as well. */
type Inner = ReadonlySet<string> | 'all';

/** What git reads of a git dir, besides the files at its top. Hooks and LFS are other programs'. */
const ofGitDir: Inner = new Set([
  'branches',
  'info',
  'logs',
  'rebase-apply',
  'rebase-merge',
  'refs',
  'reftable',
  'remotes',
  'rr-cache',
  'sequencer',
  'worktrees',
]);

/** One folder for each first byte of an id is left out: a link to another object must be named by that object's id. */
const ofObjects: Inner = new Set(['info', 'pack']);

const mostFolders = 10_000;

/** Refuses a git dir in which a link leads outside, where git would follow it. */
export function assertNoLinkOut(look: Look, gitDir: string): void {
  lookThrough(look, gitDir, ofGitDir, new Set());
}

/** The same for a folder of objects, which alternates are too. */
export function assertNoLinkOutOfObjects(look: Look, objects: string): void {
  lookThrough(look, objects, ofObjects, new Set());
}

function lookThrough(look: Look, folder: string, inner: Inner, seen: Set<string>): void {
  if (seen.has(folder)) return;
  seen.add(folder);
  if (seen.size > mostFolders)
    throw unsupported(
      look.shown,
      `more than ${mostFolders} folders of refs and logs`,
      'run git pack-refs --all --prune',
    );
  const { links, folders } = namesIn(look, folder);
  for (const name of folders)
    if (inner === 'all' || inner.has(name)) lookThrough(look, join(folder, name), 'all', seen);
  for (const name of links) {
    const target = targetOf(look, join(folder, name));
    // other than that, the folder may be one that git does not read
    if (target !== undefined && (inner === 'all' || inner.has(name))) lookThrough(look, target, 'all', seen);
  }
}

/** The real folder behind a link that is inside; undefined for one to a file or to nothing. */
function targetOf(look: Look, link: string): string | undefined {
  try {
    const { path, exists } = locate(look.scope, link);
    return exists ? folderAt(look.scope, path)?.path : undefined;
  } catch (error) {
    if (error instanceof ToolError) throw leadsOut(look, link, error);
    throw error;
  }
}

interface Names {
  readonly links: readonly string[];
  readonly folders: readonly string[];
}

const noNames: Names = { links: [], folders: [] };

/** What was in a folder when it was last changed. Where a link leads is not among it: that is looked at each time. */
const known = new Map<string, Names & { readonly changed: number; readonly modified: number }>();
const mostKnown = 20_000;
/** Two changes within one tick of the file system's clock look the same, and some count in twos of seconds. */
const tickMs = 2_000;

function namesIn(look: Look, path: string): Names {
  let folder: OpenDirectory;
  try {
    folder = openDirectory(look.scope, path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // git reads it all the same
    if (look.scope.hides(path)) throw leadsOut(look, path);
    // removed since its name was read
    return noNames;
  }
  try {
    const { dev, ino, ctimeMs: changed, mtimeMs: modified } = folder.stat;
    const key = `${dev}:${ino}`;
    const before = known.get(key);
    if (before !== undefined && before.changed === changed && before.modified === modified) return before;
    const settled = Math.max(changed, modified) < Date.now() - tickMs;
    const names = readNames(folder, look.shown);
    if (known.size >= mostKnown) known.clear();
    if (settled) known.set(key, { ...names, changed, modified });
    else known.delete(key);
    return names;
  } finally {
    folder.close();
  }
}

function readNames(folder: OpenDirectory, shown: string): Names {
  const links: string[] = [];
  const folders: string[] = [];
  for (const { name, bytes, kind } of readEntries(folder, shown)) {
    if (kind !== 'symlink' && kind !== 'directory') continue;
    (kind === 'symlink' ? links : folders).push(bytes === undefined ? name : textOfBytes(bytes));
  }
  return { links, folders };
}
