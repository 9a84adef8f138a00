import { statfsSync } from 'node:fs';

/** Returns the type of a directory's file system, as `statfs` numbers it; throws when that is unknown. */
export type FileSystemType = (path: string) => number;

/**
 * File systems that others change without a word to this kernel, by the number that Linux gives each.
 * Source: linux/magic.h, and statfs(2) for those that have theirs elsewhere.
 */
const remote: Readonly<Record<number, string>> = {
  22092: 'NCP',
  26985: 'NFS',
  20859: 'SMB',
  12805120: 'Ceph',
  16914839: '9p',
  18225520: 'GFS2',
  198183888: 'Lustre',
  428016422: 'BeeGFS',
  537068840: 'OrangeFS',
  1196443219: 'GPFS',
  1397113167: 'AFS',
  1397114950: 'drvfs',
  1702057286: 'FUSE',
  1799439955: 'AFS',
  1937076805: 'Coda',
  1952539503: 'OCFS2',
  2020557398: 'vboxsf',
  2088527475: 'prl_fs',
  2866260714: 'PanFS',
  3133910204: 'vmhgfs',
  4266872130: 'SMB',
  4283649346: 'CIFS',
};

/** Returns the name of the network file system with this number; undefined for one that reports its changes itself. */
export function remoteFileSystem(type: number): string | undefined {
  // where the number was signed, the upper bits are copies of the sign
  return remote[type >>> 0];
}

/** Returns why the directory's changes do not all reach this kernel; undefined when they do, or nobody knows. */
export function whyNotNotified(path: string, typeOf: FileSystemType = fileSystemType): Error | undefined {
  let type: number;
  try {
    type = typeOf(path);
  } catch {
    // deleted, or unreachable: the watch that is taken next reports it
    return undefined;
  }
  const name = remoteFileSystem(type);
  return name === undefined ? undefined : new Error(`${name} does not tell of changes made elsewhere`);
}

function fileSystemType(path: string): number {
  // elsewhere the number is not that of a kind: 0 is none of the table
  return process.platform === 'linux' ? Number(statfsSync(path).type) : 0;
}
