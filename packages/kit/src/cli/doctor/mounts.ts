import { spawnSync } from 'node:child_process';
import { readProc } from './descriptors.ts';

/** The mount of a path. */
export interface FileSystem {
  /** the system's name, such as `ext4` or `nfs4` */
  readonly name: string;
  /** whether others can change it without an event in this kernel */
  readonly remote: boolean;
}

interface Mount {
  readonly point: string;
  readonly name: string;
}

/** Milliseconds for a look at another machine. */
const LOOK_MS = 5_000;
/** File systems that another machine or a program serves, and whose changes may be made there. */
const distant =
  /^(?:9p|afs|beegfs|ceph|cifs|coda|drvfs|fuse|gfs2|gpfs|lustre|ncp|nfs|ocfs2|orangefs|panfs|prl_fs|smb|vboxsf|virtiofs|vmhgfs)/;

/** Returns the file system of a path, by the table of mounts alone, without access to the file system. */
export function fileSystemOf(path: string): FileSystem | undefined {
  const table = process.platform === 'linux' ? readProc('/proc/self/mountinfo') : undefined;
  if (table === undefined) return undefined;
  return mountOf(path, table);
}

/** Returns the innermost mount of a path in a table as of /proc/self/mountinfo; of two at one place the later. */
export function mountOf(path: string, table: string): FileSystem | undefined {
  const held = table
    .split('\n')
    .flatMap((line) => mountIn(line) ?? [])
    .filter(({ point }) => point === '/' || path === point || path.startsWith(`${point}/`));
  const inner = held.reduce<Mount | undefined>(
    (best, mount) => (best === undefined || mount.point.length >= best.point.length ? mount : best),
    undefined,
  );
  return inner && { name: inner.name, remote: distant.test(inner.name) };
}

/** A name, and its escape in a table whose fields are separated by spaces. */
function mountIn(line: string): Mount | undefined {
  const [, point, name] = /^\S+ \S+ \S+ \S+ (\S+) .*? - (\S+) /.exec(line) ?? [];
  if (point === undefined || name === undefined) return undefined;
  const plain = point.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return { point: plain, name };
}

/**
 * Returns whether a path can be accessed: a process tries it, which can be ended, while a call of this process cannot.
 */
export function answers(path: string): boolean {
  const look = 'require("fs").stat(process.argv[1], () => process.exit(0))';
  const { error } = spawnSync(process.execPath, ['-e', look, path], {
    timeout: LOOK_MS,
    killSignal: 'SIGKILL',
    stdio: 'ignore',
    windowsHide: true,
  });
  return error === undefined;
}
