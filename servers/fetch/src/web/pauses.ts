const LONGEST_HOLD_MS = 3_600_000;
const LONGEST_DELAY_MS = 10_000;
const HOSTS = 2000;

/** When each host may be asked again: after what it said with Retry-After, and as often as its robots.txt allows. */
export class Pauses {
  readonly #held = new Map<string, number>();
  readonly #next = new Map<string, number>();

  /** Leaves a host alone for a time, an hour at most. */
  hold(host: string, ms: number): void {
    const until = performance.now() + Math.min(ms, LONGEST_HOLD_MS);
    remember(this.#held, host, Math.max(until, this.#held.get(host) ?? 0));
  }

  /** How long a host is still to be left alone. */
  heldMs(host: string): number {
    const until = this.#held.get(host);
    if (until === undefined) return 0;
    const left = until - performance.now();
    if (left > 0) return left;
    this.#held.delete(host);
    return 0;
  }

  /**
   * How long to wait for the next place in a row of requests that are so far apart, ten seconds at most. Takes that
   * place unless the wait is too long.
   */
  queue(host: string, delayMs: number, longestMs: number): number {
    const now = performance.now();
    const at = Math.max(now, this.#next.get(host) ?? 0);
    if (at - now <= longestMs) remember(this.#next, host, at + Math.min(delayMs, LONGEST_DELAY_MS));
    return at - now;
  }
}

function remember(times: Map<string, number>, host: string, time: number): void {
  times.delete(host);
  times.set(host, time);
  if (times.size <= HOSTS) return;
  const [oldest] = times.keys();
  if (oldest !== undefined) times.delete(oldest);
}
