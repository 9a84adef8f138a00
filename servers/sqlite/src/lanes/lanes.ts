import { guarded } from '@rootbound/kit/call';
import { ToolError } from '@rootbound/protocol';
import type { VerbArgs, VerbFacts, VerbName } from '../lane/verbs.ts';
import type { Mode } from '../shared/frames.ts';
import { Child } from './child.ts';
import { Lane, type RunOptions, type SharedState } from './lane.ts';
import type { LaneLimits } from './limits.ts';
import type { LaneReply } from './reply.ts';

/** A database file as the boundary verified it. */
export interface LaneTarget {
  /** absolute, without symbolic links */
  readonly real: string;
  readonly dev: string;
  readonly ino: string;
  /** whether its root is read-only */
  readonly readOnly: boolean;
}

export interface LanesOptions {
  readonly file: string;
  readonly limits: LaneLimits;
  readonly temporary: string;
}

/** Most idle lanes that stay open, and how long. */
const MOST_IDLE = 8;
const IDLE_MS = 60_000;

/** The lanes of a server: one process for each database and mode, and a spare one. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #besides = new Map<string, SharedState>();
  readonly #recoveries = new Map<string, Promise<void>>();
  #spare: Child | undefined;
  #sweeping: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Starts the spare process for the next lane. */
  warm(): void {
    if (this.#closed || (this.#spare !== undefined && !this.#spare.isGone)) return;
    this.#spare = new Child(this.#options);
  }

  /** Runs a verb on a database after earlier calls. */
  run<V extends VerbName>(
    target: LaneTarget,
    mode: Mode,
    verb: V,
    args: VerbArgs<V>,
    options: RunOptions = {},
  ): Promise<LaneReply<VerbFacts<V>>> {
    const recovery = this.#recoveries.get(target.real);
    const running =
      recovery === undefined
        ? this.#laneOf(target, mode).run(verb, args, options)
        : recovery.then(() => this.#laneOf(target, mode).run(verb, args, options));
    const reply =
      mode === 'read' && !target.readOnly
        ? running.catch((error: unknown) => this.#retry(error, target, verb, args, options))
        : running;
    return reply as Promise<LaneReply<VerbFacts<V>>>; // the result type of the verb
  }

  /** Retries a read after a writing lane has rolled back the journal of another program's killed writer. */
  async #retry(
    error: unknown,
    target: LaneTarget,
    verb: string,
    args: unknown,
    options: RunOptions,
  ): Promise<LaneReply<unknown>> {
    if (!(error instanceof ToolError) || error.code !== 'hot-journal') throw error;
    await this.#laneOf(target, 'write').recover();
    return this.#laneOf(target, 'read').run(verb, args, options);
  }

  /** Returns whether a call that may change this database is running. */
  isWriting(real: string): boolean {
    return this.#lanes.get(`write:${real}`)?.isBusy === true;
  }

  /** The open processes by database and mode, for measurements and tests. */
  processes(): readonly { real: string; mode: Mode; pid: number }[] {
    return [...this.#lanes].flatMap(([key, { pid, mode }]) =>
      pid === undefined ? [] : [{ real: realOf(key), mode, pid }],
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeping);
    const lanes = [...this.#lanes.values()];
    this.#lanes.clear();
    const closing = (mode: Mode): Promise<void>[] =>
      lanes.filter((lane) => lane.mode === mode).map((lane) => lane.close());
    await Promise.all([...closing('read'), this.#spare?.kill()]);
    // only the last connection, if it may write, removes SQLite's side files
    await Promise.all(closing('write'));
  }

  #laneOf(target: LaneTarget, mode: Mode): Lane {
    const { real, dev, ino, readOnly } = target;
    const identity = `${mode}:${real}`;
    const known = this.#lanes.get(identity);
    if (known?.isOf(dev, ino)) return known;
    // another file has replaced the database: close the lane of the old one
    void known?.close();
    const { deadlineMs, busyMs, fileBytes } = this.#options.limits;
    const lane = new Lane({
      opening: { path: real, dev, ino, mode, readOnly, busyMs, mostBytes: fileBytes },
      deadlineMs,
      shared: this.#besidesOf(real),
      start: () => this.#take(),
      onKilled: () => this.#recover(target),
    });
    this.#lanes.set(identity, lane);
    this.#sweeping ??= setInterval(() => this.#sweep(), IDLE_MS / 4).unref();
    return lane;
  }

  /** Returns the shared state of a database, kept while one of its lanes is open. */
  #besidesOf(real: string): SharedState {
    const known = this.#besides.get(real) ?? { ownsSideFiles: false };
    this.#besides.set(real, known);
    return known;
  }

  #take(): Child {
    const spare = this.#spare !== undefined && !this.#spare.isGone ? this.#spare : new Child(this.#options);
    this.#spare = undefined;
    // the next spare is started when this one is busy; if that fails, the next call starts its own and reports the
    // failure
    const warm = guarded(
      () => this.warm(),
      () => {},
    );
    setTimeout(warm, SPARE_AFTER_MS).unref();
    return spare;
  }

  /** Rolls back the changes of a killed writer before other calls read. */
  #recover(target: LaneTarget): void {
    if (this.#closed) return;
    const recovery = this.#laneOf(target, 'write')
      .recover()
      // the next call reports the failure
      .catch(() => {})
      .finally(() => this.#recoveries.delete(target.real));
    this.#recoveries.set(target.real, recovery);
  }

  #sweep(): void {
    const idle = [...this.#lanes]
      .filter(([, lane]) => !lane.isBusy)
      .sort(([, a], [, b]) => b.usedAt - a.usedAt);
    const now = performance.now();
    for (const [index, [key, lane]] of idle.entries()) {
      if (index < MOST_IDLE && now - lane.usedAt < IDLE_MS) continue;
      this.#lanes.delete(key);
      void lane.close();
    }
    const open = new Set([...this.#lanes.keys()].map(realOf));
    for (const real of this.#besides.keys()) if (!open.has(real)) this.#besides.delete(real);
  }
}

const SPARE_AFTER_MS = 100;

/** Returns the database of a lane's key. */
function realOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}
