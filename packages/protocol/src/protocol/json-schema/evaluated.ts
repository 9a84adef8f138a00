/** The members and elements of one value that some schema has evaluated. */
export class Evaluated {
  readonly #names = new Set<string>();
  readonly #indices = new Set<number>();
  #allNames = false;
  /** elements before this index are evaluated */
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

  add(other: Evaluated): void {
    this.#allNames ||= other.#allNames;
    this.#upTo = Math.max(this.#upTo, other.#upTo);
    for (const name of other.#names) this.#names.add(name);
    for (const index of other.#indices) this.#indices.add(index);
  }
}
