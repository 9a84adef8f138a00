import { Ticker, type Ticking } from './http/ticker.ts';
import { Slots } from './slots.ts';

/** A connection of a listener. */
export interface Member extends Ticking {
  /** Waits for requests in progress, then closes; resolves when it is closed. */
  drain(): Promise<void>;
  /** Closes it at once. */
  destroy(): void;
}

export interface RosterOptions {
  /** maximum number of members */
  most: number;
  /** maximum number of members of one owner */
  each: number;
  /** milliseconds between two checks of each member */
  every: number;
}

/** The open connections of one listener, up to its limit. */
export class Roster {
  readonly #members = new Map<Member, string | undefined>();
  readonly #owned: Slots;
  readonly #ticker: Ticker;
  #ending = false;

  constructor({ most, each, every }: RosterOptions) {
    this.#owned = new Slots({ all: most, each });
    this.#ticker = new Ticker(every);
  }

  get size(): number {
    return this.#members.size;
  }

  /** True if the listener is closing. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Takes a slot for a connection that may become a member, or returns the limit that is reached. */
  reserve(owner?: string): 'all' | 'each' | undefined {
    return this.#ending ? 'all' : this.#owned.take(owner);
  }

  /** Frees a slot. */
  free(owner?: string): void {
    this.#owned.free(owner);
  }

  /** Adds a member, whose slot is reserved for its owner. */
  add(member: Member, owner?: string): void {
    this.#members.set(member, owner);
    this.#ticker.add(member);
  }

  /** Removes a member and frees its slot; a second call does nothing. */
  delete(member: Member): void {
    const owner = this.#members.get(member);
    if (!this.#members.delete(member)) return;
    this.#ticker.delete(member);
    this.free(owner);
  }

  /** Drains every member, and closes those that have not finished within `grace` milliseconds; no more are added. */
  async end(grace: number): Promise<void> {
    this.#ending = true;
    const timer = setTimeout(() => {
      for (const member of this.#members.keys()) member.destroy();
    }, grace);
    await Promise.all([...this.#members.keys()].map((member) => member.drain()));
    clearTimeout(timer);
  }
}
