import type { LaneCall } from '../verb.ts';

/** What is written before it is handed over. */
const PIECE_CHARS = 64 << 10;

/** Takes text in small parts and hands it over in larger pieces. */
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
