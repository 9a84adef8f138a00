/** The most that all may have at once, and one owner of it. */
export interface PlaceLimits {
  readonly all: number;
  readonly each: number;
}

/** Places that are taken and given back, counted by owner; what has no owner counts among all alone. */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #owned = new Map<string, number>();
  #taken = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Takes a place, or tells of whom too many are taken. */
  take(owner: string | undefined): 'all' | 'each' | undefined {
    const owned = owner === undefined ? 0 : (this.#owned.get(owner) ?? 0);
    if (owned >= this.#limits.each) return 'each';
    if (this.#taken >= this.#limits.all) return 'all';
    this.#taken += 1;
    if (owner !== undefined) this.#owned.set(owner, owned + 1);
    return undefined;
  }

  free(owner: string | undefined): void {
    this.#taken -= 1;
    if (owner === undefined) return;
    const left = (this.#owned.get(owner) ?? 1) - 1;
    if (left > 0) this.#owned.set(owner, left);
    else this.#owned.delete(owner);
  }
}
