import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** An open file of a process. */
export interface Descriptor {
  readonly pid: string;
  readonly fd: string;
  /** its kind in /proc, such as `socket:[4711]` */
  readonly target: string;
}

/** Processes that are inspected at most. */
const MOST_PROCESSES = 5_000;
const MOST_DESCRIPTORS = 100_000;

/** Returns the open files of processes that this user may inspect, where there is a /proc. */
export function* descriptors(): Generator<Descriptor> {
  const pids = listed('/proc').filter((name) => /^\d+$/.test(name));
  let seen = 0;
  for (const pid of pids.slice(0, MOST_PROCESSES)) {
    for (const fd of listed(`/proc/${pid}/fd`)) {
      if (++seen > MOST_DESCRIPTORS) return;
      const target = textOf(() => readlinkSync(`/proc/${pid}/fd/${fd}`));
      if (target !== undefined) yield { pid, fd, target };
    }
  }
}

/** Returns the content of a file in /proc; undefined when it has vanished or may not be read. */
export function readProc(path: string): string | undefined {
  return textOf(() => readFileSync(path, 'latin1'));
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // it has ended, or belongs to another user
    return [];
  }
}

function textOf(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    // as above
    return undefined;
  }
}
