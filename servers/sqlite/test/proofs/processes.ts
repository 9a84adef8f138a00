import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const O_ACCMODE = 3;
const O_RDWR = 2;

/** Returns the child of a process that has a file open for writing. */
export function writerOf(parent: number, path: string): number | undefined {
  return childrenOf(parent).find((pid) =>
    list(`/proc/${pid}/fd`).some((fd) => link(`/proc/${pid}/fd/${fd}`) === path && writes(pid, fd)),
  );
}

export function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== '' && !/\) [ZX] /.test(stat);
}

/** Returns whether a process was stopped by a signal. */
export function isStopped(pid: number): boolean {
  return /\) T /.test(read(`/proc/${pid}/stat`));
}

/** Returns whether a process is sleeping. */
export function isAsleep(pid: number): boolean {
  return /\) S /.test(read(`/proc/${pid}/stat`));
}

export function childrenOf(pid: number): number[] {
  const children = list(`/proc/${pid}/task`).map((task) => read(`/proc/${pid}/task/${task}/children`));
  return children.join(' ').split(/\s+/).filter(Boolean).map(Number);
}

function writes(pid: number, fd: string): boolean {
  const [, flags = '0'] = /^flags:\s+(\d+)$/m.exec(read(`/proc/${pid}/fdinfo/${fd}`)) ?? [];
  return (Number.parseInt(flags, 8) & O_ACCMODE) === O_RDWR;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // it has ended meanwhile
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // it has ended meanwhile
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // the file was closed meanwhile
  }
}
