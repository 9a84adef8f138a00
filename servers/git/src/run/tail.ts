/** The last bytes of an output, up to a maximum. */
export class Tail {
  readonly #most: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(most = 65_536) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > 2 * this.#most) {
      this.#chunks = [Buffer.concat(this.#chunks).subarray(-this.#most)];
      this.#size = this.#most;
    }
  }

  toString(): string {
    if (this.#size === 0) return '';
    return Buffer.concat(this.#chunks).subarray(-this.#most).toString();
  }
}
