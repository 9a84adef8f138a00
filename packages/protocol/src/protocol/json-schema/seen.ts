/** Which members and elements of one value some schema has looked at. */
export class Seen {
  readonly #names = new Set<string>();
  readonly #indices = new Set<number>();
  #allNames = false;
  /** elements in front of this one have been looked at */
  #upTo = 0;

  name(name: string): void {
    this.#names.add(name);
  }

  allNames(): void {
    this.#allNames = true;
  }

  index(index: number): void {
    this.#indices.add(index);
  }

  indicesBelow(end: number): void {
    this.#upTo = Math.max(this.#upTo, end);
  }

  hasName(name: string): boolean {
    return this.#allNames || this.#names.has(name);
  }

  hasIndex(index: number): boolean {
    return index < this.#upTo || this.#indices.has(index);
  }

  add(other: Seen): void {
    this.#allNames ||= other.#allNames;
    this.#upTo = Math.max(this.#upTo, other.#upTo);
    for (const name of other.#names) this.#names.add(name);
    for (const index of other.#indices) this.#indices.add(index);
  }
}
