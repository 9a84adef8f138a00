import { Ticker, type Ticking } from './http/ticker.ts';
import { Places } from './places.ts';

/** A connection of a listener. */
export interface Member extends Ticking {
  /** Lets what is in progress finish, then closes; resolves when it is gone. */
  drain(): Promise<void>;
  /** Cuts it off. */
  destroy(): void;
}

export interface RosterOptions {
  /** members at once */
  most: number;
  /** members of one owner */
  each: number;
  /** milliseconds between two looks at each member */
  every: number;
}

/** The open connections of one listener, up to the most that it may have. */
export class Roster {
  readonly #members = new Map<Member, string | undefined>();
  readonly #owned: Places;
  readonly #ticker: Ticker;
  #ending = false;

  constructor({ most, each, every }: RosterOptions) {
    this.#owned = new Places({ all: most, each });
    this.#ticker = new Ticker(every);
  }

  get size(): number {
    return this.#members.size;
  }

  /** Whether the listener has been asked to end. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Takes a place for a connection that may become a member, or tells of whom there are too many. */
  reserve(owner?: string): 'all' | 'each' | undefined {
    return this.#ending ? 'all' : this.#owned.take(owner);
  }

  /** Gives a place back that was taken and not used, or is used no more. */
  free(owner?: string): void {
    this.#owned.free(owner);
  }

  /** Adds a member, whose place has been reserved for its owner. */
  add(member: Member, owner?: string): void {
    this.#members.set(member, owner);
    this.#ticker.add(member);
  }

  /** Forgets a member and frees its place; a second time does nothing. */
  delete(member: Member): void {
    const owner = this.#members.get(member);
    if (!this.#members.delete(member)) return;
    this.#ticker.delete(member);
    this.free(owner);
  }

  /** Lets every member finish, and cuts off those that have not within `grace` milliseconds; nobody is added any more. */
  async end(grace: number): Promise<void> {
    this.#ending = true;
    const timer = setTimeout(() => {
      for (const member of this.#members.keys()) member.destroy();
    }, grace);
    await Promise.all([...this.#members.keys()].map((member) => member.drain()));
    clearTimeout(timer);
  }
}
