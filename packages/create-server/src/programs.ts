import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The way in which a program is run. */
export interface Manner {
  /** discards its output */
  readonly silent?: boolean;
  /** ends it */
  readonly signal?: AbortSignal;
}

/**
 * Runs a program in a folder with its output on stderr; returns whether it succeeded: false when it failed, was ended,
 * or does not exist.
 */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  { silent = false, signal }: Manner = {},
): Promise<boolean> {
  // npm is a script on Windows
  const shell = process.platform === 'win32';
  const output = silent ? 'ignore' : 2;
  const child = spawn(program, args, { cwd, shell, stdio: ['ignore', output, output] });
  const end = () => child.kill();
  signal?.addEventListener('abort', end);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0;
  } catch {
    // the program does not exist
    return false;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** Returns whether a folder is in a git repository. */
export function isInRepository(folder: string): Promise<boolean> {
  return run('git', ['rev-parse', '--is-inside-work-tree'], folder, { silent: true });
}
