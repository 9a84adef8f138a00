/** The changes of one commit of this server. */
export interface Committed {
  /** path of the database, absolute and without symbolic links */
  readonly real: string;
  /** tables whose rows or definitions were written */
  readonly tables: readonly string[];
  /** whether the schema was changed */
  readonly schema: boolean;
  /** number of committed transactions */
  readonly commits: number;
}

/** Notifies listeners of this server's own commits, synchronously. */
export class Changes {
  readonly #listeners = new Set<(committed: Committed) => void>();

  /** Calls the listener after every commit until the returned function is called. */
  on(listener: (committed: Committed) => void): () => void {
    const own = (committed: Committed): void => listener(committed);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  emit(committed: Committed): void {
    for (const listener of [...this.#listeners]) listener(committed);
  }
}
