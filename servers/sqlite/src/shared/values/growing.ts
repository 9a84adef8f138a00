const CHUNK_CHARACTERS = 32_768;

/** Text that grows by small pieces and becomes bytes by large ones. */
export class Growing {
  readonly #chunks: Buffer[] = [];
  #text = '';
  /** bytes as told by those who added */
  bytes = 0;

  add(text: string, bytes: number): void {
    this.#text += text;
    this.bytes += bytes;
    if (this.#text.length > CHUNK_CHARACTERS) this.#flush();
  }

  toBuffer(): Buffer {
    this.#flush();
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  #flush(): void {
    if (this.#text === '') return;
    this.#chunks.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
