import type { Hash } from 'node:crypto';
import type { Draft, Scope } from '@rootbound/kit/boundary';
import { BoundedMap } from '../bounded-map.ts';

/** The received part of a download, with all that is needed to continue it. */
export interface PartialDownload {
  readonly draft: Draft;
  /** of all bytes in the draft */
  readonly hash: Hash;
  /** the first bytes */
  readonly start: Buffer;
  /** identifies the file of which this is a part */
  readonly validator: string;
  /** length of the whole file, if its server gave it */
  readonly total: number | undefined;
  /** the URL that it came from, without its query */
  readonly origin: string;
}

/** Drafts that are kept at once. */
const COUNT = 16;

/** The parts that failed downloads have received, by owner and URL, for the life of the process. */
export class Drafts {
  readonly #kept: BoundedMap<PartialDownload>;
  readonly #waiting = new Set<PartialDownload>();
  #closed = false;

  /** `bytes` limits all drafts together. */
  constructor(bytes: number) {
    this.#kept = new BoundedMap({ count: COUNT, bytes }, (begun) => {
      if (this.#waiting.delete(begun)) begun.draft.discard();
    });
  }

  /** Keeps a part; returns false if there is no room for it, after it was discarded. */
  keep(owner: string, url: URL, begun: PartialDownload): boolean {
    this.#waiting.add(begun);
    if (!this.#closed && this.#kept.put(idOf(owner, url), owner, begun, begun.draft.bytes)) return true;
    this.#waiting.delete(begun);
    begun.draft.discard();
    return false;
  }

  /** Returns the part that is kept for a URL, if it fits this scope; the caller owns it from now on. */
  take(owner: string, url: URL, scope: Scope): PartialDownload | undefined {
    const id = idOf(owner, url);
    const begun = this.#kept.get(id);
    if (begun?.draft.fits(scope)) this.#waiting.delete(begun);
    else return this.drop(owner, url);
    this.#kept.delete(id);
    return begun;
  }

  /** Discards the part that is kept for a URL. */
  drop(owner: string, url: URL): undefined {
    this.#kept.delete(idOf(owner, url));
  }

  /** Discards all parts, and those that `keep` gets later. */
  close(): void {
    this.#closed = true;
    for (const { draft } of this.#waiting) draft.discard();
    this.#waiting.clear();
  }
}

function idOf(owner: string, { href }: URL): string {
  return JSON.stringify([owner, href]);
}
