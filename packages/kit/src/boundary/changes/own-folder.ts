import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a new folder for the files of this process, which only its user can enter, and removes those that killed
 * processes left there more than a day ago.
 *
 * @param name begins the names of such folders, for example `rootbound-git`
 * @param parent is the folder that holds them, by default the system's folder for temporary files
 */
export function makeOwnFolder(name: string, parent: string = tmpdir()): string {
  const real = realpathSync(parent);
  const begin = `${name}-`;
  for (const entry of readdirSync(real)) {
    const pid = entry.startsWith(begin) ? OF_PROCESS.exec(entry.slice(begin.length))?.[1] : undefined;
    if (pid !== undefined && isLeft(join(real, entry), Number(pid))) removeOwnFolder(join(real, entry));
  }
  return mkdtempSync(join(real, `${name}-${process.pid}-`));
}

/**
 * Removes such a folder with all that is in it; links in it are removed, and not followed. A later process
 * removes the rest.
 */
export function removeOwnFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // held open by another program, as it can be on Windows
  }
}

/** The suffix of the name: the process, and a part that makes the folder's name unique. */
const OF_PROCESS = /^(\d{1,10})-[A-Za-z0-9]{6}$/;
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
