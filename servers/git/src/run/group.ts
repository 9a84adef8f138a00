import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const windows = process.platform === 'win32';

/** The options with which a process starts that can be ended with all its children. */
export const ownGroup = { detached: !windows, windowsHide: true } as const;

/** milliseconds */
const firstPause = 5;
const longestPause = 80;
const afterKill = 400;

/** the processes that lead a group, and the way in which the rest of it ends with this process */
const leaders = new Map<number, NodeJS.Signals>();
const endAll = (): void => {
  for (const [pid, signal] of leaders) signalGroup(pid, signal);
};

/** Ends the processes that still run when this process exits. */
export function watchGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || windows) return;
  remember(pid, 'SIGTERM');
  child.once('exit', () => {
    if (leaders.get(pid) === 'SIGTERM') forget(pid);
  });
}

/**
 * Ends a process and its group: asks first, so that git removes its locks, and kills after `grace` milliseconds. They
 * have ended when this resolves.
 */
export async function endGroup(child: ChildProcess, grace: number): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  if (windows) return endTree(child, pid, grace);
  remember(pid, 'SIGKILL');
  signalGroup(pid, 'SIGTERM');
  if (!(await isGone(child, pid, grace))) {
    signalGroup(pid, 'SIGKILL');
    await isGone(child, pid, afterKill);
  }
  forget(pid);
}

async function isGone(child: ChildProcess, pid: number, within: number): Promise<boolean> {
  const end = performance.now() + within;
  await exitOf(child, within);
  for (let pause = firstPause; isAlive(pid); pause = Math.min(2 * pause, longestPause)) {
    if (performance.now() >= end) return false;
    await wait(pause);
  }
  return true;
}

/** Returns whether a group has a member that is alive. */
function isAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  // in a container a zombie may wait for ever for a parent that reaps it
  return readdirSync('/proc').some((name) => /^\d/.test(name) && isMember(name, group));
}

function isMember(pid: string, group: number): boolean {
  try {
    // pid (name) state parent group
    const [, state, itsGroup] =
      /^.*\) (\S) -?\d+ (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    // it has ended since its name was read
    return false;
  }
}

async function exitOf(child: ChildProcess, within: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // the caller checks itself whether it was the exit or the time
  await once(child, 'exit', { signal: AbortSignal.timeout(within) }).catch(() => undefined);
}

/** Signals a group and returns whether it had a member. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    // no member is left, or none that this process may signal
    return false;
  }
}

/** Windows has no groups, and its console programs cannot be asked */
async function endTree(child: ChildProcess, pid: number, grace: number): Promise<void> {
  const taskkill = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  execFile(taskkill, ['/T', '/F', '/PID', String(pid)], { windowsHide: true }, () => child.kill());
  await exitOf(child, grace);
}

function remember(pid: number, signal: NodeJS.Signals): void {
  if (leaders.size === 0) process.on('exit', endAll);
  leaders.set(pid, signal);
}

function forget(pid: number): void {
  leaders.delete(pid);
  if (leaders.size === 0) process.off('exit', endAll);
}
