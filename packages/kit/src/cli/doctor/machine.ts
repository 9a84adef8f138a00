import { accessSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernelVerifies } from '../../boundary/verifying/kernel.ts';
import { type Allowance, readInotify } from './inotify.ts';
import { answers, type FileSystem, fileSystemOf } from './mounts.ts';

/** The facts of the machine for the checks. */
export interface Machine {
  /** without the leading `v` */
  node: string;
  platform: NodeJS.Platform;
  arch: string;
  /** the system's limits on watches of this user, where it has any */
  inotify: { watches: Allowance; instances: Allowance } | undefined;
  /** open files that this process may have, where the system reports it */
  openFiles: number | undefined;
  /** whether the kernel reports the path of a handle */
  verifies: boolean;
  /** the folder for temporary files */
  temporary: string;
  /** whether this user has the rights of `mode` (as of `fs.access`) on a path */
  can(path: string, mode: number): boolean;
  /** the file system of a path, where the system reports it; does not access that file system */
  fileSystem(path: string): FileSystem | undefined;
  /** whether a path can be accessed within a few seconds */
  answers(path: string): boolean;
  /** whether a folder ignores the case of names; undefined when none of its names shows it */
  foldsCase(path: string): boolean | undefined;
  /** the reason why nothing can be created in a folder; undefined when it can */
  whyNotWritten(path: string): string | undefined;
}

/** The machine of this process. */
export function thisMachine(): Machine {
  const { platform, arch, versions } = process;
  return {
    node: versions.node,
    platform,
    arch,
    inotify: platform === 'linux' ? readInotify() : undefined,
    openFiles: platform === 'linux' ? readOpenFiles() : undefined,
    verifies: kernelVerifies(),
    temporary: tmpdir(),
    can,
    fileSystem: fileSystemOf,
    answers,
    foldsCase,
    whyNotWritten,
  };
}

/** Returns the code of a failure of `node:fs`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'; // node:fs throws errno errors
}

function can(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    // a refusal is the answer
    return false;
  }
}

function readOpenFiles(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    // a system without /proc has no answer
    return undefined;
  }
}

function foldsCase(path: string): boolean | undefined {
  try {
    const names = readdirSync(path);
    const known = new Set(names);
    for (const name of names) {
      const other = flipped(name);
      if (other !== name && !known.has(other)) return statSync(join(path, other), quiet) !== undefined;
    }
  } catch {
    // the check of its rights reports a folder that cannot be listed
  }
  return undefined;
}

const quiet = { throwIfNoEntry: false } as const;

function flipped(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}

function whyNotWritten(path: string): string | undefined {
  try {
    rmSync(mkdtempSync(join(path, 'rootbound-doctor-')), { recursive: true });
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}
