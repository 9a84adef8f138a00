import { access, constants, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as t from '../protocol/types.ts';

/**
 * Folders of this machine as the `roots` of a client.
 * @example
 * const roots: FolderRoots = folderRoots(['.']);
 * (await roots()).length; // => 1
 */
export interface FolderRoots {
  /** those that are there and may be read now */
  (): Promise<t.Root[]>;
  /** Calls back whenever one has come, gone or changed its permissions, until the returned function is called. */
  watch(changed: () => void): () => void;
}

/**
 * How folders are watched.
 * @example const options: FolderRootsOptions = { interval: 10_000 };
 */
export interface FolderRootsOptions {
  /** milliseconds between two looks at the folders; default 2,000 */
  interval?: number;
}

/**
 * Roots that name what can be reached: each time a server asks, those of the folders that are there and may be read.
 * @example
 * const roots = folderRoots(['.', 'no/such/folder']);
 * const client = await connect(transport, { name: 'me', version: '1.0.0', roots });
 * const stop = roots.watch(() => client.rootsChanged());
 * (await roots()).length; // => 1
 * stop();
 * await client.close();
 */
export function folderRoots(
  folders: readonly string[],
  { interval = 2000 }: FolderRootsOptions = {},
): FolderRoots {
  const paths = [...new Set(folders.map((folder) => resolve(folder)))];
  // what servers have been told: a difference from it is a change
  let told: string | undefined;
  const tell = async (): Promise<t.Root[]> => {
    const roots = await reachable(paths);
    told = JSON.stringify(roots);
    return roots;
  };
  const watch = (changed: () => void): (() => void) => {
    let looking = false;
    const look = async (): Promise<void> => {
      const before = told;
      await tell();
      looking = false;
      if (before !== undefined && told !== before) changed();
    };
    const timer = setInterval(() => {
      if (looking) return;
      looking = true;
      void look();
    }, interval);
    timer.unref();
    return () => clearInterval(timer);
  };
  return Object.assign(tell, { watch });
}

async function reachable(paths: readonly string[]): Promise<t.Root[]> {
  const found = await Promise.all(paths.map(isReachable));
  return paths
    .filter((_path, index) => found[index])
    .map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) || path }));
}

async function isReachable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.X_OK);
    return (await stat(path)).isDirectory();
  } catch {
    // not there, or not for this user
    return false;
  }
}
