import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, statfsSync } from 'node:fs';
import { checkedAccess } from './checked.ts';
import type { Directory, DirectoryAccess } from './directory.ts';
import { LARGE_DIRECTORY, readEntries, systemPath } from './entries.ts';
import type { Access } from './query.ts';

/** How this system lets a directory be reached: decided once, when the search is created. */
export function detectAccess(): Access {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'kernel' : 'best-effort';
}

export function directoryAccess(access: Access): DirectoryAccess {
  return access === 'kernel' ? kernelAccess : checkedAccess;
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

// a second read only to see the end costs a tenth of a search; ext, xfs, btrfs, tmpfs, overlay, zfs and f2fs need none
const WHOLE_READS = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010]);
const wholeReadDevices = new Map<number, boolean>();

/** `openat` by way of `/proc`: a name is resolved in the directory that is held open, wherever that has been moved to. */
const kernelAccess: DirectoryAccess = {
  root: (root) => directoryOf(root.fd),
  enter: (parent, name) =>
    directoryOf(openSync(systemPath(parent.path + name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)),
  list: (directory, sink) => readEntries(directory.path, directory.large, sink),
  // non-blocking: what was a file when it was listed may be a pipe now
  file: (directory, name) => openSync(systemPath(directory.path + name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
  look: (directory, name) => lstatSync(systemPath(directory.path + name)),
  leave: (directory) => closeSync(directory.fd),
};

function directoryOf(fd: number): Directory {
  const path = `/proc/self/fd/${fd}/`;
  const { dev, size } = fstatSync(fd);
  let wholeReads = wholeReadDevices.get(dev);
  if (wholeReads === undefined) {
    wholeReads = WHOLE_READS.has(statfsSync(path).type);
    wholeReadDevices.set(dev, wholeReads);
  }
  return { fd, path, large: size > LARGE_DIRECTORY, wholeReads };
}
