import { randomUUID } from 'node:crypto';
import { BoundedMap, type Bounds } from '../bounded-map.ts';
import { withoutFragment } from '../url-fragment.ts';
import { type Snapshot, sizeOf, type Wish } from './page.ts';

/** A fetched page with a handle that stays the same when the page is fetched again. */
export interface Page {
  /** random, so that only clients that received it know it */
  readonly id: string;
  readonly owner: string;
  /** the snapshots that are kept, the newest first, each with another text */
  readonly snapshots: readonly Snapshot[];
}

export interface PageStoreOptions extends Partial<Bounds> {
  /** snapshots kept of one page, 3 unless given */
  readonly versions?: number | undefined;
  /** called with an owner when its list of pages changes */
  readonly changed?: ((owner: string) => void) | undefined;
}

interface Kept {
  readonly page: MutablePage;
  readonly snapshot: Snapshot;
}

interface MutablePage extends Page {
  snapshots: Snapshot[];
  readonly key: string;
}

const usual: Bounds = { count: 200, bytes: 64 * 1024 * 1024 };

/**
 * A store of pages by handle and by parameters, within bounds; each belongs to one owner and is invisible to others.
 */
export class PageStore {
  readonly #kept: BoundedMap<Kept>;
  readonly #versions: number;
  readonly #changed: (owner: string) => void;
  readonly #byId = new Map<string, MutablePage>();
  readonly #byKey = new Map<string, MutablePage>();

  constructor({ versions = 3, changed = () => {}, ...bounds }: PageStoreOptions = {}) {
    this.#kept = new BoundedMap({ ...usual, ...bounds }, (kept) => this.#forget(kept));
    this.#versions = versions;
    this.#changed = changed;
  }

  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * Stores a snapshot as the newest of its page. One with the same text replaces the one before; returns undefined if
   * the snapshot alone exceeds the bounds.
   */
  put(owner: string, snapshot: Snapshot): Page | undefined {
    const key = keyOf(owner, snapshot);
    const known = this.#byKey.get(key);
    const page = known ?? { id: newId(), owner, key, snapshots: [] };
    const size = sizeOf(snapshot);
    // added first, because making room may remove the last other snapshot and with it the page
    page.snapshots.unshift(snapshot);
    this.#byKey.set(key, page);
    this.#byId.set(page.id, page);
    if (!this.#kept.put(nameOf(page, snapshot), owner, { page, snapshot }, size)) {
      this.#forget({ page, snapshot });
      return undefined;
    }
    for (const old of page.snapshots.slice(this.#versions)) this.#kept.delete(nameOf(page, old));
    if (known === undefined) this.#changed(owner);
    return page;
  }

  /** Returns the page with this handle, if it belongs to this owner. */
  get(owner: string, id: string): Page | undefined {
    const page = this.#byId.get(id);
    return page?.owner === owner ? this.#use(page) : undefined;
  }

  /** Returns the page that was fetched with the same parameters. */
  find(owner: string, wish: Wish): Page | undefined {
    const page = this.#byKey.get(keyOf(owner, wish));
    return page && this.#use(page);
  }

  /** Returns the pages of an owner, in the order of their first fetch. */
  list(owner: string): readonly Page[] {
    return [...this.#byId.values()].filter((page) => page.owner === owner);
  }

  delete(owner: string, id: string): void {
    const page = this.#byId.get(id);
    if (page?.owner !== owner) return;
    for (const snapshot of [...page.snapshots]) this.#kept.delete(nameOf(page, snapshot));
  }

  /** Removes all pages of an owner, for instance when its connection ends. */
  clear(owner: string): void {
    this.#kept.clear(owner);
  }

  #use(page: MutablePage): Page {
    const [newest] = page.snapshots;
    if (newest !== undefined) this.#kept.get(nameOf(page, newest));
    return page;
  }

  #forget({ page, snapshot }: Kept): void {
    page.snapshots = page.snapshots.filter((one) => one !== snapshot);
    if (page.snapshots.length > 0) return;
    this.#byId.delete(page.id);
    this.#byKey.delete(page.key);
    this.#changed(page.owner);
  }
}

/** Returns the newest snapshot of a page. */
export function newestOf(page: Page): Snapshot {
  // a page is removed with its last snapshot
  return page.snapshots[0]!;
}

/** Returns the snapshot of a page with this hash. */
export function snapshotOf(page: Page, hash: string): Snapshot | undefined {
  return page.snapshots.find((snapshot) => snapshot.hash === hash);
}

/** The snapshot in which a caller continues that has seen a text with some hash. */
export interface Continued {
  readonly snapshot: Snapshot;
  /** the text that the caller has seen is no longer kept, so positions in it are invalid */
  readonly changed: boolean;
  /** the page has a newer text */
  readonly outdated: boolean;
}

/** Returns the snapshot with the hash that the caller has seen, else the newest one. */
export function continueIn(page: Page, hash?: string): Continued {
  const newest = newestOf(page);
  const seen = hash === undefined ? newest : snapshotOf(page, hash);
  return {
    snapshot: seen ?? newest,
    changed: seen === undefined,
    outdated: seen !== undefined && seen !== newest,
  };
}

function keyOf(owner: string, { url, want, selector, rendered }: Wish): string {
  return JSON.stringify([owner, withoutFragment(url), want, selector ?? null, rendered ?? false]);
}

function nameOf(page: Page, snapshot: Snapshot): string {
  return `${page.id} ${snapshot.hash}`;
}

/** Returns a random id of 122 bits; `randomUUID` takes them from a cache, unlike `randomBytes`. */
function newId(): string {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
}
