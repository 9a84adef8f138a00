import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const asRoot = process.getuid?.() === 0;
// who is not root may be root of a namespace of users, where the system lets anyone make one
const unshareFlags = [...(asRoot ? [] : ['-U', '-r']), '-m', '--propagation', 'private'];
const enterFlags = asRoot ? [] : ['-U', '--preserve-credentials'];

let mounts: boolean | undefined;

/** Whether this system lets a process mount what nobody else sees. */
export function canMount(): boolean {
  mounts ??=
    process.platform === 'linux' &&
    spawnSync('unshare', [...unshareFlags, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
  return mounts;
}

/** Mounts that only the programs entered here see; they are gone when it closes. */
export class Mounts {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  static async open(): Promise<Mounts> {
    // it ends with its input, which ends with this process
    const command = [...unshareFlags, 'sh', '-c', 'echo ready; exec cat'];
    const holder = spawn('unshare', command, { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    return new Mounts(holder);
  }

  /** What goes before a command to run it among these mounts. */
  get entering(): readonly string[] {
    return ['nsenter', '-t', String(this.#holder.pid), ...enterFlags, '-m'];
  }

  /** Runs a program among these mounts. */
  run(...command: readonly string[]): void {
    const [program = '', ...args] = [...this.entering, ...command];
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** Mounts a file system in memory over a folder. */
  mountMemory(folder: string, options: string): void {
    this.run('mount', '-t', 'tmpfs', '-o', `${options},mode=755`, 'tmpfs', folder);
  }

  /** A path as it is seen among these mounts. */
  at(path: string): string {
    return `/proc/${this.#holder.pid}/root${path}`;
  }

  async close(): Promise<void> {
    const ended = once(this.#holder, 'exit');
    this.#holder.stdin?.end();
    await ended;
  }
}
