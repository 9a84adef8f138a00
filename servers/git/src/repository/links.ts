import { lstatSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import {
  locate,
  type OpenDirectory,
  openDirectory,
  readEntries,
  type Scope,
  textOfBytes,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { isNotFound, type Look, leadsOut, malformed, unsupported } from './refusals.ts';

/** Returns the folders in a folder that are searched as well. */
type Inner = ReadonlySet<string> | 'all';

/** The entries of a git dir that git reads, besides the files at its top. Hooks and LFS are other programs'. */
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

/** The folders of loose objects are left out: a link to another object must be named by that object's id. */
const ofObjects: Inner = new Set(['info', 'pack']);

const mostFolders = 10_000;

/**
 * The entries of a git dir that may be links to outside: without trust git is kept from the first row, and the filters
 * of the second do not run; nothing that the server starts reads the third.
 */
const optional: ReadonlySet<string> = new Set([
  ...['hooks', 'info/attributes', 'info/exclude'],
  ...['annex', 'lfs'],
  ...['branchless', 'description', 'svn'],
]);

/** One search for links. */
interface Search {
  readonly look: Look;
  /** the folder in which it began */
  readonly top: string;
  readonly optional: ReadonlySet<string>;
  readonly seen: Set<string>;
  readonly passedOver: string[];
}

/**
 * Returns the optional entries of a git dir that are links to outside, with `/` in their paths. Throws where any other
 * link leads outside: git would follow it.
 */
export function linksPassedOver(look: Look, gitDir: string): readonly string[] {
  const passedOver: string[] = [];
  lookThrough({ look, top: gitDir, optional, seen: new Set(), passedOver }, gitDir, ofGitDir);
  return passedOver;
}

/** Throws for an object directory in which a link leads outside. */
export function assertNoLinkOutOfObjects(look: Look, objects: string): void {
  lookThrough(
    { look, top: objects, optional: new Set(), seen: new Set(), passedOver: [] },
    objects,
    ofObjects,
  );
}

function lookThrough(search: Search, folder: string, inner: Inner): void {
  const { look, seen } = search;
  if (seen.has(folder)) return;
  seen.add(folder);
  if (seen.size > mostFolders)
    throw unsupported(
      look.displayPath,
      `more than ${mostFolders} folders of refs and logs`,
      'run git pack-refs --all --prune',
    );
  const { links, folders } = namesIn(look, folder);
  for (const name of folders)
    if (inner === 'all' || inner.has(name)) lookThrough(search, join(folder, name), 'all');
  for (const name of links) {
    const target = targetOf(search, join(folder, name));
    // otherwise the folder may be one that git does not read
    if (target !== undefined && (inner === 'all' || inner.has(name))) lookThrough(search, target, 'all');
  }
}

/** Returns the real folder behind a link; undefined for a link to a file or to nothing, or that is passed over. */
function targetOf({ look, top, optional: mayLeadOut, passedOver }: Search, link: string): string | undefined {
  let target: string;
  try {
    const { path, exists } = locate(look.scope, link);
    if (!exists) return undefined;
    target = path;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const name = link.slice(top.length + 1).replaceAll(sep, '/');
    if (!mayLeadOut.has(name)) throw leadsOut(look, link, error);
    passedOver.push(name);
    return undefined;
  }
  const stat = entryAt(target);
  if (stat?.isDirectory()) return target;
  // git would wait for a FIFO, and read what a device gives
  if (stat?.isFile() === false) throw malformed(look, link, 'leads to neither a file nor a folder');
  return undefined;
}

interface Names {
  readonly links: readonly string[];
  readonly folders: readonly string[];
}

const noNames: Names = { links: [], folders: [] };

/**
 * A folder that was opened inside a scope, with its entries. The targets of links are not among them: they are resolved
 * each time.
 */
interface Known extends Names {
  readonly stat: Pick<Stats, 'dev' | 'ino' | 'ctimeMs' | 'mtimeMs'>;
}

const known = new WeakMap<Scope, Map<string, Known>>();
const mostKnown = 20_000;
/**
 * Milliseconds: two changes within one tick of the file system's clock look the same, and some clocks tick every two
 * seconds.
 */
const tickMs = 2_000;

function namesIn(look: Look, path: string): Names {
  // the folders above were checked just before; git opens paths afterwards, so a handle would promise no more
  const before = known.get(look.scope)?.get(path);
  if (before !== undefined && isSame(before.stat, path)) return before;
  let folder: OpenDirectory;
  try {
    folder = openDirectory(look.scope, path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // git reads it anyway
    if (look.scope.hides(path)) throw leadsOut(look, path);
    // removed since its name was read
    return noNames;
  }
  try {
    const { stat } = folder;
    const names = readNames(look, folder);
    const settled = Math.max(stat.ctimeMs, stat.mtimeMs) < Date.now() - tickMs;
    remember(look.scope, path, settled ? { ...names, stat } : undefined);
    return names;
  } finally {
    folder.close();
  }
}

/** Returns the entry at a path, not followed; undefined if there is none, also behind a file in the place of a folder. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function isSame(before: Known['stat'], path: string): boolean {
  const now = entryAt(path);
  return (
    now?.isDirectory() === true &&
    (['dev', 'ino', 'ctimeMs', 'mtimeMs'] as const).every((fact) => now[fact] === before[fact])
  );
}

function remember(scope: Scope, path: string, found: Known | undefined): void {
  const before = known.get(scope);
  const folders = before === undefined || before.size >= mostKnown ? new Map<string, Known>() : before;
  known.set(scope, folders);
  if (found === undefined) folders.delete(path);
  else folders.set(path, found);
}

/** the file system monitor daemon of git listens there */
const SOCKET = 'fsmonitor--daemon.ipc';

function readNames(look: Look, folder: OpenDirectory): Names {
  const links: string[] = [];
  const folders: string[] = [];
  for (const { name, bytes, kind } of readEntries(folder, look.displayPath)) {
    // git would wait for a FIFO, and read what a device gives
    if (kind === 'other' && name !== SOCKET)
      throw malformed(look, join(folder.path, name), 'is neither a file, a folder nor a link');
    if (kind !== 'symlink' && kind !== 'directory') continue;
    (kind === 'symlink' ? links : folders).push(bytes === undefined ? name : textOfBytes(bytes));
  }
  return { links, folders };
}
