import { type Escaped, escapeJson, SLICE_BYTES } from './escape.ts';

/** Slices that are escaped before the event loop gets a turn: a few milliseconds of work. */
const SLICES_IN_ONE_GO = 16;

/**
 * Text that stays UTF-8 bytes until it is written. A string member of a result is escaped from bytes to
 * bytes, once, even if several members contain it. The bytes must be valid UTF-8. A short text is escaped at
 * once, so that its buffer may be reused.
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
  /** true if the last line ends with a newline, or the text is empty */
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

  /** The length of the JSON string in bytes, with quotes. */
  get jsonBytes(): number {
    return this.#pieces.reduce((total, piece) => total + piece.bytes, 2);
  }

  /** The number of newlines in the text. */
  get newlines(): number {
    return this.#pieces.reduce((total, piece) => total + piece.newlines, 0);
  }

  /** The body of the JSON string without its quotes, in pieces. */
  get escaped(): readonly (string | Uint8Array)[] {
    return this.#pieces.map((piece) => piece.body);
  }

  get #pieces(): readonly Escaped[] {
    this.#escaped ??= this.#slices().map((slice) => escapeJson(slice));
    return this.#escaped;
  }

  /** Escapes a large text in several turns of the event loop, so that writing it later is fast. */
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
    return JSON.parse(`"${this.escaped.join('')}"`) as string; // the text is a JSON string
  }

  toJSON(): string {
    return collectAs(this) ? marker : this.toString();
  }
}

const NEWLINE = 0x0a;
const nothing = Buffer.alloc(0);

/** A part of a value that is written as its own pieces. */
export interface Piecewise {
  readonly escaped: readonly (string | Uint8Array)[];
}

/** Marks the positions of such parts in JSON text. It is random, so that no other process can know it. */
export const marker = `${Math.random()}${Math.random()}`;
/** Marks a part that replaces the whole string with its quotes. */
export const rawMarker = `r${marker}`;
/** Matches the markers. */
export const markerPattern = new RegExp(`"${rawMarker}"|${marker}`);
let collected: Piecewise[] | undefined;

/** Returns true while JSON text is collected in which this part is replaced by a marker. */
export function collectAs(part: Piecewise): boolean {
  collected?.push(part);
  return collected !== undefined;
}

/** Returns JSON text with a marker for each Piecewise part, and these parts in order. */
export function collect(value: unknown): { text: string; texts: readonly Piecewise[] } {
  const texts: Piecewise[] = [];
  collected = texts;
  try {
    return { text: JSON.stringify(value), texts };
  } finally {
    collected = undefined;
  }
}
