/** Which hosts may be connected to: those of requests that were judged. Who comes sooner, as browsers do, waits. */
export class Openings {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  open(key: string): void {
    if (this.#open.has(key)) return;
    this.#open.add(key);
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const go of waiting) go();
  }

  /** Calls back at once, or when the host is opened. */
  whenOpen(key: string, go: () => void): void {
    if (this.#open.has(key)) go();
    else this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), go]);
  }
}
