/** Takes in work in order, and holds it while the other side does not read what it already caused. */
export class Intake {
  readonly #congested: () => boolean;
  readonly #waiting: (() => void)[] = [];

  constructor(congested: () => boolean) {
    this.#congested = congested;
  }

  /** Whether something waits. */
  get holding(): boolean {
    return this.#waiting.length > 0;
  }

  /** Works now, or when the other side has read. */
  take(work: () => void): void {
    if (this.holding || this.#congested()) this.#waiting.push(work);
    else work();
  }

  /** Does what waits, as far as the other side reads. */
  release(): void {
    while (this.holding && !this.#congested()) this.#waiting.shift()!();
  }
}
