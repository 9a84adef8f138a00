import { guarded } from '@rootbound/kit/call';
import { ToolError } from '@rootbound/protocol';
import type { VerbArgs, VerbFacts, VerbName } from '../lane/verbs.ts';
import type { Mode } from '../shared/frames.ts';
import { Child } from './child.ts';
import { Lane, type RunOptions, type SharedState } from './lane.ts';
import type { LaneLimits } from './limits.ts';
import type { LaneReply } from './reply.ts';

/** A database file as the boundary has seen it. */
export interface LaneTarget {
  /** absolute, without symbolic links */
  readonly real: string;
  readonly dev: string;
  readonly ino: string;
  /** whether its root may not be changed */
  readonly readOnly: boolean;
}

export interface LanesOptions {
  readonly file: string;
  readonly limits: LaneLimits;
  readonly temporary: string;
}

/** Lanes that stay open with nothing to do, and how long. */
const MOST_IDLE = 8;
const IDLE_MS = 60_000;

/** All lanes of a server: one process for each database and mode, and one in advance. */
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

  /** Starts the process that the next lane will take. */
  warm(): void {
    if (this.#closed || (this.#spare !== undefined && !this.#spare.isGone)) return;
    this.#spare = new Child(this.#options);
  }

  /** Runs a verb on a database, after the calls that came before it. */
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
    return reply as Promise<LaneReply<VerbFacts<V>>>; // what the verb of that name gives
  }

  /** A journal that somebody's writer left is rolled back by one that may write, and then the call is made again. */
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

  /** Whether a call that may change this database is under way. */
  isWriting(real: string): boolean {
    return this.#lanes.get(`write:${real}`)?.isBusy === true;
  }

  /** The processes that are open now, by database and mode; for those who measure and test. */
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
    // only one that may write takes away what SQLite keeps beside a database, and only when it is the last
    await Promise.all(closing('write'));
  }

  #laneOf(target: LaneTarget, mode: Mode): Lane {
    const { real, dev, ino, readOnly } = target;
    const identity = `${mode}:${real}`;
    const known = this.#lanes.get(identity);
    if (known?.isOf(dev, ino)) return known;
    // another file is there now: the old one is let go
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

  /** What is known of a database is kept while a lane of it is open. */
  #besidesOf(real: string): SharedState {
    const known = this.#besides.get(real) ?? { ownsSideFiles: false };
    this.#besides.set(real, known);
    return known;
  }

  #take(): Child {
    const spare = this.#spare !== undefined && !this.#spare.isGone ? this.#spare : new Child(this.#options);
    this.#spare = undefined;
    // the next one is made when this one is under way
    // where there can be none now, the next call makes its own, and says why it cannot
    const warm = guarded(
      () => this.warm(),
      () => {},
    );
    setTimeout(warm, SPARE_AFTER_MS).unref();
    return spare;
  }

  /** A writer was killed: what it has not committed is rolled back before anybody reads. */
  #recover(target: LaneTarget): void {
    if (this.#closed) return;
    const recovery = this.#laneOf(target, 'write')
      .recover()
      // whoever comes next is told what is wrong with the database
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

/** The database of a lane's key. */
function realOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}
