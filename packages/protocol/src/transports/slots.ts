/** The maximum numbers in total and per owner. */
export interface SlotLimits {
  readonly all: number;
  readonly each: number;
}

/** Counts slots in total and per owner; without an owner only the total counts. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #owned = new Map<string, number>();
  #taken = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Takes a slot, or returns the limit that is reached. */
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
