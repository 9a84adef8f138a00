import { Ticker, type Ticking } from './http/ticker.ts';

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
  /** milliseconds between two looks at each member */
  every: number;
}

/** The open connections of one listener, up to the most that it may have. */
export class Roster {
  readonly #most: number;
  readonly #members = new Set<Member>();
  readonly #ticker: Ticker;
  #places = 0;
  #ending = false;

  constructor({ most, every }: RosterOptions) {
    this.#most = most;
    this.#ticker = new Ticker(every);
  }

  get size(): number {
    return this.#members.size;
  }

  /** Whether the listener has been asked to end. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Takes a place for a connection that may become a member; false when there is none. */
  reserve(): boolean {
    if (this.#ending || this.#places >= this.#most) return false;
    this.#places += 1;
    return true;
  }

  /** Gives a place back that was taken and not used, or is used no more. */
  free(): void {
    this.#places -= 1;
  }

  /** Adds a member, whose place has been reserved. */
  add(member: Member): void {
    this.#members.add(member);
    this.#ticker.add(member);
  }

  /** Forgets a member and frees its place; a second time does nothing. */
  delete(member: Member): void {
    if (!this.#members.delete(member)) return;
    this.#ticker.delete(member);
    this.free();
  }

  /** Lets every member finish, and cuts off those that have not within `grace` milliseconds; nobody is added any more. */
  async end(grace: number): Promise<void> {
    this.#ending = true;
    const timer = setTimeout(() => {
      for (const member of this.#members) member.destroy();
    }, grace);
    await Promise.all([...this.#members].map((member) => member.drain()));
    clearTimeout(timer);
  }
}
