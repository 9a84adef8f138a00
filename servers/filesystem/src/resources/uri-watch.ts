import { linksTo, locate, type Scope } from '@rootbound/kit/boundary';
import type { WatchHub } from '@rootbound/kit/watch';
import { ToolError } from '@rootbound/protocol';
import { digestOf } from './digest.ts';

export interface UriWatchOptions {
  readonly hub: WatchHub;
  readonly scope: Scope;
  readonly uri: string;
  readonly changed: () => void;
  readonly onError: (error: Error) => void;
}

/** The real path of a URI, and the symbolic links on the way to it. */
interface ResolvedUri {
  readonly links: readonly string[];
  readonly path: string;
}

/** Watches the real path of a URI and the links on the way; when a link changes, it watches the new path. */
export class UriWatch {
  readonly #options: UriWatchOptions;
  #resolved: ResolvedUri;
  #stops: (() => void)[] = [];
  #turn: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(options: UriWatchOptions) {
    const { scope, uri } = options;
    this.#options = options;
    this.#resolved = { path: locate(scope, uri).path, links: linksTo(scope, uri) };
  }

  /** Starts the watches. Every change after it resolves is detected. */
  async start(): Promise<void> {
    const { hub, scope } = this.#options;
    const { links, path } = this.#resolved;
    try {
      for (const link of links) this.#keep(await hub.watch(link, 'file', () => this.#follow()));
      this.#keep(await hub.watch(path, 'any', () => this.#onChange(), { digest: digestOf(scope, path) }));
    } catch (error) {
      this.#release();
      throw error;
    }
    // a link that was changed before its watch started
    if (links.length > 0 && this.#hasMoved()) this.#follow();
  }

  readonly stop = (): void => {
    this.#ended = true;
    this.#release();
  };

  #keep(stop: () => void): void {
    if (this.#ended) stop();
    else this.#stops.push(stop);
  }

  #release(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #onChange(): void {
    if (this.#hasMoved()) this.#follow();
    else this.#options.changed();
  }

  #hasMoved(): boolean {
    const { links, path } = this.#resolve();
    return path !== this.#resolved.path || links.join('\0') !== this.#resolved.links.join('\0');
  }

  /** Returns the present links and path; while a link leads outside the roots or to a missing path, the last path. */
  #resolve(): ResolvedUri {
    const { scope, uri } = this.#options;
    const path = undefinedIfRefused(() => locate(scope, uri).path);
    const links = undefinedIfRefused(() => linksTo(scope, uri)) ?? [];
    return path === undefined && links.length === 0
      ? this.#resolved
      : { links, path: path ?? this.#resolved.path };
  }

  /** Watches the path to which the links lead now, then reports the change; changes are handled one at a time. */
  #follow(): void {
    this.#turn = this.#turn.then(() => this.#rewatch()).catch((error: Error) => this.#options.onError(error));
  }

  async #rewatch(): Promise<void> {
    if (this.#ended) return;
    const before = this.#stops.splice(0);
    this.#resolved = this.#resolve();
    try {
      await this.start();
    } finally {
      for (const stop of before) stop();
    }
    if (!this.#ended) this.#options.changed();
  }
}

function undefinedIfRefused<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
