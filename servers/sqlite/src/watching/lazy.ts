import type { Workspace } from '../workspace.ts';
import type { Watching, WatchingOptions } from './watching.ts';

/** Loads the watching of databases when a client first subscribes or lists. */
export class LazyWatching {
  readonly #options: WatchingOptions;
  #loading: Promise<Watching> | undefined;

  constructor(options: WatchingOptions) {
    this.#options = options;
  }

  load({ engine }: Workspace): Promise<Watching> {
    this.#loading ??= import('./watching.ts').then(({ Watching }) => new Watching(engine, this.#options));
    return this.#loading;
  }

  /** Checks again after the roots have changed, if watching is loaded. */
  lookAgain(): void {
    this.#loading?.then((watching) => watching.lookAgain(), this.#options.onError);
  }

  async close(): Promise<void> {
    if (this.#loading !== undefined) await (await this.#loading).close();
  }
}
