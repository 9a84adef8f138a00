import { randomUUID } from 'node:crypto';
import { withoutFragment } from '../addresses.ts';
import { Bounded, type Bounds } from '../bounded.ts';
import { type Snapshot, sizeOf, type Wish } from './page.ts';

/** A page that was fetched, under a handle that stays while it is fetched again. */
export interface Page {
  /** cannot be guessed: whoever has it was given it */
  readonly id: string;
  readonly owner: string;
  /** what is kept of it, the newest first, each with a text of its own */
  readonly snapshots: readonly Snapshot[];
}

export interface PageStoreOptions extends Partial<Bounds> {
  /** snapshots kept of one page, 3 unless given */
  readonly versions?: number | undefined;
  /** hears the owner whose list of pages has become another */
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

/** Pages by handle and by what was wanted, within bounds; each belongs to one owner and is unknown to all others. */
export class PageStore {
  readonly #kept: Bounded<Kept>;
  readonly #versions: number;
  readonly #changed: (owner: string) => void;
  readonly #byId = new Map<string, MutablePage>();
  readonly #byKey = new Map<string, MutablePage>();

  constructor({ versions = 3, changed = () => {}, ...bounds }: PageStoreOptions = {}) {
    this.#kept = new Bounded({ ...usual, ...bounds }, (kept) => this.#forget(kept));
    this.#versions = versions;
    this.#changed = changed;
  }

  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * Keeps a snapshot as the newest of its page. One with the same text takes the place of the one before; undefined
   * when it alone is larger than the store.
   */
  put(owner: string, snapshot: Snapshot): Page | undefined {
    const key = keyOf(owner, snapshot);
    const known = this.#byKey.get(key);
    const page = known ?? { id: newId(), owner, key, snapshots: [] };
    const size = sizeOf(snapshot);
    // it comes first: making room for it may end the page's last snapshot, and with that the page
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

  /** The page with this handle, if it is this owner's. */
  get(owner: string, id: string): Page | undefined {
    const page = this.#byId.get(id);
    return page?.owner === owner ? this.#use(page) : undefined;
  }

  /** The page that was fetched for the same wish. */
  find(owner: string, wish: Wish): Page | undefined {
    const page = this.#byKey.get(keyOf(owner, wish));
    return page && this.#use(page);
  }

  /** An owner's pages, those fetched first at the beginning. */
  list(owner: string): readonly Page[] {
    return [...this.#byId.values()].filter((page) => page.owner === owner);
  }

  delete(owner: string, id: string): void {
    const page = this.#byId.get(id);
    if (page?.owner !== owner) return;
    for (const snapshot of [...page.snapshots]) this.#kept.delete(nameOf(page, snapshot));
  }

  /** Forgets all pages of an owner, as when its connection ends. */
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

/** The newest snapshot of a page. */
export function newestOf(page: Page): Snapshot {
  // holds: a page ends with its last snapshot
  return page.snapshots[0]!;
}

/** The snapshot of a page that has this hash. */
export function snapshotOf(page: Page, hash: string): Snapshot | undefined {
  return page.snapshots.find((snapshot) => snapshot.hash === hash);
}

/** Where a caller pages on that has seen a text with some hash. */
export interface Continued {
  readonly snapshot: Snapshot;
  /** the text it has seen is no longer kept, so what it reads now does not belong to that */
  readonly changed: boolean;
  /** the page has another text by now */
  readonly outdated: boolean;
}

/** The text that a caller has seen while it is kept, else the newest; the newest without a hash. */
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

/** 122 bits of chance, which `randomUUID` has at hand where `randomBytes` asks for them each time. */
function newId(): string {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
}
