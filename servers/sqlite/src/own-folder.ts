import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^rootbound-sqlite-(\d+)-[A-Za-z0-9]{6}$/;

/** A new folder that only this user can enter; those of servers that were killed are removed on the way. */
export function makeOwnFolder(): string {
  const parent = realpathSync(tmpdir());
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && isLeft(join(parent, name), Number(pid))) removeFolder(join(parent, name));
  }
  return mkdtempSync(join(parent, `rootbound-sqlite-${process.pid}-`));
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** A day: a process that cannot be seen from here, as in a container, may still use its folder. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

function isLeft(path: string, pid: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.uid !== (process.getuid?.() ?? stat.uid)) return false;
  return Date.now() - stat.mtimeMs > LEFT_AFTER_MS && !runs(pid);
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
