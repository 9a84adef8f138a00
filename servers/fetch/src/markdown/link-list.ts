import type { Link } from '../reading/reading.ts';

/** A list of links: each URL once for each place, with its first text and its number. */
export class LinkList {
  readonly #links = new Map<string, Link>();
  readonly #most: number;

  /** `most` limits the distinct links; further ones are left out. */
  constructor(most: number) {
    this.#most = most;
  }

  add(link: Link): void {
    const key = `${link.place} ${link.url}`;
    const known = this.#links.get(key);
    if (known === undefined && this.#links.size >= this.#most) return;
    const kept = known === undefined || (known.text === '' && link.text !== '') ? link : known;
    const times = known === undefined ? link.times : (known.times ?? 1) + (link.times ?? 1);
    this.#links.set(key, times === undefined ? kept : { ...kept, times });
  }

  all(): Link[] {
    return [...this.#links.values()];
  }
}
