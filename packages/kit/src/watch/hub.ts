import { resolve } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import { Coverage } from './coverage.ts';
import { lineage, type Place, PlaceTree } from './place.ts';
import { isUnchanged, mayHideChange, type Snapshot, takeSnapshot } from './snapshot.ts';
import { POLL_MS, Source } from './source.ts';
import { type Subscriber, Target, type WatchKind } from './target.ts';
import { TurnQueue } from './turn.ts';

export type { WatchKind } from './target.ts';

export interface WatchHubOptions {
  /** how many distinct paths may be watched, 10,000 unless told */
  cap?: number;
  /** poll instead of using OS watches, for network mounts and the like */
  usePolling?: boolean;
  /** gets one line for what goes wrong in the background; nothing is thrown there */
  onError?: (error: Error) => void;
}

const DEFAULT_CAP = 10_000;

// why a place is looked at: bits, so that reasons that come together are joined
const NAMED = 1; // an event named this very path: something did happen to it
const SETTLE = 2; // a directory may have come, gone or moved
const REOPEN = 4; // its watch may be on a directory that is gone

// Linux drops events without a word to node once 16,384 wait; all that wait arrive in one turn of the loop
const OVERFLOW_SUSPECTED = 4_096;

/**
 * Tells when watched paths change, with one OS watch per directory however many watch in it. Only what is
 * watched, and the directories on the way to it, are looked at. Holds the process open while something is watched.
 * One hub per process: chokidar shares an OS watch between hubs, also one that has gone stale.
 * @example const stop = await hub.watch('/srv/data/notes.txt', 'file', () => send('/srv/data/notes.txt'));
 */
export class WatchHub {
  readonly #cap: number;
  readonly #onError: (error: Error) => void;
  readonly #tree = new PlaceTree();
  readonly #source: Source;
  readonly #coverage: Coverage;
  readonly #queue: TurnQueue<Place>;
  #size = 0;
  #closed = false;
  #eventsThisTurn = 0;
  #turnEnd: NodeJS.Immediate | undefined;

  constructor(options: WatchHubOptions = {}) {
    this.#cap = options.cap ?? DEFAULT_CAP;
    this.#onError = options.onError ?? (() => {});
    this.#source = new Source(options.usePolling ?? false, {
      onEntry: (directory, name, kind) => this.#onEntry(directory, name, kind),
      onPoll: (path) => this.#lookAgain(path),
      onBroken: (error) => this.#onBroken(error),
    });
    this.#queue = new TurnQueue((place, reasons) => this.#attend(place, reasons));
    this.#coverage = new Coverage(this.#source, (child) => this.#queue.add(child, SETTLE));
  }

  /** how many distinct paths are watched */
  get size(): number {
    return this.#size;
  }

  /** how many OS watches are held, one per directory */
  get nativeWatches(): number {
    return this.#source.held;
  }

  /**
   * Calls `changed` after every change of what `path` names, and resolves, with the way to stop, once no later
   * change can be missed. `path` is absolute, real, and allowed: the hub does not ask the boundary.
   */
  async watch(path: string, kind: WatchKind, changed: () => void): Promise<() => void> {
    const place = this.#admit(resolve(path));
    const target = place.target!;
    const subscriber: Subscriber = { kind, changed };
    target.subscribers.add(subscriber);
    const stop = (): void => {
      if (target.subscribers.delete(subscriber) && target.subscribers.size === 0)
        this.#release(place, target);
    };
    try {
      await this.#source.load();
    } catch (error) {
      stop();
      throw error;
    }
    if (this.#closed) throw new Error('the watch hub was closed');
    this.#cover(place);
    return stop;
  }

  /** Stops every watch; afterwards the hub holds nothing open and watches nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.clear();
    clearImmediate(this.#turnEnd);
    for (const place of this.#tree.all()) if (place.target) this.#release(place, place.target);
    await this.#source.close();
  }

  #admit(path: string): Place {
    if (this.#closed) throw new Error('the watch hub is closed');
    if (this.#tree.get(path)?.target === undefined && this.#size >= this.#cap) {
      throw new ToolError(`too many watched paths: ${this.#cap} at most`, {
        code: 'too-many-watches',
        retryable: true,
        hint: 'stop watching another path first, or watch the directory instead of its files',
      });
    }
    const place = this.#tree.ensure(path);
    if (place.target === undefined) {
      place.target = new Target(takeSnapshot(path), this.#onError);
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
    if (!settles && place.target?.owesCall) return;
    const now = this.#see(place, settles, (reasons & REOPEN) !== 0);
    if (place.target === undefined) return;
    if (settles) this.#pollWhereNeeded(place, place.target);
    this.#report(place.target, now, (reasons & NAMED) !== 0);
  }

  #see(place: Place, settles: boolean, reopen: boolean): Snapshot | undefined {
    if (this.#source.polls) return takeSnapshot(place.path);
    return settles ? this.#coverage.settle(place, reopen) : this.#coverage.look(place);
  }

  #report(target: Target, now: Snapshot | undefined, named: boolean): void {
    const before = target.snapshot;
    target.snapshot = now;
    // named but not there before and after: it came and went; named with equal stamps: believed when they are old
    const unseen = named && (before === undefined || mayHideChange(before));
    if (unseen || !isUnchanged(before, now)) target.announce();
  }

  #pollWhereNeeded(place: Place, target: Target): void {
    const gap = this.#source.polls ? undefined : this.#coverage.gap(place);
    if (gap === undefined && !this.#source.polls) {
      target.stopPolling?.();
      target.stopPolling = undefined;
    } else if (target.stopPolling === undefined) {
      if (gap) this.#tell(`${place.path} is polled, not watched: ${gap.message}`, gap);
      const stop = this.#source.poll(place.path);
      // polling begins with a look of its own, later than ours: whatever came in between shows in one more look
      const check = setTimeout(() => this.#lookAgain(place.path), 2 * POLL_MS);
      target.stopPolling = () => {
        clearTimeout(check);
        stop();
      };
    }
  }

  #lookAgain(path: string): void {
    const place = this.#tree.get(path);
    if (place) for (const step of lineage(place)) this.#queue.add(step, SETTLE);
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
    // a directory's own end and move come under its own name, which a child may have as well
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
