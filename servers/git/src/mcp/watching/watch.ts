import type { WatchHub } from '@rootbound/kit/watch';
import { Paths } from './path-set.ts';
import type { Look, PathKind } from './watched.ts';

export interface WatchOptions {
  readonly hub: Pick<WatchHub, 'watch'>;
  /** looks at the present state; a refusal is a state, too */
  readonly look: () => Promise<Look>;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds: git changes several files in sequence, and the look comes after them. */
const SETTLE_MS = 15;
/** Milliseconds between two looks; after a slow look, its duration. */
const PAUSE_MS = 25;
/** Milliseconds between polls, where the files are too many to be watched. */
const POLL_MS = 1_000;
const POLL_SHARE = 20;
/** Milliseconds until a path that changes all the time is looked at again. */
const MOST_ROUNDS = 4;

const noFiles: ReadonlyMap<string, PathKind> = new Map();

/** Watches the sources of one target, and notifies when reading it would return something else. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #subscribers = new Set<() => void>();
  readonly #paths: Paths;
  readonly #files: Paths;
  #turn: Promise<void> = Promise.resolve();
  #word: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #stirred = false;
  #nextLook = Number.NEGATIVE_INFINITY;
  #poll: NodeJS.Timeout | undefined;
  #polls = false;
  /** number of files that could not be watched */
  #tooMany = Number.POSITIVE_INFINITY;
  #ended = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#paths = new Paths(options.hub, this.#stir);
    this.#files = new Paths(options.hub, this.#stir, { uncounted: true });
  }

  /** number of subscribers */
  held = 0;

  /** resolves when no later change can be missed; changes before are not notified */
  async add(changed: () => void): Promise<() => void> {
    const looking = this.#turn.then(() => this.#lookAgain());
    // the subscriber receives the failure
    this.#turn = looking.catch(() => {});
    await looking;
    const subscriber = (): void => changed();
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#poll);
    this.#paths.close();
    this.#files.close();
  }

  readonly #stir = (): void => {
    this.#stirred = true;
    if (this.#timer !== undefined || this.#looking || this.#ended) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#turn = this.#turn
          .then(() => this.#lookAgain())
          .catch((error: unknown) => {
            if (!this.#ended) this.#options.onError(error);
          });
      },
      Math.max(SETTLE_MS, this.#nextLook - performance.now()),
    );
  };

  async #lookAgain(): Promise<void> {
    if (this.#ended) return;
    const began = performance.now();
    this.#looking = true;
    clearTimeout(this.#poll);
    try {
      this.#polls = true;
      const word = await this.#settle();
      const known = this.#word;
      this.#word = word;
      if (known !== undefined && known !== word && !this.#ended) this.#tell();
    } finally {
      const now = performance.now();
      const cost = now - began;
      this.#nextLook = now + Math.max(PAUSE_MS, cost);
      this.#looking = false;
      if (this.#stirred) this.#stir();
      // a look that failed is repeated, too
      if (this.#polls && !this.#ended)
        this.#poll = setTimeout(this.#stir, Math.max(POLL_MS, POLL_SHARE * cost));
    }
  }

  #tell(): void {
    for (const tell of [...this.#subscribers]) tell();
  }

  /** Looks until all its sources are watched. */
  async #settle(): Promise<string> {
    for (let round = 1; ; round++) {
      this.#stirred = false;
      const { word, paths, files } = await this.#options.look();
      const came = await this.#paths.follow(paths);
      const more = await this.#followFiles(files ?? noFiles);
      if ((!came && !more) || this.#ended) return word;
      if (round < MOST_ROUNDS) continue;
      this.#stirred = true;
      return word;
    }
  }

  async #followFiles(files: NonNullable<Look['files']>): Promise<boolean> {
    this.#polls = files === 'too many' || files.size >= this.#tooMany;
    if (files !== 'too many' && !this.#polls) {
      try {
        return await this.#files.follow(files);
      } catch {
        // more than the hub or the machine can watch
        this.#tooMany = files.size;
        this.#polls = true;
      }
    }
    this.#files.clear();
    return false;
  }
}
