/** Runs work in order, and queues it while the other side does not read the responses to earlier work. */
export class Intake {
  readonly #congested: () => boolean;
  readonly #waiting: (() => void)[] = [];

  constructor(congested: () => boolean) {
    this.#congested = congested;
  }

  /** True if work is queued. */
  get holding(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs work now, or when the other side has read. */
  take(work: () => void): void {
    if (this.holding || this.#congested()) this.#waiting.push(work);
    else work();
  }

  /** Runs queued work while the other side reads. */
  release(): void {
    while (this.holding && !this.#congested()) this.#waiting.shift()!(); // not empty
  }
}
