import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a program is run. */
export interface Manner {
  /** its words go nowhere */
  readonly silent?: boolean;
  /** ends it */
  readonly signal?: AbortSignal;
}

/**
 * Runs a program in a folder with its words on stderr; true when it succeeded, false when not, when it was ended, or when
 * there is none.
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
    // the program is not there
    return false;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** Whether a folder is in a git repository already. */
export function isInRepository(folder: string): Promise<boolean> {
  return run('git', ['rev-parse', '--is-inside-work-tree'], folder, { silent: true });
}
