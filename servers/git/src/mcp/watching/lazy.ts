import type { Watching, WatchingOptions } from './watching.ts';

/** The watcher of repositories, loaded when a client first subscribes or lists. */
export class LazyWatching {
  readonly #options: WatchingOptions;
  #loading: Promise<Watching> | undefined;

  constructor(options: WatchingOptions) {
    this.#options = options;
  }

  load(): Promise<Watching> {
    this.#loading ??= import('./watching.ts').then(({ Watching }) => new Watching(this.#options));
    return this.#loading;
  }

  /** Looks again after the roots have changed; without effect before it is loaded. */
  lookAgain(): void {
    this.#loading?.then((watching) => watching.lookAgain(), this.#options.onError);
  }

  async close(): Promise<void> {
    if (this.#loading !== undefined) await (await this.#loading).close();
  }
}
