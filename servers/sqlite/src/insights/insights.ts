import { ToolError } from '@rootbound/protocol';

const MOST = 1_000;
const MOST_BYTES = 65_536;

/** Insights of each owner; they are lost when the server ends. */
export class Insights {
  readonly #kept = new Map<string, string[]>();
  readonly #listeners = new Map<string, Set<() => void>>();

  of(owner: string): readonly string[] {
    return this.#kept.get(owner) ?? [];
  }

  /** Stores an insight, notifies watchers of the owner, and returns the number of insights. */
  append(owner: string, insight: string): number {
    const kept = this.#kept.get(owner) ?? [];
    const bytes = kept.reduce((sum, one) => sum + Buffer.byteLength(one), Buffer.byteLength(insight));
    if (kept.length >= MOST || bytes > MOST_BYTES) {
      throw new ToolError(`the memo is full: ${MOST} insights or ${MOST_BYTES} bytes`, {
        code: 'memo-full',
        hint: 'read memo://insights and store the insights elsewhere',
      });
    }
    kept.push(insight);
    this.#kept.set(owner, kept);
    for (const changed of this.#listeners.get(owner) ?? []) changed();
    return kept.length;
  }

  /** Calls `changed` after each insight of this owner until the returned function is called. */
  watch(owner: string, changed: () => void): () => void {
    const listeners = this.#listeners.get(owner) ?? new Set();
    // a new function for each watch, since the same one may be given twice
    const listener = (): void => changed();
    this.#listeners.set(owner, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(owner) === listeners) this.#listeners.delete(owner);
    };
  }
}
