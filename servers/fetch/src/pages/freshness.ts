import type { Page } from './page-store.ts';

/** The time until which each page is fresh by its response. */
export class Freshness {
  readonly #until = new WeakMap<Page, number>();

  /** Sets the seconds that a page is fresh from now. */
  note(page: Page, seconds: number): void {
    this.#until.set(page, Date.now() + seconds * 1000);
  }

  /** Returns the milliseconds that a page is fresh. */
  leftMs(page: Page): number {
    return Math.max(0, (this.#until.get(page) ?? 0) - Date.now());
  }
}
