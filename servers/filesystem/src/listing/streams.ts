import type { Entry, OpenDirectory } from '@rootbound/kit/boundary';

/** A directory that is read in its own order, and the entries that were read ahead. */
export interface DirectoryStream {
  folder: OpenDirectory;
  entries: Generator<Entry, void>;
  /** Returns whether a name, as a byte string, is omitted. */
  isHidden(name: string): boolean;
  ahead: Entry[];
  /** number of entries on the pages so far */
  returned: number;
}

export interface StreamLimits {
  /** open streams of all owners; each uses two descriptors */
  count: number;
  perOwner: number;
}

/** Directories that stay open between two pages. The least recently used one is closed, and its next page reads again. */
export class DirectoryStreams {
  readonly #limits: StreamLimits;
  readonly #kept = new Map<string, { owner: string; stream: DirectoryStream }>();
  // cursors outlive the process, so ids must differ from those of the next process
  readonly #prefix = Math.random().toString(36).slice(2, 10);
  #next = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  newId(): string {
    return `${this.#prefix}-${(this.#next++).toString(36)}`;
  }

  keep(owner: string, id: string, stream: DirectoryStream): void {
    const own = [...this.#kept].filter(([, kept]) => kept.owner === owner);
    if (own.length >= this.#limits.perOwner) this.#close(own[0]![0]);
    else if (this.#kept.size >= this.#limits.count) this.#close(this.#kept.keys().next().value!);
    this.#kept.set(id, { owner, stream });
  }

  /** Removes and returns a stream, which the caller closes; undefined if it was closed or has another owner. */
  take(owner: string, id: string): DirectoryStream | undefined {
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

export function closeStream({ folder, entries }: DirectoryStream): void {
  entries.return();
  folder.close();
}
