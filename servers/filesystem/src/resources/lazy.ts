import type { LiveOptions, LiveResources } from './live.ts';

/** What lists and watches resources, loaded when a client first asks for it. */
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

  /** The roots are others than before; what is not loaded has nothing to look at. */
  lookAgain(): void {
    this.#loading?.then((resources) => resources.lookAgain(), this.#options.onError);
  }

  async close(): Promise<void> {
    if (this.#loading !== undefined) await (await this.#loading).close();
  }
}
