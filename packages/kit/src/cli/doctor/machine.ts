import { accessSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernelVerifies } from '../../boundary/kernel.ts';
import { type Allowance, readInotify } from './inotify.ts';
import { answers, type FileSystem, fileSystemOf } from './mounts.ts';

/** The facts of the machine that the checks look at. */
export interface Machine {
  /** without the leading `v` */
  node: string;
  platform: NodeJS.Platform;
  arch: string;
  /** the system's caps on watches of this user, where it has any */
  inotify: { watches: Allowance; instances: Allowance } | undefined;
  /** how many files this process may have open, where the system tells */
  openFiles: number | undefined;
  /** whether the kernel tells where a handle is */
  verifies: boolean;
  /** where temporary files go */
  temporary: string;
  /** whether this user has the rights of `mode` (as of `fs.access`) on a path */
  can(path: string, mode: number): boolean;
  /** what holds a path, where the system tells; asks nothing of what it holds */
  fileSystem(path: string): FileSystem | undefined;
  /** whether a path can be looked at within a few seconds */
  answers(path: string): boolean;
  /** whether a folder takes names that differ in case alone for one; undefined when nothing in it says so */
  foldsCase(path: string): boolean | undefined;
  /** why nothing can be put into a folder; undefined when it can */
  whyNotWritten(path: string): string | undefined;
}

/** The machine that this runs on. */
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

/** The code of a failure of `node:fs`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'; // node:fs throws errno errors
}

function can(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    // refused is the answer that was asked for
    return false;
  }
}

function readOpenFiles(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    // a system without /proc: nothing to say
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
    // what cannot be listed is told by the check of its rights
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
