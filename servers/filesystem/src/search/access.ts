import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  statfsSync,
} from 'node:fs';
import { descriptorPath } from '@rootbound/kit/boundary';
import { checkedAccess } from './checked.ts';
import type { Directory, DirectoryAccess } from './directory.ts';
import { LARGE_DIRECTORY, readEntries, systemPath } from './entries.ts';
import type { Access } from './query.ts';

/** Returns how directories are accessed on this system; called once, when the search is created. */
export function detectAccess(): Access {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'kernel' : 'best-effort';
}

export function directoryAccess(access: Access): DirectoryAccess {
  return access === 'kernel' ? kernelAccess : checkedAccess;
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
// non-blocking: a file may have been replaced by a pipe after it was listed
const FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

// a second read that only finds the end costs a tenth of a search; on ext, xfs, btrfs, tmpfs, overlay, zfs and f2fs a short read is the end
const WHOLE_READS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010]);
const wholeReadDevices = new Map<number, boolean>();

/** Access like `openat`, through `/proc`: a name is resolved in an open directory, even after that was moved. */
const kernelAccess: DirectoryAccess = {
  root: ({ fd }) => directoryOf(fd, pathOfDescriptor(fd) ?? descriptorPath(fd)),
  enter: (parent, name) =>
    directoryOf(
      openSync(systemPath(parent.path + name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
      parent.openedPath + name,
    ),
  list: (directory, sink) => readEntries(directory.path, directory.large, sink),
  file: (directory, name) => openSync(systemPath(directory.path + name), FILE_FLAGS),
  likelyFile(directory, name) {
    try {
      // a path through /proc makes opening three times as slow
      return openSync(systemPath(directory.openedPath + name), FILE_FLAGS);
    } catch {
      return kernelAccess.file(directory, name);
    }
  },
  isEntry: (directory, name, fd) => pathOfDescriptor(fd) === directory.openedPath + name,
  look: (directory, name) => lstatSync(systemPath(directory.path + name)),
  leave: (directory) => closeSync(directory.fd),
};

function pathOfDescriptor(fd: number): string | undefined {
  try {
    return readlinkSync(descriptorPath(fd), 'latin1');
  } catch {
    // the path is too long for the system
    return undefined;
  }
}

function directoryOf(fd: number, openedPath: string): Directory {
  const path = `${descriptorPath(fd)}/`;
  const { dev, size } = fstatSync(fd);
  let wholeReads = wholeReadDevices.get(dev);
  if (wholeReads === undefined) {
    wholeReads = WHOLE_READS.has(statfsSync(path).type);
    wholeReadDevices.set(dev, wholeReads);
  }
  return {
    fd,
    path,
    openedPath: openedPath.endsWith('/') ? openedPath : `${openedPath}/`,
    large: size > LARGE_DIRECTORY,
    wholeReads,
  };
}
