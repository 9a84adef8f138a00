import { spawnSync } from 'node:child_process';
import { readProc } from './descriptors.ts';

/** What holds a path. */
export interface FileSystem {
  /** as the system calls it, such as `ext4` or `nfs4` */
  readonly name: string;
  /** whether others change it without a word to this kernel */
  readonly remote: boolean;
}

interface Mount {
  readonly point: string;
  readonly name: string;
}

/** How long a look at another machine may take, ms. */
const LOOK_MS = 5_000;
/** Kinds whose answers come from elsewhere, another machine or a program, and whose changes may be made there. */
const distant =
  /^(?:9p|afs|beegfs|ceph|cifs|coda|drvfs|fuse|gfs2|gpfs|lustre|ncp|nfs|ocfs2|orangefs|panfs|prl_fs|smb|vboxsf|virtiofs|vmhgfs)/;

/** The file system that holds a path, by the table of mounts alone: nothing is asked of the file system. */
export function fileSystemOf(path: string): FileSystem | undefined {
  const table = process.platform === 'linux' ? readProc('/proc/self/mountinfo') : undefined;
  if (table === undefined) return undefined;
  return mountOf(path, table);
}

/** The innermost of the mounts in a table as of /proc/self/mountinfo that holds a path; of two at one place the later. */
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

/** A name and what stands for it in a table where spaces part fields. */
function mountIn(line: string): Mount | undefined {
  const [, point, name] = /^\S+ \S+ \S+ \S+ (\S+) .*? - (\S+) /.exec(line) ?? [];
  if (point === undefined || name === undefined) return undefined;
  const plain = point.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return { point: plain, name };
}

/** Whether a path can be looked at: a process that can be ended does so, since a look itself cannot. */
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
