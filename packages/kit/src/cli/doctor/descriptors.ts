import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What a process has open. */
export interface Descriptor {
  readonly pid: string;
  readonly fd: string;
  /** what /proc says it is, such as `socket:[4711]` */
  readonly target: string;
}

/** A machine with more than that is not looked through to its end. */
const MOST_PROCESSES = 5_000;
const MOST_DESCRIPTORS = 100_000;

/** What the processes have open that this user may look at, where there is a /proc. */
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

/** What a file of /proc says; undefined when it has gone or may not be read. */
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
