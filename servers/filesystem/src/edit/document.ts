import { type Coding, endsInNewline } from './coding.ts';

/** A range of a document. */
export interface Piece {
  readonly bytes: Buffer;
  /** its offset in the file before the edits, or -1 for new text */
  readonly from: number;
}

/** Above this number of pieces short ones are copied into one: a piece costs more than its bytes. */
const MANY_PIECES = 10_000;
const SHORT = 16 * 1024;
const CHUNK = 256 * 1024;

/** A document up to this size, in bytes, is joined into one piece after each edit. */
const FLAT = 1024 * 1024;

/** The bytes of a text file as pieces of the old file and of new text, so that an edit copies little. */
export class Document {
  readonly coding: Coding;
  readonly pieces: readonly Piece[];
  readonly length: number;
  readonly #starts: number[] = [];

  constructor(coding: Coding, pieces: readonly Piece[]) {
    this.coding = coding;
    this.pieces = pieces;
    let length = 0;
    for (const { bytes } of pieces) {
      this.#starts.push(length);
      length += bytes.length;
    }
    this.length = length;
  }

  /** Returns the bytes of a range, without a copy if they are in one piece. */
  read(start: number, end: number): Buffer {
    if (end <= start) return Buffer.alloc(0);
    const first = this.#pieceAt(start);
    const { bytes } = this.pieces[first]!;
    const offset = this.#starts[first]!;
    if (end <= offset + bytes.length) return bytes.subarray(start - offset, end - offset);
    return Buffer.concat([...this.slices(start, end)].map((piece) => piece.bytes));
  }

  /** Copies a range. */
  copy(start: number, end: number, target: Buffer, offset: number): void {
    let at = start;
    for (let index = this.#pieceAt(start); at < end; index++) {
      const { bytes } = this.pieces[index]!;
      const begin = at - this.#starts[index]!;
      at += bytes.copy(target, offset + at - start, begin, begin + end - at);
    }
  }

  /** Yields the pieces of a range. */
  *slices(start: number, end: number): Generator<Piece> {
    for (let at = start < end ? this.#pieceAt(start) : this.pieces.length; at < this.pieces.length; at++) {
      const { bytes, from } = this.pieces[at]!;
      const offset = this.#starts[at]!;
      if (offset >= end) return;
      const skipped = Math.max(0, start - offset);
      const rest = bytes.subarray(skipped, Math.min(bytes.length, end - offset));
      yield { bytes: rest, from: from < 0 ? -1 : from + skipped };
    }
  }

  #pieceAt(offset: number): number {
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Builds a document, from left to right, from ranges of another one and new bytes. */
export class Builder {
  readonly #before: Document;
  readonly #pieces: Piece[] = [];
  #chunk: Buffer | undefined;
  #filled = 0;
  length = 0;

  constructor(before: Document) {
    this.#before = before;
  }

  keep(start: number, end: number): void {
    if (this.#joins(end - start)) {
      const chunk = this.#chunkFor(end - start);
      this.#before.copy(start, end, chunk, this.#filled);
      this.#grow(end - start);
    } else for (const piece of this.#before.slices(start, end)) this.#add(piece);
  }

  put(bytes: Buffer): void {
    this.#add({ bytes, from: -1 });
  }

  /** Whether the next byte begins a line. */
  get atLineStart(): boolean {
    const last = this.#chunk?.subarray(0, this.#filled) ?? this.#pieces.at(-1)?.bytes;
    const { coding } = this.#before;
    return last === undefined || this.length <= coding.start || endsInNewline(coding, last);
  }

  done(): Document {
    this.#flush();
    const pieces =
      this.length <= FLAT && this.#pieces.length > 1
        ? [{ bytes: Buffer.concat(this.#pieces.map(({ bytes }) => bytes)), from: -1 }]
        : this.#pieces;
    return new Document(this.#before.coding, pieces);
  }

  #joins(length: number): boolean {
    return length > 0 && length < SHORT && this.#pieces.length >= MANY_PIECES;
  }

  #chunkFor(length: number): Buffer {
    if (this.#filled + length > CHUNK) this.#flush();
    this.#chunk ??= Buffer.allocUnsafe(CHUNK);
    return this.#chunk;
  }

  #grow(length: number): void {
    this.#filled += length;
    this.length += length;
  }

  #add(piece: Piece): void {
    const { bytes } = piece;
    if (bytes.length === 0) return;
    if (this.#joins(bytes.length)) {
      bytes.copy(this.#chunkFor(bytes.length), this.#filled);
      this.#grow(bytes.length);
      return;
    }
    this.#flush();
    this.#pieces.push(piece);
    this.length += bytes.length;
  }

  #flush(): void {
    if (this.#chunk === undefined) return;
    this.#pieces.push({ bytes: this.#chunk.subarray(0, this.#filled), from: -1 });
    this.#chunk = undefined;
    this.#filled = 0;
  }
}

/** Shorter pieces, in bytes, are written together. */
const WRITTEN_APART = 4 * 1024;

/** Returns the buffers to write: the bytes of the pieces, short ones joined. */
export function contentOf(document: Document): Buffer[] {
  const content: Buffer[] = [];
  let short: Buffer[] = [];
  const join = (): void => {
    if (short.length > 0) content.push(short.length === 1 ? short[0]! : Buffer.concat(short));
    short = [];
  };
  for (const { bytes } of document.pieces) {
    if (bytes.length < WRITTEN_APART) {
      short.push(bytes);
      continue;
    }
    join();
    content.push(bytes);
  }
  join();
  return content;
}
