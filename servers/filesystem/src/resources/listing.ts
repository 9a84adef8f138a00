import type { Stats } from 'node:fs';
import { join } from 'node:path';
import {
  kindOf,
  type OpenDirectory,
  openDirectory,
  type Root,
  readEntries,
  type Scope,
  statChild,
  statEntry,
  toFileUri,
} from '@rootbound/kit/boundary';
import { mediaTypeOfName } from '@rootbound/kit/media';
import { defined, yieldToEventLoop } from '@rootbound/kit/primitives';
import { type Resource, ToolError } from '@rootbound/protocol';
import { isoTime } from '../listing/facts.ts';

/** Maximum number of resources listed for one root; list_directory lists all entries. */
const MOST_ENTRIES = 1000;
/** Maximum number of names read from one root. */
const MOST_NAMES = 100_000;
/** Names that are read in one turn of the event loop. */
const NAMES_IN_ONE_GO = 500;
const LOOKS_IN_ONE_GO = 200;
/** The coarsest resolution of modification times, in milliseconds: an older time differs after the next change. */
const TICK_MS = 2000;

/** A root and its listed names, sorted. */
export interface ListedRoot {
  readonly root: Root;
  readonly names: readonly string[];
  /** identity and modification time of the folder, if any later change would alter them */
  readonly state: string | undefined;
}

/**
 * Returns the direct entries of a root that are neither hidden nor denied; none for a file or a missing root. While
 * the folder is unchanged it returns `known`, so that the pages of one list read the folder once.
 */
export async function listNames(scope: Scope, root: Root, known?: ListedRoot): Promise<ListedRoot> {
  let folder: OpenDirectory | undefined;
  try {
    folder = openDirectory(scope, root.path);
    const { dev, ino, mtimeMs } = folder.stat;
    const state = Date.now() - mtimeMs > TICK_MS ? `${dev} ${ino} ${mtimeMs}` : undefined;
    if (state !== undefined && known?.state === state) return known;
    return { root, names: await readNames(scope, folder, root), state };
  } catch (error) {
    if (error instanceof ToolError) return { root, names: [], state: undefined };
    throw error;
  } finally {
    folder?.close();
  }
}

async function readNames(scope: Scope, folder: OpenDirectory, root: Root): Promise<readonly string[]> {
  const isDenied = scope.hiddenIn(folder.path);
  let names: string[] = [];
  let looked = 0;
  for (const { name, kind, bytes } of readEntries(folder, root.path)) {
    if (++looked > MOST_NAMES) break;
    if (looked % NAMES_IN_ONE_GO === 0) {
      names = first(names);
      await yieldToEventLoop();
    }
    if (kind !== 'other' && bytes === undefined && !name.startsWith('.') && !isDenied(name)) names.push(name);
  }
  return first(names);
}

function first(names: string[]): string[] {
  return names.sort().slice(0, MOST_ENTRIES);
}

/** Returns a root and its entries as resources. */
export async function describeRoot(scope: Scope, { root, names }: ListedRoot): Promise<Resource[]> {
  const { path, uri, name, readOnly } = root;
  const stat = statOf(scope, path);
  if (stat === undefined) return [];
  const own: Resource = {
    uri,
    name,
    title: name,
    description: `a ${readOnly ? 'read-only' : 'writable'} ${stat.isFile() ? 'file' : 'folder'}`,
    ...factsOf(name, stat),
    annotations: { audience: ['user', 'assistant'], priority: 0.8, ...modifiedOf(stat) },
  };
  return names.length === 0 ? [own] : [own, ...(await describeEntries(scope, root, names))];
}

async function describeEntries(scope: Scope, root: Root, names: readonly string[]): Promise<Resource[]> {
  const found: Resource[] = [];
  let folder: OpenDirectory;
  try {
    folder = openDirectory(scope, root.path);
  } catch (error) {
    if (error instanceof ToolError) return found;
    throw error;
  }
  try {
    for (const [index, name] of names.entries()) {
      if (index % LOOKS_IN_ONE_GO === LOOKS_IN_ONE_GO - 1) await yieldToEventLoop();
      const path = join(root.path, name);
      const stat = statIn(scope, folder, name, path);
      // a nested root is listed by itself
      if (stat === undefined || scope.isRoot(join(folder.path, name))) continue;
      const modified = modifiedOf(stat);
      found.push({
        uri: toFileUri(path),
        name,
        ...factsOf(name, stat),
        ...(modified && { annotations: modified }),
      });
    }
  } finally {
    folder.close();
  }
  return found;
}

/** Returns the stat of an entry, of a link that of its target; undefined if a client cannot read it. */
function statIn(scope: Scope, folder: OpenDirectory, name: string, path: string): Stats | undefined {
  try {
    const stat = statChild(folder, name);
    if (stat === undefined || !stat.isSymbolicLink()) return stat;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
  return statOf(scope, path);
}

function statOf(scope: Scope, path: string): Stats | undefined {
  try {
    const { stat, target } = statEntry(scope, path);
    const seen = target?.stat ?? stat;
    return seen.isFile() || seen.isDirectory() ? seen : undefined;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function factsOf(name: string, stat: Stats): Pick<Resource, 'mimeType' | 'size'> {
  if (kindOf(stat) === 'directory') return { mimeType: 'inode/directory' };
  const mimeType = mediaTypeOfName(name);
  return { ...defined({ mimeType }), size: stat.size };
}

function modifiedOf(stat: Stats): { lastModified: string } | undefined {
  const lastModified = isoTime(stat.mtimeMs);
  return lastModified === undefined ? undefined : { lastModified };
}
