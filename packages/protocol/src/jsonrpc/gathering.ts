const LEAST_BLOCK = 1024;
const MOST_BLOCK = 64 * 1024;

/**
 * Bytes that come in chunks of any size until they make a whole. Small chunks are copied together, so that what is
 * held costs about what it weighs, however finely the other side cuts it.
 */
export class Gathering {
  #pieces: Buffer[] = [];
  #length = 0;
  #block: Buffer | undefined;
  #filled = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer): void {
    // a part of a chunk would keep all of it
    if (bytes.length >= LEAST_BLOCK && bytes.length * 2 >= bytes.buffer.byteLength) {
      this.#endBlock();
      this.#pieces.push(bytes);
    } else this.#copy(bytes);
    this.#length += bytes.length;
  }

  /** Everything that was added, as one; nothing is held any more. */
  take(): Buffer {
    this.#endBlock();
    const [first] = this.#pieces;
    const whole =
      first !== undefined && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.#length);
    this.clear();
    return whole;
  }

  clear(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#block = undefined;
    this.#filled = 0;
  }

  #copy(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#block === undefined || this.#filled === this.#block.length)
        this.#startBlock(bytes.length - at);
      const block = this.#block!; // just started
      const copied = bytes.copy(block, this.#filled, at);
      this.#filled += copied;
      at += copied;
    }
  }

  /** Blocks grow with what is held, so that little costs little and much has few blocks. */
  #startBlock(bytes: number): void {
    this.#endBlock();
    const size = Math.min(MOST_BLOCK, Math.max(LEAST_BLOCK, this.#length, bytes));
    this.#block = Buffer.allocUnsafeSlow(size);
  }

  #endBlock(): void {
    if (this.#block !== undefined) this.#pieces.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    this.#filled = 0;
  }
}
