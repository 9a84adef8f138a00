import type { LiveOptions, LiveResources } from './live.ts';

/** The code that lists and watches resources, loaded at the first request of a client. */
export class LazyResources {
  readonly #options: LiveOptions;
  #loading: Promise<LiveResources> | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  load(): Promise<LiveResources> {
    this.#loading ??= import('./live.ts').then(({ LiveResources }) => new LiveResources(this.#options));
    return this.#loading;
  }

  /** Checks all watched resources after the roots have changed. */
  lookAgain(): void {
    this.#loading?.then((resources) => resources.lookAgain(), this.#options.onError);
  }

  async close(): Promise<void> {
    if (this.#loading !== undefined) await (await this.#loading).close();
  }
}
