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

/** The links by which a URI leads to a real path, and that path. */
interface Way {
  readonly links: readonly string[];
  readonly path: string;
}

/** Watches what a URI names and the links on the way: when one comes or leads elsewhere, that is watched instead. */
export class UriWatch {
  readonly #options: UriWatchOptions;
  #way: Way;
  #stops: (() => void)[] = [];
  #turn: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(options: UriWatchOptions) {
    const { scope, uri } = options;
    this.#options = options;
    this.#way = { path: locate(scope, uri).path, links: linksTo(scope, uri) };
  }

  /** Resolves when no later change can be missed. */
  async start(): Promise<void> {
    const { hub, scope } = this.#options;
    const { links, path } = this.#way;
    try {
      for (const link of links) this.#keep(await hub.watch(link, 'file', () => this.#follow()));
      this.#keep(await hub.watch(path, 'any', () => this.#note(), { digest: digestOf(scope, path) }));
    } catch (error) {
      this.#release();
      throw error;
    }
    // a link that was turned before its watch was live
    if (links.length > 0 && this.#leadsElsewhere()) this.#follow();
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

  #note(): void {
    if (this.#leadsElsewhere()) this.#follow();
    else this.#options.changed();
  }

  #leadsElsewhere(): boolean {
    const { links, path } = this.#wayNow();
    return path !== this.#way.path || links.join('\0') !== this.#way.links.join('\0');
  }

  /** While a link leads outside, or to what is not there, the place where it led last is kept. */
  #wayNow(): Way {
    const { scope, uri } = this.#options;
    const path = orNone(() => locate(scope, uri).path);
    const links = orNone(() => linksTo(scope, uri)) ?? [];
    return path === undefined && links.length === 0 ? this.#way : { links, path: path ?? this.#way.path };
  }

  /** Goes where the links lead now, one change after the other, and then tells of it. */
  #follow(): void {
    this.#turn = this.#turn.then(() => this.#again()).catch((error: Error) => this.#options.onError(error));
  }

  async #again(): Promise<void> {
    if (this.#ended) return;
    const before = this.#stops.splice(0);
    this.#way = this.#wayNow();
    try {
      await this.start();
    } finally {
      for (const stop of before) stop();
    }
    if (!this.#ended) this.#options.changed();
  }
}

function orNone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
