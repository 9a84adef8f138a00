import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const asRoot = process.getuid?.() === 0;
// an unprivileged user can be root in a user namespace, if the system allows it
const unshareFlags = [...(asRoot ? [] : ['-U', '-r']), '-m', '--propagation', 'private'];
const enterFlags = asRoot ? [] : ['-U', '--preserve-credentials'];

let mounts: boolean | undefined;

/** Returns whether this system allows a private mount namespace. */
export function canMount(): boolean {
  mounts ??=
    process.platform === 'linux' &&
    spawnSync('unshare', [...unshareFlags, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
  return mounts;
}

/** A private mount namespace, which is removed when it closes. */
export class Mounts {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  static async open(): Promise<Mounts> {
    // it exits when its input ends, at the latest with this process
    const command = [...unshareFlags, 'sh', '-c', 'echo ready; exec cat'];
    const holder = spawn('unshare', command, { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    return new Mounts(holder);
  }

  /** The command prefix that enters the namespace. */
  get entering(): readonly string[] {
    return ['nsenter', '-t', String(this.#holder.pid), ...enterFlags, '-m'];
  }

  /** Runs a program in the namespace. */
  run(...command: readonly string[]): void {
    const [program = '', ...args] = [...this.entering, ...command];
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** Mounts a file system in memory over a folder. */
  mountMemory(folder: string, options: string): void {
    this.run('mount', '-t', 'tmpfs', '-o', `${options},mode=755`, 'tmpfs', folder);
  }

  /** Returns the path by which this process reaches a file in the namespace. */
  at(path: string): string {
    return `/proc/${this.#holder.pid}/root${path}`;
  }

  async close(): Promise<void> {
    const ended = once(this.#holder, 'exit');
    this.#holder.stdin?.end();
    await ended;
  }
}
