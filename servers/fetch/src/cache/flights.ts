import { unlessAborted } from '@rootbound/kit/primitives';
/** Tells how far an answer has come: bytes read, and how many there will be where that is known. */
export type ProgressListener = (bytes: number, total: number | undefined) => void;

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ProgressListener | undefined;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly ending: AbortController;
  readonly listeners: Set<ProgressListener>;
  waiters: number;
}

/** Work that several may wait for: it begins with the first and is ended with the last who no longer wants it. */
export class Flights<T> {
  readonly #flights = new Map<string, Flight<T>>();

  get count(): number {
    return this.#flights.size;
  }

  /** The result of the work with this key, begun by `start` unless it is under way; a signal ends one's own waiting. */
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

  #begin(key: string, start: (signal: AbortSignal, tell: ProgressListener) => Promise<T>): Flight<T> {
    const ending = new AbortController();
    const listeners = new Set<ProgressListener>();
    const tell: ProgressListener = (bytes, total) => {
      for (const listener of listeners) listener(bytes, total);
    };
    const result = start(ending.signal, tell);
    const flight: Flight<T> = { result, ending, listeners, waiters: 0 };
    const land = () => this.#land(key, flight);
    result.then(land, land);
    this.#flights.set(key, flight);
    return flight;
  }

  #end(key: string, flight: Flight<T>, reason: unknown): void {
    if (this.#flights.get(key) !== flight) return;
    this.#land(key, flight);
    flight.ending.abort(reason);
  }

  #land(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
