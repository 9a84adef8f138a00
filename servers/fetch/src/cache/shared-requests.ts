import { unlessAborted } from '@rootbound/kit/primitives';
/** Receives the progress of a response: bytes read, and the total if it is known. */
export type ProgressListener = (bytes: number, total: number | undefined) => void;

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ProgressListener | undefined;
}

interface SharedRequest<T> {
  readonly result: Promise<T>;
  readonly ending: AbortController;
  readonly listeners: Set<ProgressListener>;
  waiters: number;
}

/** Work that several callers share: the first caller starts it, and it is aborted when no caller waits any more. */
export class SharedRequests<T> {
  readonly #flights = new Map<string, SharedRequest<T>>();

  get count(): number {
    return this.#flights.size;
  }

  /**
   * Returns the result of the work with this key, started by `start` unless it is running; the signal ends only this
   * caller's wait.
   */
  async join(
    key: string,
    { signal, progress }: Waiting,
    start: (signal: AbortSignal, tell: ProgressListener) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#begin(key, start);
    flight.waiters++;
    if (progress !== undefined) flight.listeners.add(progress);
    try {
      return await (signal === undefined ? flight.result : unlessAborted(flight.result, signal));
    } finally {
      if (progress !== undefined) flight.listeners.delete(progress);
      flight.waiters--;
      if (flight.waiters === 0) this.#end(key, flight, signal?.reason);
    }
  }

  #begin(key: string, start: (signal: AbortSignal, tell: ProgressListener) => Promise<T>): SharedRequest<T> {
    const ending = new AbortController();
    const listeners = new Set<ProgressListener>();
    const tell: ProgressListener = (bytes, total) => {
      for (const listener of listeners) listener(bytes, total);
    };
    const result = start(ending.signal, tell);
    const flight: SharedRequest<T> = { result, ending, listeners, waiters: 0 };
    const land = () => this.#land(key, flight);
    result.then(land, land);
    this.#flights.set(key, flight);
    return flight;
  }

  #end(key: string, flight: SharedRequest<T>, reason: unknown): void {
    if (this.#flights.get(key) !== flight) return;
    this.#land(key, flight);
    flight.ending.abort(reason);
  }

  #land(key: string, flight: SharedRequest<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
