import { BoundedMap, type Bounds } from '../bounded-map.ts';

const usual: Bounds = { count: 200_000, bytes: 32 * 1024 * 1024 };
/** Characters of the longest URL that the guard allows. */
const LONGEST = 2000;

/** The URLs that each owner has seen, within bounds; at a bound, the owner that uses most loses its oldest. */
export class SeenUrls {
  readonly #kept: BoundedMap<true>;

  constructor(bounds: Partial<Bounds> = {}) {
    this.#kept = new BoundedMap({ ...usual, ...bounds });
  }

  add(owner: string, address: string): void {
    if (address.length > LONGEST) return;
    const id = idOf(owner, address);
    this.#kept.put(id, owner, true, id.length);
  }

  has(owner: string, address: string): boolean {
    return this.#kept.get(idOf(owner, address)) ?? false;
  }
}

function idOf(owner: string, address: string): string {
  return JSON.stringify([owner, address]);
}
