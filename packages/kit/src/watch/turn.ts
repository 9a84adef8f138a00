import { yieldToEventLoop } from '../primitives/yield.ts';

const BUDGET_MS = 8;

/**
 * Work that is collected while events come in and done once per item, right after the turn of the event loop that
 * brought them; a long list is spread over several turns so that the loop is never blocked for long.
 */
export class TurnQueue<Item> {
  readonly #work: (item: Item, reasons: number) => void;
  readonly #items = new Map<Item, number>();
  #scheduled: NodeJS.Immediate | undefined;

  constructor(work: (item: Item, reasons: number) => void) {
    this.#work = work;
  }

  /** Adds an item; joins the reasons (bits) of an item that waits already. */
  add(item: Item, reasons: number): void {
    this.#items.set(item, (this.#items.get(item) ?? 0) | reasons);
    this.#scheduled ??= setImmediate(() => this.#run());
  }

  clear(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    this.#items.clear();
  }

  #run(): void {
    const until = performance.now() + BUDGET_MS;
    for (const [item, reasons] of this.#items) {
      this.#items.delete(item);
      this.#work(item, reasons);
      if (performance.now() > until) break;
    }
    this.#scheduled = this.#items.size === 0 ? undefined : setImmediate(() => this.#run());
  }
}

/** Yields to the event loop when one turn of it has worked for long. */
export class TurnBudget {
  #began: number | undefined;

  /** Resolves at once, or after everything else that waits. */
  async taken(): Promise<void> {
    if (this.#began === undefined) {
      this.#began = performance.now();
      setImmediate(() => {
        this.#began = undefined;
      });
    } else if (performance.now() - this.#began > BUDGET_MS) await yieldToEventLoop();
  }
}
