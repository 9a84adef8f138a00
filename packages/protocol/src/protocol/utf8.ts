import { type Escaped, escapeJson, SLICE_BYTES } from './escape.ts';

/** Slices that are escaped in one go before other work gets its turn: a few milliseconds. */
const SLICES_IN_ONE_GO = 16;

/**
 * Text that stays bytes until it is written: a string member of a result that is escaped from bytes to bytes,
 * once, however many members hold it. The bytes must be valid UTF-8. Those of a short text are escaped at once, so
 * that their buffer may be used again.
 * @example
 * const bytes = Buffer.from('water the plants\n');
 * const read = tool({
 *   name: 'read',
 *   description: 'Reads the memo.',
 *   input: z.object({}),
 *   run: () => reply({ content: new Utf8Text(bytes) }),
 * });
 */
export class Utf8Text {
  readonly byteLength: number;
  /** whether the last line has its line end, or there is none */
  readonly endsWithNewline: boolean;
  readonly #bytes: Buffer;
  #escaped: readonly Escaped[] | undefined;

  constructor(bytes: Buffer) {
    const short = bytes.length <= SLICE_BYTES;
    this.byteLength = bytes.length;
    this.endsWithNewline = bytes.length === 0 || bytes[bytes.length - 1] === NEWLINE;
    this.#escaped = short ? [escapeJson(bytes)] : undefined;
    this.#bytes = short ? nothing : bytes;
  }

  /** Bytes of the JSON string, quotes included. */
  get jsonBytes(): number {
    return this.#pieces.reduce((total, piece) => total + piece.bytes, 2);
  }

  /** How many newlines the text holds. */
  get newlines(): number {
    return this.#pieces.reduce((total, piece) => total + piece.newlines, 0);
  }

  /** The body of the JSON string, without its quotes, in pieces. */
  get escaped(): readonly (string | Uint8Array)[] {
    return this.#pieces.map((piece) => piece.body);
  }

  get #pieces(): readonly Escaped[] {
    this.#escaped ??= this.#slices().map((slice) => escapeJson(slice));
    return this.#escaped;
  }

  /** Escapes a large text with other work in between, so that writing it later costs little. */
  async prepare(): Promise<void> {
    if (this.#escaped !== undefined) return;
    const pieces: Escaped[] = [];
    for (const slice of this.#slices()) {
      pieces.push(escapeJson(slice));
      if (pieces.length % SLICES_IN_ONE_GO === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#escaped = pieces;
  }

  #slices(): Buffer[] {
    const slices: Buffer[] = [];
    for (let at = 0; at < this.#bytes.length; at += SLICE_BYTES)
      slices.push(this.#bytes.subarray(at, at + SLICE_BYTES));
    return slices;
  }

  toString(): string {
    if (this.#bytes.length > 0) return this.#bytes.toString('utf8');
    return JSON.parse(`"${this.escaped.join('')}"`) as string; // a JSON string
  }

  toJSON(): string {
    return collectAs(this) ? marker : this.toString();
  }
}

const NEWLINE = 0x0a;
const nothing = Buffer.alloc(0);

/** A part of a value that is written in pieces of its own. */
export interface Piecewise {
  readonly escaped: readonly (string | Uint8Array)[];
}

/** Names the places of such parts in stringified text; nobody outside the process can know it. */
export const marker = `${Math.random()}${Math.random()}`;
/** The same for a part that takes the place of the whole string, with its quotes. */
export const rawMarker = `r${marker}`;
/** Where to cut stringified text. */
export const places = new RegExp(`"${rawMarker}"|${marker}`);
let collected: Piecewise[] | undefined;

/** Whether text is being made in which this part leaves a marker. */
export function collectAs(part: Piecewise): boolean {
  collected?.push(part);
  return collected !== undefined;
}

/** JSON text with a marker for each part that is written in pieces, and these in order. */
export function collect(value: unknown): { text: string; texts: readonly Piecewise[] } {
  const texts: Piecewise[] = [];
  collected = texts;
  try {
    return { text: JSON.stringify(value), texts };
  } finally {
    collected = undefined;
  }
}
