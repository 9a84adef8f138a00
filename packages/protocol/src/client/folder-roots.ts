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
  /** returns those that exist and are readable */
  (): Promise<t.Root[]>;
  /**
   * Calls `changed` whenever a folder appears, disappears or changes its permissions; returns a function that
   * stops this.
   */
  watch(changed: () => void): () => void;
}

/**
 * Options for watching folders.
 * @example const options: FolderRootsOptions = { interval: 10_000 };
 */
export interface FolderRootsOptions {
  /** milliseconds between two checks of the folders; default 2,000 */
  interval?: number;
}

/**
 * Returns roots for folders. Each time a server asks, they are the folders that exist and are readable.
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
  // the folders that servers were last notified of, as JSON
  let notifiedRoots: string | undefined;
  const readRoots = async (): Promise<t.Root[]> => {
    const roots = await reachable(paths);
    notifiedRoots = JSON.stringify(roots);
    return roots;
  };
  const watch = (changed: () => void): (() => void) => {
    let checking = false;
    const check = async (): Promise<void> => {
      const before = notifiedRoots;
      await readRoots();
      checking = false;
      if (before !== undefined && notifiedRoots !== before) changed();
    };
    const timer = setInterval(() => {
      if (checking) return;
      checking = true;
      void check();
    }, interval);
    timer.unref();
    return () => clearInterval(timer);
  };
  return Object.assign(readRoots, { watch });
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
    // missing or not accessible
    return false;
  }
}
