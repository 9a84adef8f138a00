import type { WatchHub } from '@rootbound/kit/watch';
import type { Committed } from '../changes.ts';
import type { Observation } from '../lane/watching/watched-file.ts';
import type { WatchLane } from './lane.ts';
import { OwnCommits } from './own-commits.ts';

/** The changes that one subscriber is notified of. */
export interface Interest {
  /** any change, a schema change, or a change of these tables, in lower case */
  readonly of: 'anything' | 'schema' | ReadonlySet<string>;
  readonly changed: () => void;
}

export interface DatabaseOptions {
  /** absolute, without symbolic links */
  readonly path: string;
  readonly hub: Pick<WatchHub, 'watch'>;
  readonly lane: WatchLane;
  /** whether a call of this server that may change the database is running */
  readonly isWriting: () => boolean;
  /** longest time between checks, for changes without events, as on a network mount */
  readonly pollMs: () => number;
  readonly schemaChanged: () => void;
  readonly onError: (error: unknown) => void;
}

/** Pause between checks, ms; after a longer check the pause is as long as it. */
const PAUSE_MS = 4;
/** First pause before a commit under way is checked again, ms; it doubles each time. */
const SOON_MS = 3;
/** Most such checks, after which the journal is taken for that of a killed writer. */
const MOST_WAITS = 8;
/** Pause while a commit of this server may be seen before it is announced, ms. */
const HOLD_MS = 3;
const MOST_HOLDS = 20;

const sideFiles = ['', '-wal', '-journal'];

/** A database that is checked whenever its files change, and its subscribers. */
export class WatchedDatabase {
  readonly #options: DatabaseOptions;
  readonly #interests = new Set<Interest>();
  readonly #ownCommits = new OwnCommits();
  #stops: (() => void)[] = [];
  #watching: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  /** results of checks that were not reported yet */
  readonly #due: (() => void)[] = [];
  #holding: NodeJS.Timeout | undefined;
  #nextLook = 0;
  #waits = 0;
  #wasThere: boolean | undefined;
  #ended = false;
  /** number of users of this object */
  holders = 0;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** Adds a subscriber; resolves, with the views among its tables, when no later change can be missed. */
  async add(interest: Interest): Promise<{ views: readonly string[]; stop: () => void }> {
    this.#watching ??= this.#watchFiles();
    await this.#watching;
    const seen = await this.#inTurn(() => this.#settled(interest));
    this.#interests.add(interest);
    return { views: seen.views, stop: () => void this.#interests.delete(interest) };
  }

  /** Notifies subscribers of a commit of this server at once. */
  announce(committed: Committed): void {
    if (this.#interests.size === 0) return;
    this.#ownCommits.announce(committed, performance.now());
    this.#notify(new Set(committed.tables.map((table) => table.toLowerCase())), committed.schema, [
      ...this.#interests,
    ]);
    this.scheduleLook();
  }

  /** Schedules a check as soon as the pause allows. */
  readonly scheduleLook = (): void => {
    if (this.#timer !== undefined || this.#ended) return;
    const wait = Math.max(0, this.#nextLook - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#inTurn(() => this.#lookAgain()).catch((error: unknown) => {
        if (!this.#ended) this.#options.onError(error);
      });
    }, wait);
  };

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#poll);
    clearTimeout(this.#holding);
    for (const stop of this.#stops.splice(0)) stop();
    this.#options.lane.forget(this.#options.path);
  }

  async #watchFiles(): Promise<void> {
    const { hub, path } = this.#options;
    for (const end of sideFiles) {
      const stop = await hub.watch(path + end, 'file', this.scheduleLook);
      if (this.#ended) stop();
      else this.#stops.push(stop);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    // the caller of `work` gets its failure
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Checks the database for a new subscriber, again while a commit is under way. */
  async #settled(interest: Interest): Promise<Observation> {
    for (let waits = 0; ; waits++) {
      const seen = await this.#lookAgain(interest);
      if (seen.state !== 'waiting' || waits >= MOST_WAITS) return seen;
      await new Promise((resolve) => setTimeout(resolve, SOON_MS << waits));
    }
  }

  async #lookAgain(more?: Interest): Promise<Observation> {
    const { lane, path } = this.#options;
    clearTimeout(this.#poll);
    const { announced } = this.#ownCommits;
    const tables = new Set<string>();
    for (const { of } of more === undefined ? this.#interests : [...this.#interests, more])
      if (typeof of !== 'string') for (const table of of) tables.add(table);
    const began = performance.now();
    try {
      const seen = await lane.look(path, [...tables]);
      if (!this.#ended) this.#take(seen, announced);
      return seen;
    } finally {
      const ended = performance.now();
      this.#nextLook = ended + Math.max(PAUSE_MS, ended - began);
      if (!this.#ended) this.#poll = setTimeout(this.scheduleLook, this.#options.pollMs()).unref();
    }
  }

  #take(seen: Observation, announced: number): void {
    const interests = [...this.#interests];
    const isThere = seen.state !== 'gone';
    const isOther = this.#wasThere !== undefined && (seen.state === 'begun' || this.#wasThere !== isThere);
    if (seen.state !== 'waiting') this.#wasThere = isThere;
    this.#waits = seen.soon ? Math.min(this.#waits + 1, MOST_WAITS) : 0;
    if (seen.soon) setTimeout(this.scheduleLook, SOON_MS << this.#waits).unref();
    if (isOther) {
      this.#notifyAll(interests);
      return;
    }
    this.#due.push(() => this.#settle(seen, announced, interests));
    // in the order of the checks
    if (this.#holding === undefined) this.#settleDue(seen.state === 'same' ? 0 : MOST_HOLDS);
  }

  #settleDue(holds: number): void {
    this.#holding = undefined;
    if (holds > 0 && this.#options.isWriting())
      this.#holding = setTimeout(() => this.#settleDue(holds - 1), HOLD_MS);
    else for (const settle of this.#due.splice(0)) settle();
  }

  #settle(seen: Observation, announced: number, interests: readonly Interest[]): void {
    const mustNotify =
      seen.state === 'changed' &&
      !this.#ownCommits.covers(seen, performance.now(), this.#options.isWriting());
    if (mustNotify) this.#notify(new Set(seen.tables), seen.schema, interests);
    this.#ownCommits.settle(announced);
  }

  #notify(tables: ReadonlySet<string>, schema: boolean, interests: readonly Interest[]): void {
    for (const { of, changed } of interests) {
      const isConcerned =
        typeof of === 'string' ? of === 'anything' || schema : [...of].some((table) => tables.has(table));
      if (isConcerned) changed();
    }
    if (schema) this.#options.schemaChanged();
  }

  #notifyAll(interests: readonly Interest[]): void {
    for (const { changed } of interests) changed();
    this.#options.schemaChanged();
  }
}
