const LEAST_BLOCK = 1024;
const MOST_BLOCK = 64 * 1024;

/**
 * A buffer for bytes that arrive in chunks. Small chunks are copied into shared blocks, so that memory use is
 * close to the number of bytes, however small the chunks are.
 */
export class ChunkBuffer {
  #pieces: Buffer[] = [];
  #length = 0;
  #block: Buffer | undefined;
  #filled = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer): void {
    // a view of a small part of a chunk would keep the whole chunk in memory
    if (bytes.length >= LEAST_BLOCK && bytes.length * 2 >= bytes.buffer.byteLength) {
      this.#endBlock();
      this.#pieces.push(bytes);
    } else this.#copy(bytes);
    this.#length += bytes.length;
  }

  /** Returns all added bytes as one buffer, and empties this one. */
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
      const block = this.#block!; // #startBlock has just set it
      const copied = bytes.copy(block, this.#filled, at);
      this.#filled += copied;
      at += copied;
    }
  }

  /**
   * Starts a block. Blocks grow with the buffered length: few bytes use little memory, and many bytes use few
   * blocks.
   */
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
