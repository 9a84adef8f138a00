import { WebError } from '../failure.ts';
import type { Lifetime } from './lifetime.ts';

/** A limited number of places, which are given in the order of requests. */
class Places {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  /** number of requests that wait for a turn */
  coming = 0;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get idle(): boolean {
    return this.#taken === 0;
  }

  get full(): boolean {
    return this.#taken >= this.#limit;
  }

  take(lifetime: Lifetime): Promise<void> | undefined {
    if (!this.full) {
      this.#taken++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        forget();
        resolve();
      };
      // before `onOver`, which calls back at once if the lifetime has ended, and then has to find the entry
      this.#waiting.add(enter);
      const forget = lifetime.onOver((reason) => {
        this.#waiting.delete(enter);
        reject(reason);
      });
    });
  }

  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

export interface QueueLimits {
  readonly perHost: number;
  readonly total: number;
  /** most requests that may wait */
  readonly waiting: number;
  /** most of one host, equal to `waiting` unless given */
  readonly waitingPerHost?: number;
}

/** A limit on concurrent requests, for each host and in all; others wait in order. */
export class RequestQueue {
  readonly #limits: QueueLimits;
  readonly #all: Places;
  readonly #hosts = new Map<string, Places>();
  #waiting = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.#all = new Places(limits.total);
  }

  /** Waits for a turn at a host; the returned function ends the turn. */
  async take(host: string, lifetime: Lifetime): Promise<() => void> {
    lifetime.assertGoing();
    const places = this.#placesOf(host);
    this.#assertRoom(places);
    this.#waiting++;
    places.coming++;
    try {
      await places.take(lifetime);
      try {
        await this.#all.take(lifetime);
      } catch (error) {
        this.#give(host, places);
        throw error;
      }
    } finally {
      this.#waiting--;
      places.coming--;
      if (places.idle) this.#hosts.delete(host);
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#all.give();
      this.#give(host, places);
    };
  }

  #assertRoom(places: Places): void {
    if (!places.full && !this.#all.full) return;
    const { waiting, waitingPerHost = waiting } = this.#limits;
    if (this.#waiting < waiting && places.coming < waitingPerHost) return;
    throw new WebError(
      `${this.#waiting < waiting ? places.coming : this.#waiting} requests are waiting already`,
      {
        code: 'busy',
        retryable: true,
        hint: 'try again later',
      },
    );
  }

  #placesOf(host: string): Places {
    let places = this.#hosts.get(host);
    if (places === undefined) {
      places = new Places(this.#limits.perHost);
      this.#hosts.set(host, places);
    }
    return places;
  }

  #give(host: string, places: Places): void {
    places.give();
    if (places.idle) this.#hosts.delete(host);
  }
}
