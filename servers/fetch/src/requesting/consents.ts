/** The origins that users have let requests write to, by owner, as long as the server runs. */
export class Consents {
  readonly #given = new Set<string>();

  has(owner: string, { origin }: URL): boolean {
    return this.#given.has(JSON.stringify([owner, origin]));
  }

  give(owner: string, { origin }: URL): void {
    this.#given.add(JSON.stringify([owner, origin]));
  }
}
