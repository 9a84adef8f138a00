/** An object that is called at regular intervals. */
export interface Ticking {
  tick(): void;
}

/** One timer for all open objects; it does not keep the process alive. */
export class Ticker {
  readonly #interval: number;
  readonly #members = new Set<Ticking>();
  #timer: NodeJS.Timeout | undefined;

  constructor(interval: number) {
    this.#interval = interval;
  }

  add(member: Ticking): void {
    this.#members.add(member);
    this.#timer ??= setInterval(() => {
      for (const each of this.#members) each.tick();
    }, this.#interval).unref();
  }

  delete(member: Ticking): void {
    if (!this.#members.delete(member) || this.#members.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
