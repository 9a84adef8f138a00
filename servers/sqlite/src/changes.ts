/** What a commit of this server has changed. */
export interface Committed {
  /** the database: absolute, without symbolic links */
  readonly real: string;
  /** the tables whose rows or definitions it wrote */
  readonly tables: readonly string[];
  /** whether the schema is another one */
  readonly schema: boolean;
  /** how many transactions were committed */
  readonly commits: number;
}

/** Tells of this server's own commits, at once. */
export class Changes {
  readonly #listeners = new Set<(committed: Committed) => void>();

  /** Calls the listener at every commit until what it gives is called. */
  on(listener: (committed: Committed) => void): () => void {
    const own = (committed: Committed): void => listener(committed);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  emit(committed: Committed): void {
    for (const listener of [...this.#listeners]) listener(committed);
  }
}
