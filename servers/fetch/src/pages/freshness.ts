import type { Page } from './page-store.ts';

/** Until when each page is what its origin wants it to be taken for, unasked. */
export class Freshness {
  readonly #until = new WeakMap<Page, number>();

  /** An answer of now is fresh for so long. */
  note(page: Page, seconds: number): void {
    this.#until.set(page, Date.now() + seconds * 1000);
  }

  /** How long a page is still fresh, ms. */
  leftMs(page: Page): number {
    return Math.max(0, (this.#until.get(page) ?? 0) - Date.now());
  }
}
