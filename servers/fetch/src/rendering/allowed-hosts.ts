/**
 * The hosts of requests that were allowed; connections to other hosts wait, because browsers connect before they
 * request.
 */
export class AllowedHosts {
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  open(key: string): void {
    if (this.#open.has(key)) return;
    this.#open.add(key);
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const go of waiting) go();
  }

  /** Calls back when connections to the host are allowed. */
  whenOpen(key: string, go: () => void): void {
    if (this.#open.has(key)) go();
    else this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), go]);
  }
}
