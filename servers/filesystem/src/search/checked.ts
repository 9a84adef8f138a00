import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { Directory, DirectoryAccess } from './directory.ts';
import { LARGE_DIRECTORY, readEntries, systemPath } from './entries.ts';
import { toBytes } from './order.ts';
import { SearchError } from './query.ts';

// Windows has neither flag; there only the checks after opening protect
const FILE_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Access by real path, checked before and after every use: best effort, for systems without `/proc`. */
export const checkedAccess: DirectoryAccess = {
  root(root) {
    const path = realpathSync.native(root.path);
    const held = fstatSync(root.fd, { bigint: true });
    const found = statSync(path, { bigint: true });
    if (held.ino !== found.ino || held.dev !== found.dev) {
      throw new SearchError('root', 'the root was replaced during the search: try again');
    }
    return directoryOf(root.fd, toBytes(path.endsWith(sep) ? path : path + sep), Number(held.size));
  },
  enter(parent, name) {
    const path = parent.path + name;
    const stats = lstatSync(systemPath(path));
    if (!stats.isDirectory()) throw moved();
    assertReal(path);
    return directoryOf(-1, path + sep, stats.size);
  },
  list(directory, sink) {
    readEntries(directory.path, directory.large, sink);
    assertReal(withoutSeparator(directory));
  },
  file(directory, name) {
    const fd = openSync(systemPath(directory.path + name), FILE_FLAGS);
    try {
      assertReal(withoutSeparator(directory));
      const opened = fstatSync(fd, { bigint: true });
      const found = lstatSync(systemPath(directory.path + name), { bigint: true });
      if (!opened.isFile() || opened.ino !== found.ino || opened.dev !== found.dev) throw moved();
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  },
  likelyFile: (directory, name) => checkedAccess.file(directory, name),
  isEntry: () => true,
  look(directory, name) {
    const stats = lstatSync(systemPath(directory.path + name));
    assertReal(withoutSeparator(directory));
    return stats;
  },
  leave() {},
};

function directoryOf(fd: number, path: string, size: number): Directory {
  return { fd, path, openedPath: path, large: size > LARGE_DIRECTORY, wholeReads: false };
}

function withoutSeparator(directory: Directory): string {
  return directory.path.length > 1 ? directory.path.slice(0, -1) : directory.path;
}

function assertReal(path: string): void {
  if (realpathSync.native(systemPath(path), 'latin1') !== path) throw moved();
}

function moved(): Error {
  return Object.assign(new Error('the entry was moved after it was listed'), { code: 'ELOOP' });
}
