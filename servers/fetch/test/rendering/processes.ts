import { readdirSync, readFileSync } from 'node:fs';

/** A process as the system reports it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Returns the browser processes of a process, with their descendants. */
export function browsersOf(ancestor: number): Process[] {
  const all = everyProcess();
  const family = new Set([ancestor]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  family.delete(ancestor);
  return all.filter(({ pid, command }) => family.has(pid) && command.includes('chromium'));
}

/** Returns whether a process is running, and not a zombie. */
export function isRunning(pid: number): boolean {
  return everyProcess().some((process) => process.pid === pid);
}

/** Returns the main process of a browser. */
export function isMain({ command }: Process): boolean {
  return !command.includes('--type=') && command.includes('--headless');
}

export function isRenderer({ command }: Process): boolean {
  return command.includes('--type=renderer');
}

function everyProcess(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, state = '', parent = ''] =
        /^\d+ \(.*\) (\S) (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      if (state === 'Z') return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      // it has ended meanwhile
      return [];
    }
  });
}
