/** The longest time that later messages wait until the server has received an earlier one, in milliseconds. */
const RECEIVE_TIMEOUT_MS = 5000;

/** Keeps notifications, and the messages after them, in order, although each has its own HTTP request. */
export class Sequence {
  #last: Promise<void> | undefined;

  /** Resolves when the server has received all messages so far; undefined if there is nothing to wait for. */
  get last(): Promise<void> | undefined {
    return this.#last;
  }

  /** Runs work, which must not reject, after the messages so far. */
  take(work: () => Promise<void>): void {
    const before = this.#last;
    const taken = new Promise<void>((done) => {
      void (async () => {
        await before;
        const timer = setTimeout(done, RECEIVE_TIMEOUT_MS);
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
