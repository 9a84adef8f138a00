import type { Steps } from './steps.ts';
import { isUnseen, type TextSight } from './text-sight.ts';

/** An element that has begun. */
export interface OpenElement {
  readonly name: string;
  /** what is done at its end, until it is done */
  end: (() => void) | undefined;
  /** how its text can be seen */
  readonly sight: TextSight;
  /** what language code in it is in */
  readonly language: string | undefined;
}

const MOST_OPEN = 500;
/** how far from the innermost element others are looked for */
const MOST_WALKED = 64;

/** The elements that have begun and not ended, the innermost last. */
export class OpenElements {
  readonly #open: OpenElement[] = [];
  readonly #steps: Steps;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  get isFull(): boolean {
    return this.#open.length >= MOST_OPEN;
  }

  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  get inner(): OpenElement | undefined {
    return this.#open.at(-1);
  }

  /** Whether text that comes now cannot be seen. */
  get isUnseen(): boolean {
    const { inner } = this;
    return inner !== undefined && isUnseen(inner.sight);
  }

  push(element: OpenElement): void {
    this.#open.push(element);
  }

  pop(): OpenElement | undefined {
    return this.#open.pop();
  }

  /** The innermost element of a name, among so many of the innermost ones. */
  find(name: string, among: number = MOST_WALKED): OpenElement | undefined {
    const last = Math.max(0, this.#open.length - among);
    for (let at = this.#open.length - 1; at >= last; at--) {
      this.#steps.count += 1;
      if (this.#open[at]!.name === name) return this.#open[at];
    }
    return undefined;
  }

  /** Does now what the innermost element of a name does at its end, and calls back before. */
  cease(name: string, before: () => void): void {
    const last = Math.max(0, this.#open.length - MOST_WALKED);
    for (let at = this.#open.length - 1; at >= last; at--) {
      this.#steps.count += 1;
      const element = this.#open[at]!;
      if (element.name !== name || element.end === undefined) continue;
      before();
      element.end();
      element.end = undefined;
      return;
    }
  }
}
