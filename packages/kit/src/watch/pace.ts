const FREE_LOOKS = 4;
const PAUSE_MS = 5;
const QUIET_MS = 20;
/** a look that costs more is followed by a pause of ten times its duration, so that no path takes more than a tenth */
const COST_SHARE = 10;

/** The pace of looks at one path: the first looks of a burst at once, later ones with a pause in between. */
export class Pace {
  #lookedAt = Number.NEGATIVE_INFINITY;
  #pause = PAUSE_MS;
  #streak = 0;

  /** returns the milliseconds until the next look; zero or less when it may be now */
  left(): number {
    const since = performance.now() - this.#lookedAt;
    if (since > Math.max(QUIET_MS, this.#pause)) this.#streak = 0;
    return this.#streak < FREE_LOOKS ? 0 : this.#pause - since;
  }

  looked(): void {
    this.#streak += 1;
    this.#lookedAt = performance.now();
  }

  /** Records the duration of the last look. */
  cost(ms: number): void {
    this.#pause = Math.max(PAUSE_MS, COST_SHARE * ms);
  }
}
