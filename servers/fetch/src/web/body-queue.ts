const HIGH = 256 * 1024;
const LOW = 64 * 1024;
/** Bytes of a small piece; small pieces are joined while they wait, because a body may come in chunks of one byte. */
const SMALL = 1024;
const JOINED = 16 * 1024;

/** The sender's backpressure controls. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** A queue of body pieces from the connection to one reader; pauses the sender while the reader is slow. */
export class BodyQueue implements AsyncIterableIterator<Uint8Array> {
  readonly #flow: Flow;
  #pieces: Uint8Array[] = [];
  /** the buffer of which the last piece is the beginning, if it was joined from small pieces */
  #joined: Buffer | undefined;
  #buffered = 0;
  #paused = false;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #waiting: { resolve(result: IteratorResult<Uint8Array>): void; reject(error: unknown): void } | undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(piece: Uint8Array): void {
    if (this.#waiting !== undefined) {
      const { resolve } = this.#waiting;
      this.#waiting = undefined;
      resolve({ value: piece, done: false });
      return;
    }
    if (!this.#join(piece)) {
      this.#joined = undefined;
      this.#pieces.push(piece);
    }
    this.#buffered += piece.length;
    if (this.#buffered <= HIGH || this.#paused) return;
    this.#paused = true;
    this.#flow.pause();
  }

  end(): void {
    this.#ended = true;
    this.#waiting?.resolve({ value: undefined, done: true });
    this.#waiting = undefined;
  }

  /** Fails with an error and discards the pieces that were not read. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.#pieces = [];
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    const piece = this.#shift();
    if (piece !== undefined) return Promise.resolve({ value: piece, done: false });
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Appends a small piece to the last one if that is small too. */
  #join(piece: Uint8Array): boolean {
    const last = this.#pieces.at(-1);
    if (last === undefined || piece.length >= SMALL || last.length + piece.length > JOINED) return false;
    if (this.#joined === undefined) {
      if (last.length >= SMALL) return false;
      this.#joined = Buffer.allocUnsafe(JOINED);
      this.#joined.set(last);
    }
    this.#joined.set(piece, last.length);
    this.#pieces[this.#pieces.length - 1] = this.#joined.subarray(0, last.length + piece.length);
    return true;
  }

  #shift(): Uint8Array | undefined {
    const piece = this.#pieces.shift();
    if (piece === undefined) return undefined;
    this.#buffered -= piece.length;
    if (this.#paused && this.#buffered <= LOW) {
      this.#paused = false;
      this.#flow.resume();
    }
    return piece;
  }
}
