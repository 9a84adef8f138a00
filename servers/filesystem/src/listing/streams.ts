import type { Entry, OpenDirectory } from '@rootbound/kit/boundary';

/** A directory that is being read in its own order, and what was read ahead. */
export interface Stream {
  folder: OpenDirectory;
  entries: Generator<Entry, void>;
  /** which names, as byte strings, are left out */
  isHidden(name: string): boolean;
  ahead: Entry[];
  /** entries that pages have shown so far */
  given: number;
}

export interface StreamLimits {
  /** streams kept at once, over all owners; each holds two descriptors */
  count: number;
  perOwner: number;
}

/** Directories kept open between two pages; the least recently used ones are closed, and their readers skip again. */
export class Streams {
  readonly #limits: StreamLimits;
  readonly #kept = new Map<string, { owner: string; stream: Stream }>();
  // ids in cursors outlive the process, so they must not meet those of the next one
  readonly #prefix = Math.random().toString(36).slice(2, 10);
  #next = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  newId(): string {
    return `${this.#prefix}-${(this.#next++).toString(36)}`;
  }

  keep(owner: string, id: string, stream: Stream): void {
    const own = [...this.#kept].filter(([, kept]) => kept.owner === owner);
    if (own.length >= this.#limits.perOwner) this.#close(own[0]![0]);
    else if (this.#kept.size >= this.#limits.count) this.#close(this.#kept.keys().next().value!);
    this.#kept.set(id, { owner, stream });
  }

  /** The stream, which is the caller's from now on; undefined when it is gone or was never this owner's. */
  take(owner: string, id: string): Stream | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.owner !== owner) return undefined;
    this.#kept.delete(id);
    return kept.stream;
  }

  #close(id: string): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    if (kept !== undefined) closeStream(kept.stream);
  }
}

export function closeStream({ folder, entries }: Stream): void {
  entries.return();
  folder.close();
}
