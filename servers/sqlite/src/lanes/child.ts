import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { guarded } from '@rootbound/kit/call';
import { defined } from '@rootbound/kit/primitives';
import { messageOf } from '../shared/error.ts';
import { frame, fromLane, HEADER_BYTES, toLane } from '../shared/frames.ts';
import { type LaneLimits, reservedForCode } from './limits.ts';

export interface ChildEvents {
  frame(kind: number, bytes: Buffer): void;
  /** the process has ended; no frame follows */
  gone(): void;
}

export interface ChildOptions {
  /** path of the built module of a lane */
  readonly file: string;
  readonly limits: LaneLimits;
  /** folder for SQLite's temporary files */
  readonly temporary: string;
}

/** A lane process and the frames sent to and received from it. */
export class Child {
  readonly #process: ChildProcess;
  #events: ChildEvents | undefined;
  #pieces: Buffer[] = [];
  #have = 0;
  #need = HEADER_BYTES;
  readonly #gone: Promise<void>;
  isGone = false;
  /** resolves when the driver is loaded; rejects with the stderr of a process that ended before */
  readonly ready: Promise<void>;

  constructor(options: ChildOptions) {
    const { command, args, environment } = commandOf(options);
    this.#process = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environment,
      windowsHide: true,
    });
    this.#setRef('unref');
    const { stdin, stdout, stderr } = this.#process;
    let errorText = '';
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      errorText = (errorText + text).slice(-MOST_STDERR);
    });
    const broken = (error: unknown): void => {
      errorText = messageOf(error);
      this.#process.kill('SIGKILL');
    };
    stdout?.on(
      'data',
      guarded((bytes: Buffer) => this.#take(bytes), broken),
    );
    // the exit reports the failure
    stdin?.on('error', () => {});
    let settle: { resolve: () => void; reject: (error: Error) => void };
    this.ready = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.ready.catch(() => {});
    this.#becameReady = () => settle.resolve();
    this.#gone = new Promise((resolve) => {
      const end = (): void => {
        if (this.isGone) return;
        this.isGone = true;
        settle.reject(new Error(errorText.trim() || 'the process for SQLite ended'));
        this.#events?.gone();
        resolve();
      };
      this.#process.once('close', end);
      this.#process.once('error', (error) => {
        errorText = error.message;
        end();
      });
    });
  }

  readonly #becameReady: () => void;

  get pid(): number | undefined {
    return this.#process.pid;
  }

  attach(events: ChildEvents): void {
    this.#events = events;
  }

  send(kind: number, parts: readonly (Buffer | string)[]): void {
    this.#process.stdin?.write(frame(kind, parts));
  }

  /** Stops reading, so that the process blocks on its next frame. */
  pause(): void {
    this.#process.stdout?.pause();
  }

  resume(): void {
    this.#process.stdout?.resume();
  }

  /** Keeps the server's process alive until this one has ended; by default it does not. */
  ref(): void {
    this.#setRef('ref');
  }

  #setRef(change: 'ref' | 'unref'): void {
    const { stdin, stdout, stderr } = this.#process;
    this.#process[change]();
    // pipes of child processes are sockets, which their types do not state
    for (const stream of [stdin, stdout, stderr]) (stream as Socket | null)?.[change]();
  }

  /** Kills the process; resolves when it has ended. */
  kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    return this.#gone;
  }

  /** Asks the process to close its database; resolves when it has ended. */
  end(): Promise<void> {
    this.send(toLane.leave, []);
    this.#process.stdin?.end();
    return this.#gone;
  }

  #take(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#have += bytes.length;
    while (this.#have >= this.#need) {
      const all = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#have);
      const end = HEADER_BYTES + all.readUInt32LE(0);
      if (all.length < end) {
        this.#pieces = [all];
        this.#need = end;
        return;
      }
      const rest = all.subarray(end);
      this.#pieces = rest.length === 0 ? [] : [rest];
      this.#have = rest.length;
      this.#need = HEADER_BYTES;
      this.#dispatch(all[4]!, all.subarray(HEADER_BYTES, end));
    }
  }

  #dispatch(kind: number, bytes: Buffer): void {
    if (kind === fromLane.ready) this.#becameReady();
    else this.#events?.frame(kind, bytes);
  }
}

/** Characters of stderr that are kept. */
const MOST_STDERR = 4096;
/** Flags that save memory: a lane needs no V8 worker threads and little heap. */
const nodeFlags = ['--v8-pool-size=0', '--max-old-space-size=96', '--max-semi-space-size=4'];

/** Returns the command of a lane: through a shell that sets resource limits, if there is one. */
function commandOf({ file, limits, temporary }: ChildOptions): {
  command: string;
  args: string[];
  environment: NodeJS.ProcessEnv;
} {
  const { PATH, SystemRoot, NODE_PATH } = process.env;
  const environment: NodeJS.ProcessEnv = {
    ...defined({ PATH, SystemRoot, NODE_PATH }),
    SQLITE_TMPDIR: temporary,
    TMPDIR: temporary,
    UV_THREADPOOL_SIZE: '1',
  };
  const node = [...nodeFlags, file];
  if (process.platform === 'win32' || limits.watchMemory)
    environment.ROOTBOUND_LANE_RSS = String(limits.memoryBytes);
  if (process.platform === 'win32') return { command: process.execPath, args: node, environment };
  const data = limits.watchMemory
    ? ''
    : `ulimit -d ${Math.floor((limits.memoryBytes + reservedForCode()) / 1024)} && `;
  // POSIX: ulimit -f counts blocks of 512 bytes
  const script = `${data}ulimit -f ${Math.floor(limits.fileBytes / 512)} && ulimit -c 0 && exec "$0" "$@"`;
  return { command: '/bin/sh', args: ['-c', script, process.execPath, ...node], environment };
}
