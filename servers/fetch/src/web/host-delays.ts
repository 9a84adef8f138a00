import { LruMap } from '@rootbound/kit/primitives';

const LONGEST_HOLD_MS = 3_600_000;
const LONGEST_DELAY_MS = 10_000;
const HOSTS = 2000;

/** The times at which each host may be requested again, by its Retry-After and the crawl delay of its robots.txt. */
export class HostDelays {
  readonly #held = new LruMap<string, number>(HOSTS);
  readonly #next = new LruMap<string, number>(HOSTS);

  /** Blocks requests to a host for a time, at most an hour. */
  hold(host: string, ms: number): void {
    const until = performance.now() + Math.min(ms, LONGEST_HOLD_MS);
    this.#held.set(host, Math.max(until, this.#held.get(host) ?? 0));
  }

  /** Returns the milliseconds that a host is still blocked. */
  heldMs(host: string): number {
    const until = this.#held.get(host);
    if (until === undefined) return 0;
    const left = until - performance.now();
    if (left > 0) return left;
    this.#held.delete(host);
    return 0;
  }

  /**
   * Returns the milliseconds to wait for the next slot of a host whose requests are so far apart, at most ten seconds.
   * Reserves the slot unless the wait is too long.
   */
  queue(host: string, delayMs: number, longestMs: number): number {
    const now = performance.now();
    const at = Math.max(now, this.#next.get(host) ?? 0);
    if (at - now <= longestMs) this.#next.set(host, at + Math.min(delayMs, LONGEST_DELAY_MS));
    return at - now;
  }
}
