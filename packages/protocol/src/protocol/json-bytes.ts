import { collectAs, rawMarker } from './utf8.ts';

/**
 * A part of a structured result that is JSON text already, such as rows that another process has serialised: it is
 * written as it is, and never parsed. The bytes must be valid JSON in UTF-8, and must not change until then.
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

  /** The JSON text in one piece or several. */
  constructor(bytes: Buffer | readonly Buffer[]) {
    this.#pieces = Array.isArray(bytes) ? bytes : [bytes as Buffer]; // holds: what is no array is a Buffer
  }

  get byteLength(): number {
    return this.#pieces.reduce((total, { length }) => total + length, 0);
  }

  /** What stands in the JSON text around it. */
  get escaped(): readonly (string | Uint8Array)[] {
    // few bytes are written together with what is around them
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
