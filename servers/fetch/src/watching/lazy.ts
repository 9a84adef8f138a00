import type { Workspace } from '../workspace.ts';
import type { Watching, WatchingOptions } from './watching.ts';

/** Subscriptions, whose code is loaded when a client first subscribes. */
export class LazyWatching {
  readonly #options: WatchingOptions;
  #loading: Promise<Watching> | undefined;

  constructor(options: WatchingOptions) {
    this.#options = options;
  }

  async watch(uri: string, workspace: Workspace, changed: () => void): Promise<() => void> {
    this.#loading ??= import('./watching.ts').then(({ Watching }) => new Watching(this.#options));
    return (await this.#loading).watch(uri, workspace, changed);
  }

  async close(): Promise<void> {
    if (this.#loading !== undefined) (await this.#loading).close();
  }
}
