/** The origins to which users have allowed unsafe requests, by owner, for the life of the process. */
export class Consents {
  readonly #given = new Set<string>();

  has(owner: string, { origin }: URL): boolean {
    return this.#given.has(JSON.stringify([owner, origin]));
  }

  give(owner: string, { origin }: URL): void {
    this.#given.add(JSON.stringify([owner, origin]));
  }
}
