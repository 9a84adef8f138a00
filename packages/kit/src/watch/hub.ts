import { resolve } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import { Coverage } from './coverage.ts';
import type { FileSystemType } from './network.ts';
import { MOST_POLLED } from './poller.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { Source } from './source.ts';
import { type Digest, type Subscriber, Target, type WatchKind } from './target.ts';
import { TurnBudget, TurnQueue } from './turn.ts';
import { lineage, type Place, PlaceTree } from './watched-path.ts';

export type { Digest, Seen, WatchKind } from './target.ts';

export interface WatchHubOptions {
  /** distinct paths that may be watched, 10,000 unless given */
  cap?: number;
  /** polls instead of using OS watches, for network mounts and the like */
  usePolling?: boolean;
  /** returns the number of a directory's file system; asks the OS unless given */
  fileSystemType?: FileSystemType;
  /** receives one line for each fault in the background; nothing is thrown there */
  onError?: (error: Error) => void;
}

export interface WatchOptions {
  /** compares contents */
  readonly digest?: Digest;
  /** for the server itself: does not count against the limit of others */
  readonly uncounted?: boolean;
}

const DEFAULT_CAP = 10_000;
/** Watched paths with the folders above them, for each path that may be watched: missing ones may be deep. */
const PLACES_EACH = 10;

// reasons for a look at a place, as bits, so that simultaneous reasons are joined
const NAMED = 1; // an event named this very path: it did change
const SETTLE = 2; // a directory may have appeared, vanished or moved
const REOPEN = 4; // its watch may be on a deleted directory

// Linux drops events without notice to Node once 16,384 wait; all waiting ones arrive in one turn of the loop
const OVERFLOW_SUSPECTED = 4_096;

/**
 * Reports changes of watched paths, with one OS watch per directory for all watchers in it. Looks only at watched paths
 * and the directories on the way to them. Keeps the process alive while something is watched. One hub per process:
 * chokidar shares an OS watch between hubs, also a stale one. @example const stop = await
 * hub.watch('/srv/data/notes.txt', 'file', () => send('/srv/data/notes.txt'));
 */
export class WatchHub {
  readonly #cap: number;
  readonly #onError: (error: Error) => void;
  readonly #tree = new PlaceTree();
  readonly #source: Source;
  readonly #coverage: Coverage;
  readonly #queue: TurnQueue<Place>;
  readonly #turnBudget = new TurnBudget();
  /** reasons for polling that were reported */
  readonly #notified = new Set<string>();
  #size = 0;
  #counted = 0;
  #closed = false;
  #eventsThisTurn = 0;
  #turnEnd: NodeJS.Immediate | undefined;

