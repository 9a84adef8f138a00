/**
 * A value that is loaded at its first use; a load that failed is tried again at the next.
 * @example const engine = new Lazy(async () => new (await import('./engine.ts')).Engine());
 */
export class Lazy<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;
  #loaded: { readonly value: T } | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Loads the value, once. */
  load(): Promise<T> {
    if (this.#loading !== undefined) return this.#loading;
    const loading = this.#load();
    this.#loading = loading;
    loading.then(
      (value) => {
        this.#loaded = { value };
      },
      () => {
        this.#loading = undefined;
      },
    );
    return loading;
  }

  /** Calls `work` with the value: at once where it is loaded, otherwise after loading it. */
  use<R>(work: (value: T) => R): R | Promise<R> {
    return this.#loaded === undefined ? this.load().then(work) : work(this.#loaded.value);
  }

  /** Resolves to the value when a load that has begun ends; to undefined if none has begun, or it fails. */
  async settled(): Promise<T | undefined> {
    return this.#loading?.catch(() => undefined);
  }
}
