const FREE_LOOKS = 4;
const PAUSE_MS = 5;
const QUIET_MS = 20;
/** a look that costs more is followed by a pause of ten times as long, so that no path takes more than a tenth */
const COST_SHARE = 10;

/** How often one path is looked at: the first looks of a burst at once, later ones with a pause in between. */
export class Pace {
  #lookedAt = Number.NEGATIVE_INFINITY;
  #pause = PAUSE_MS;
  #streak = 0;

  /** how long to wait before the next look, in milliseconds; nothing or less when it may be now */
  left(): number {
    const since = performance.now() - this.#lookedAt;
    if (since > Math.max(QUIET_MS, this.#pause)) this.#streak = 0;
    return this.#streak < FREE_LOOKS ? 0 : this.#pause - since;
  }

  looked(): void {
    this.#streak += 1;
    this.#lookedAt = performance.now();
  }

  /** Takes in what the last look cost. */
  cost(ms: number): void {
    this.#pause = Math.max(PAUSE_MS, COST_SHARE * ms);
  }
}
