import type { LaneCall } from '../verb.ts';

/** Characters buffered before a piece is emitted. */
const PIECE_CHARS = 64 << 10;

/** Buffers small parts of text and emits larger pieces. */
export class Sink {
  readonly #emit: LaneCall['emit'];
  #text = '';

  constructor(emit: LaneCall['emit']) {
    this.#emit = emit;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE_CHARS) this.flush();
  }

  flush(): void {
    if (this.#text === '') return;
    this.#emit(Buffer.from(this.#text));
    this.#text = '';
  }
}
