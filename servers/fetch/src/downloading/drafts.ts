import type { Hash } from 'node:crypto';
import type { Draft, Scope } from '@rootbound/kit/boundary';
import { Bounded } from '../bounded.ts';

/** What has come of a download: enough to go on with it. */
export interface Begun {
  readonly draft: Draft;
  /** of all that is in the draft */
  readonly hash: Hash;
  /** the first bytes */
  readonly start: Buffer;
  /** tells the whole that this is a part of from what its address may be by then */
  readonly validator: string;
  /** of the whole, where its server said so */
  readonly total: number | undefined;
  /** the address that it came from, without its query */
  readonly origin: string;
}

/** Drafts that are kept at once. */
const COUNT = 16;

/** What downloads that failed have left, by owner and address, as long as the server runs. */
export class Drafts {
  readonly #kept: Bounded<Begun>;
  readonly #waiting = new Set<Begun>();
  #closed = false;

  /** `bytes` is what all drafts may have together. */
  constructor(bytes: number) {
    this.#kept = new Bounded({ count: COUNT, bytes }, (begun) => {
      if (this.#waiting.delete(begun)) begun.draft.discard();
    });
  }

  /** Keeps what has come; false where there is no room for it, and it is gone. */
  keep(owner: string, url: URL, begun: Begun): boolean {
    this.#waiting.add(begun);
    if (!this.#closed && this.#kept.put(idOf(owner, url), owner, begun, begun.draft.bytes)) return true;
    this.#waiting.delete(begun);
    begun.draft.discard();
    return false;
  }

  /** What is kept of an address and may become a file of this scope; the caller's from now on. */
  take(owner: string, url: URL, scope: Scope): Begun | undefined {
    const id = idOf(owner, url);
    const begun = this.#kept.get(id);
    if (begun?.draft.fits(scope)) this.#waiting.delete(begun);
    else return this.drop(owner, url);
    this.#kept.delete(id);
    return begun;
  }

  /** Removes what is kept of an address. */
  drop(owner: string, url: URL): undefined {
    this.#kept.delete(idOf(owner, url));
  }

  /** Removes all, also what comes later. */
  close(): void {
    this.#closed = true;
    for (const { draft } of this.#waiting) draft.discard();
    this.#waiting.clear();
  }
}

function idOf(owner: string, { href }: URL): string {
  return JSON.stringify([owner, href]);
}
