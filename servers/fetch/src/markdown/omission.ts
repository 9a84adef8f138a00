import { isBlank } from './characters.ts';
import type { Tally } from './removed-counts.ts';

/** Why an element is left out: it is hidden, it is a noscript, or it is never read. */
export type Reason = 'hidden' | 'noscript' | 'unread';

/** An element that is left out with its content; one at a time. */
export class Omission {
  readonly #tally: Tally;
  /** open elements inside it */
  #depth = 0;
  #reason: Reason = 'unread';
  #saysSomething = false;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** Whether the element is a noscript. */
  get isNoscript(): boolean {
    return this.#reason === 'noscript';
  }

  begin(reason: Reason): void {
    this.#depth = 1;
    this.#reason = reason;
    this.#saysSomething = false;
  }

  open(name: string): void {
    this.#depth += 1;
    if (name === 'img') this.#saysSomething = true;
  }

  text(data: string): void {
    if (this.#reason !== 'hidden' || isBlank(data)) return;
    this.#saysSomething = true;
    this.#tally.hiddenText += data.length;
  }

  close(): void {
    this.#depth -= 1;
    if (this.#depth === 0 && this.#reason === 'hidden' && this.#saysSomething) this.#tally.hidden += 1;
  }
}
