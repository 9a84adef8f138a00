import type { Steps } from './steps.ts';
import { isUnseen, type TextSight } from './text-visibility.ts';

/** An open element. */
export interface OpenElement {
  readonly name: string;
  /** called at its end, and then removed */
  end: (() => void) | undefined;
  /** visibility of its text */
  readonly sight: TextSight;
  /** language of code inside it */
  readonly language: string | undefined;
}

const MOST_OPEN = 500;
/** number of innermost elements that are searched */
const MOST_WALKED = 64;

/** The open elements, the innermost last. */
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

  /** Whether following text is invisible. */
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

  /** Returns the innermost element of a name among the innermost elements. */
  find(name: string, among: number = MOST_WALKED): OpenElement | undefined {
    const last = Math.max(0, this.#open.length - among);
    for (let at = this.#open.length - 1; at >= last; at--) {
      this.#steps.count += 1;
      if (this.#open[at]!.name === name) return this.#open[at];
    }
    return undefined;
  }

  /** Ends the effect of the innermost element of a name, after a call of `before`. */
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
