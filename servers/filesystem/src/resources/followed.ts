import type { Root, Scope } from '@rootbound/kit/boundary';
import { digestOfNames } from './digest.ts';
import { type ListedRoot, listNames } from './listing.ts';
import type { Watching } from './watching.ts';

export interface FollowOptions {
  readonly watching: Pick<Watching, 'watchRoot'>;
  /** checks whether a root was created or deleted */
  readonly lookAtRoots: () => void;
  /** called when the list of resources has changed */
  readonly changed: () => void;
  readonly onError: (error: unknown) => void;
}

interface Followed {
  readonly path: string;
  readonly stop: Promise<() => void>;
  /** its last listing; undefined for a root that is missing */
  listed: { scope: Scope; names: ListedRoot; digest: string } | undefined;
}

/** Maximum number of roots that are watched for the list of resources; the most recently listed ones are kept. */
const MOST_FOLLOWED = 100;
/** Least time between two checks of the list, in milliseconds; after a long check ten times its duration. */
const PAUSE_MS = 100;
const COST_SHARE = 10;

/** The roots that a client has listed, watched so that the client is notified when the list changes. */
export class FollowedRoots {
  readonly #options: FollowOptions;
  readonly #byPath = new Map<string, Followed>();
  readonly #changed = new Set<Followed>();
  #timer: NodeJS.Timeout | undefined;
  #nextLook = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Watches these real paths. Every change after it resolves is detected. */
  async follow(scope: Scope, paths: readonly string[]): Promise<void> {
    const started = paths.map((path) => this.#start(scope, path).stop);
    await Promise.allSettled(started);
  }

  /** Lists a root; an unchanged root is not read again. */
  async list(scope: Scope, root: Root): Promise<ListedRoot> {
    const followed = this.#byPath.get(root.real);
    const known = followed?.listed;
    const names = await listNames(scope, root, known?.scope === scope ? known.names : undefined);
    const digest = digestOfNames(names.names);
    // other clients have received the previous list
    if (known !== undefined && known.digest !== digest) this.#options.changed();
    if (followed) followed.listed = { scope, names, digest };
    return names;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const followed of this.#byPath.values()) this.#end(followed);
  }

  #start(scope: Scope, path: string): Followed {
    const known = this.#byPath.get(path);
    // reinserted at the end, since the order of the map is that of the last listing
    this.#byPath.delete(path);
    const followed = known ?? this.#watch(scope, path);
    this.#byPath.set(path, followed);
    const [oldest] = this.#byPath.values();
    if (this.#byPath.size > MOST_FOLLOWED && oldest) this.#end(oldest);
    return followed;
  }

  #watch(scope: Scope, path: string): Followed {
    const stop = this.#options.watching.watchRoot(scope, path, () => this.#scheduleLook(followed));
    const followed: Followed = { path, stop, listed: undefined };
    stop.catch((error: unknown) => {
      this.#byPath.delete(path);
      if (!this.#closed) this.#options.onError(error);
    });
    return followed;
  }

  #end(followed: Followed): void {
    this.#byPath.delete(followed.path);
    this.#changed.delete(followed);
    followed.stop.then(
      (stop) => stop(),
      () => {
        // the watch never started
      },
    );
  }

  #scheduleLook(followed: Followed): void {
    this.#changed.add(followed);
    if (this.#timer !== undefined || this.#closed) return;
    const pause = Math.max(0, this.#nextLook - performance.now());
    this.#timer = setTimeout(() => void this.#lookInTurn(), pause);
  }

  async #lookInTurn(): Promise<void> {
    const began = performance.now();
    try {
      await this.#look();
    } catch (error) {
      this.#options.onError(error);
    }
    const now = performance.now();
    this.#nextLook = Math.max(began + PAUSE_MS, now + COST_SHARE * (now - began));
    this.#timer = undefined;
    // changes during the check
    for (const followed of this.#changed) this.#scheduleLook(followed);
  }

  async #look(): Promise<void> {
    const waiting = [...this.#changed];
    this.#changed.clear();
    this.#options.lookAtRoots();
    for (const { listed } of waiting) {
      if (listed === undefined) continue;
      const { names } = await listNames(listed.scope, listed.names.root);
      const digest = digestOfNames(names);
      if (digest !== listed.digest && !this.#closed) this.#options.changed();
      listed.digest = digest;
    }
  }
}
