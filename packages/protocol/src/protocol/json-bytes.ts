import { collectAs, rawMarker } from './utf8.ts';

/**
 * A part of a structured result that already is JSON text, such as rows that another process has serialised.
 * It is written unchanged and never parsed. The bytes must be valid JSON in UTF-8 and must not change until
 * they are written.
 * @example
 * const rows = Buffer.from('[[1,"water"],[2,"prune"]]');
 * const list = tool({
 *   name: 'list',
 *   description: 'Lists the tasks.',
 *   input: z.object({}),
 *   run: () => reply({ structured: { rows: new JsonBytes(rows) }, content: '2 tasks' }),
 * });
 */
export class JsonBytes {
  readonly #pieces: readonly Buffer[];

  /** Takes the JSON text as one buffer or several. */
  constructor(bytes: Buffer | readonly Buffer[]) {
    this.#pieces = Array.isArray(bytes) ? bytes : [bytes as Buffer]; // anything but an array is a Buffer here
  }

  get byteLength(): number {
    return this.#pieces.reduce((total, { length }) => total + length, 0);
  }

  /** The pieces of the JSON text. */
  get escaped(): readonly (string | Uint8Array)[] {
    // short texts are written together with the text around them
    return this.byteLength <= SHORT ? [this.toString()] : this.#pieces;
  }

  toString(): string {
    const [only, more] = this.#pieces;
    return only !== undefined && more === undefined
      ? only.toString()
      : Buffer.concat(this.#pieces).toString();
  }

  toJSON(): unknown {
    return collectAs(this) ? rawMarker : JSON.parse(this.toString());
  }
}

const SHORT = 16_384;