  constructor(options: WatchHubOptions = {}) {
    this.#cap = options.cap ?? DEFAULT_CAP;
    this.#onError = options.onError ?? (() => {});
    const { usePolling = false, fileSystemType } = options;
    this.#source = new Source(
      { usePolling, fileSystemType },
      {
        onEntry: (directory, name, kind) => this.#onEntry(directory, name, kind),
        onPoll: (path) => this.#lookAgain(path),
        onBroken: (error) => this.#onBroken(error),
      },
    );
    this.#queue = new TurnQueue((place, reasons) => this.#attend(place, reasons));
    this.#coverage = new Coverage(this.#source, (child) => this.#queue.add(child, SETTLE));
  }

  /** the number of distinct watched paths */
  get size(): number {
    return this.#size;
  }

  /** the number of OS watches, one per directory */
  get nativeWatches(): number {
    return this.#source.held;
  }

  /**
   * Calls `changed` after every change of the entry that `path` names, and resolves, with the function that stops it,
   * once no later change can be missed. `path` is absolute, real, and allowed: the hub does not ask the boundary. With
   * `digest` a change is another content, or its appearance and deletion; without it, any change of its facts.
   */
  async watch(
    path: string,
    kind: WatchKind,
    changed: () => void,
    { digest, uncounted = false }: WatchOptions = {},
  ): Promise<() => void> {
    const place = this.#admit(resolve(path), uncounted);
    const target = place.target!;
    const subscriber: Subscriber = { kind, changed, digest, uncounted };
    const before = target.counts;
    target.subscribers.add(subscriber);
    if (target.counts && !before) this.#counted += 1;
    const stop = (): void => {
      if (!target.subscribers.delete(subscriber)) return;
      if (!uncounted && !target.counts) this.#counted -= 1;
      if (target.subscribers.size === 0) this.#release(place, target);
    };
    try {
      await this.#source.load();
    } catch (error) {
      stop();
      throw error;
    }
    if (this.#closed) throw new Error('the watch hub was closed');
    this.#cover(place);
    if (target.deaf) {
      stop();
      throw tooMany('polled paths', MOST_POLLED);
    }
    target.settle();
    await this.#turnBudget.taken();
    return stop;
  }

  /** Looks at every watched path again: a mount over a directory comes without an event. */
  lookAgain(): void {
    this.#settleAll();
  }

  /** Stops every watch; afterwards the hub holds nothing open and watches nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.clear();
    clearImmediate(this.#turnEnd);
    for (const place of this.#tree.all()) if (place.target) this.#release(place, place.target);
    await this.#source.close();
  }

  #admit(path: string, uncounted: boolean): Place {
    if (this.#closed) throw new Error('the watch hub is closed');
    const isNew = !uncounted && this.#tree.get(path)?.target?.counts !== true;
    if (isNew && this.#counted >= this.#cap) throw tooMany('watched paths', this.#cap);
    if (isNew && this.#tree.size >= this.#cap * PLACES_EACH)
      throw tooMany('watched paths and folders above them', this.#cap * PLACES_EACH);
    const place = this.#tree.ensure(path);
    if (place.target === undefined) {
      const due = (named: boolean): void => this.#queue.add(place, named ? NAMED : 0);
      place.target = new Target(takeSnapshot(path), due, this.#onError);
      this.#size += 1;
    }
    return place;
  }

  #release(place: Place, target: Target): void {
    target.close();
    if (place.target !== target) return;
    place.target = undefined;
    this.#size -= 1;
    const above = this.#tree.prune(place);
    for (let up = above; up !== undefined; up = up.parent) this.#coverage.relax(up);
  }

  #cover(place: Place): void {
    for (const step of lineage(place)) {
      // a watched directory on the way reports for itself
      if (step === place || step.disarm === undefined) this.#attend(step, SETTLE);
    }
  }

  #attend(place: Place, reasons: number): void {
    if (this.#closed || !this.#tree.has(place)) return;
    const settles = (reasons & (SETTLE | REOPEN)) !== 0;
    const named = (reasons & NAMED) !== 0;
    if (!settles && place.target?.admits(named) === false) return;
    const now = this.#see(place, settles, (reasons & REOPEN) !== 0);
    if (place.target === undefined) return;
    if (settles) this.#pollWhereNeeded(place, place.target);
    if (!settles || place.target.admits(named)) place.target.see(now);
  }

  #see(place: Place, settles: boolean, reopen: boolean): Snapshot | undefined {
    if (this.#source.polls) return takeSnapshot(place.path);
    return settles ? this.#coverage.settle(place, reopen) : this.#coverage.look(place);
  }

  #pollWhereNeeded(place: Place, target: Target): void {
    const gap = this.#source.polls ? undefined : this.#coverage.gap(place);
    if (gap === undefined && !this.#source.polls) {
      target.stopPolling?.();
      target.stopPolling = undefined;
    } else if (target.stopPolling === undefined) {
      target.stopPolling = this.#source.poll(place.path);
      target.deaf = target.stopPolling === undefined;
      if (gap) this.#tellGap(place, gap, target.deaf);
    }
  }

  /** one line for each reason: a thousand paths of one network mount have one */
  #tellGap(place: Place, gap: NodeJS.ErrnoException, deaf: boolean): void {
    const reason = `${deaf ? 'deaf ' : ''}${gap.code ?? gap.message}`;
    if (this.#notified.has(reason)) return;
    this.#notified.add(reason);
    const how = deaf ? `not watched, for more than ${MOST_POLLED} paths are polled` : 'polled, not watched';
    this.#tell(`${place.path} is ${how}: ${gap.message}`, gap);
  }

  #lookAgain(path: string): void {
    const place = this.#tree.get(path);
    if (place === undefined) return;
    for (const step of lineage(place)) this.#queue.add(step, step === place ? SETTLE | NAMED : SETTLE);
  }

  #onEntry(directory: string, name: string | null, kind: 'rename' | 'change'): void {
    this.#eventsThisTurn += 1;
    this.#turnEnd ??= setImmediate(() => this.#endTurn());
    const place = this.#tree.get(directory);
    if (place === undefined) return;
    const reasons = kind === 'rename' ? SETTLE | REOPEN : 0;
    if (name === null) {
      this.#queue.add(place, SETTLE | REOPEN);
      return;
    }
    const child = place.children.get(name);
    if (child) this.#queue.add(child, reasons | NAMED);
    // a directory's own deletion and move are reported under its own name, which a child may have as well
    if (name === place.name) this.#queue.add(place, reasons);
    else if (place.target && kind === 'rename') this.#queue.add(place, NAMED);
  }

  #endTurn(): void {
    if (this.#eventsThisTurn >= OVERFLOW_SUSPECTED) this.#settleAll();
    this.#eventsThisTurn = 0;
    this.#turnEnd = undefined;
  }

  #onBroken(error: NodeJS.ErrnoException): void {
    this.#tell(`an OS watch broke and is taken again: ${error.message}`, error);
    this.#settleAll();
  }

  #settleAll(): void {
    for (const place of this.#tree.all()) this.#queue.add(place, SETTLE | REOPEN);
  }

  #tell(message: string, cause: Error): void {
    this.#onError(new Error(message, { cause }));
  }
}

function tooMany(what: string, most: number): ToolError {
  return new ToolError(`too many ${what}: ${most} at most`, {
    code: 'too-many-watches',
    retryable: true,
    hint: 'stop watching another path first, or watch the directory instead of its files',
  });
}
