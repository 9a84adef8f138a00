import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { guarded } from '@rootbound/kit/call';
import { argumentsAt, type Command } from './command.ts';
import { type Environment, environmentOf, folderOf, type Variable } from './environment.ts';
import { notStarted, stopped } from './failure.ts';
import { endGroup, ownGroup, watchGroup } from './group.ts';
import type { Setting } from './settings.ts';
import { Tail } from './tail.ts';
import { verbs } from './verbs.ts';
import type { Place } from './work-place.ts';

/** The program that is run, and the source of its environment. */
export interface Executable {
  /** absolute path */
  readonly path: string;
  readonly environment: Environment;
  /** the operator's own, for runs as by hand */
  readonly byHand: Environment;
}

/** Limits in milliseconds. */
export interface Limits {
  /** without a byte of output */
  readonly idle: number;
  readonly total: number;
  /** from SIGTERM to SIGKILL */
  readonly grace: number;
  /** of silence after the end of git, while a process that it left behind holds its outputs open */
  readonly drain: number;
}

export interface WorkOptions {
  /** undefined only for commands without a repository: clone, init, version */
  readonly place?: Place | undefined;
  /** overrides every configuration file */
  readonly config?: readonly Setting[] | undefined;
  readonly environment?: Readonly<Partial<Record<Variable, string>>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onStderr?: ((chunk: Buffer) => void) | undefined;
  /** instead of the verb's */
  readonly limits?: Partial<Limits> | undefined;
}

/** The reason for which a process was ended early; `enough`: its output suffices. */
export type Stop = 'cancelled' | 'idle' | 'total' | 'enough';

/** The end of a process. */
export interface Ended {
  /** as a shell gives it: 128 and more for a signal */
  readonly status: number;
  readonly stop: Stop | undefined;
  /** the error for which it could not be started */
  readonly error: Error | undefined;
  readonly stderr: string;
}

/** One process of git: it has ended when it, its outputs, and where it was stopped its whole group are gone. */
export class Work {
  readonly limits: Limits;
  readonly ended: Promise<Ended>;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal | undefined;
  readonly #tail = new Tail();
  readonly #cancel = (): void => this.stop('cancelled');
  #settle!: (ended: Ended) => void;
  #quiet: NodeJS.Timeout | undefined;
  #spoke = false;
  readonly #total: NodeJS.Timeout | undefined;
  #exited = false;
  #stop: Stop | undefined;
  #ending: Promise<void> | undefined;

  /** `stdin`: its input, or that the owner writes it */
  constructor(
    program: Executable,
    command: Command,
    options: WorkOptions,
    stdin: Buffer | 'open' | undefined,
  ) {
    const { place, signal } = options;
    if (signal?.aborted === true) throw stopped(command.verb, 'cancelled', 0);
    const { idle, total } = verbs[command.verb];
    this.limits = { idle, total, grace: 2000, drain: 1000, ...options.limits };
    const cwd = folderOf(program, command, place);
    const written = stdin === 'open' || (stdin !== undefined && stdin.length > 0);
    try {
      this.#child = spawn(program.path, argumentsAt(command, place), {
        ...ownGroup,
        cwd,
        env: environmentOf(program, command, place, options),
        // never this process's: the stdin of a server is the connection to its client
        stdio: [written ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      throw notStarted(command.verb, error as NodeJS.ErrnoException);
    }
    this.stdin = this.#child.stdin;
    this.stdout = this.#child.stdout!;
    this.#signal = signal;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#listen(options.onStderr);
    // git may exit before it has read all; its status says whether that was right
    this.stdin?.on('error', () => undefined);
    if (stdin !== 'open') this.stdin?.end(stdin);
    this.heard();
    this.#total = timer(this.limits.total, () => this.stop('total'));
  }

  /** Restarts the limit of silence: output has come, or the reader is ready for more. */
  heard(): void {
    this.#spoke = true;
    if (this.#quiet !== undefined) this.#quiet.refresh();
    else this.#quiet = timer(this.#exited ? this.limits.drain : this.limits.idle, this.#hush);
  }

  /** Suspends the limit of silence: the reader is busy. */
  pause(): void {
    clearTimeout(this.#quiet);
    this.#quiet = undefined;
  }

  /** Ends the process and all its children. */
  stop(why: Stop): void {
    if (this.#ending !== undefined || (this.#exited && this.stdout.closed)) return;
    this.#stop = why;
    this.#ending = endGroup(this.#child, this.limits.grace).then(() => this.#abandonOutputs());
  }

  /** When the limit of silence has passed, looks once more for output, as a busy server may not have read it. */
  readonly #hush = (): void => {
    this.#spoke = false;
    setImmediate(() => {
      if (this.#spoke || this.#quiet === undefined) return;
      if (this.#exited) this.#abandonOutputs();
      else this.stop('idle');
    });
  };

  /** Closes the outputs, which a process that left the group may hold open for ever. */
  #abandonOutputs(): void {
    this.stdout.destroy();
    this.#child.stderr!.destroy();
  }

  #listen(onStderr: ((chunk: Buffer) => void) | undefined): void {
    const child = this.#child;
    watchGroup(child);
    this.#signal?.addEventListener('abort', this.#cancel, { once: true });
    // progress that cannot be parsed ends nothing
    const tellProgress = guarded(
      (chunk: Buffer) => onStderr?.(chunk),
      () => {},
    );
    child.stderr!.on('data', (chunk: Buffer) => {
      if (this.#quiet !== undefined) this.heard();
      this.#tail.add(chunk);
      tellProgress(chunk);
    });
    child.once('error', (error) => {
      if (child.pid === undefined) this.#end(1, error);
    });
    child.once('exit', () => {
      this.#exited = true;
      if (this.#quiet === undefined) return;
      this.pause();
      this.heard();
    });
    child.once('close', (code, signal) => {
      const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      if (this.#ending === undefined) this.#end(status);
      else void this.#ending.then(() => this.#end(status));
    });
  }

  #end(status: number, error?: Error): void {
    clearTimeout(this.#total);
    clearTimeout(this.#quiet);
    this.#signal?.removeEventListener('abort', this.#cancel);
    this.#settle({ status, stop: this.#stop, error, stderr: this.#tail.toString() });
  }
}

function timer(milliseconds: number, ring: () => void): NodeJS.Timeout | undefined {
  return Number.isFinite(milliseconds) ? setTimeout(ring, milliseconds) : undefined;
}
