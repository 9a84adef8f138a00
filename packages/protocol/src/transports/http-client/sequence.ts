/** How long later messages wait for the server to take in an earlier one. */
const TAKE_IN_MS = 5000;

/** Keeps notifications in order, and what is sent after them behind them, though each travels by itself. */
export class Sequence {
  #last: Promise<void> | undefined;

  /** Resolves when the server has taken in what was sent so far; undefined when there is nothing to wait for. */
  get last(): Promise<void> | undefined {
    return this.#last;
  }

  /** Does work, which must not reject, after what was sent so far. */
  take(work: () => Promise<void>): void {
    const before = this.#last;
    const taken = new Promise<void>((done) => {
      void (async () => {
        await before;
        const timer = setTimeout(done, TAKE_IN_MS);
        await work();
        clearTimeout(timer);
        done();
      })();
    });
    this.#last = taken;
    void taken.then(() => {
      if (this.#last === taken) this.#last = undefined;
    });
  }
}
