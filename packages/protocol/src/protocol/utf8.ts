import type { JsonText } from '../jsonrpc/message.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const HEX = '0123456789abcdef';

// what a byte needs in JSON text: 0 as it is, 1 the six characters of \u00XX, else the letter after a backslash
const escapes = new Uint8Array(256);
escapes.fill(1, 0, 0x20);
escapes[0x08] = 'b'.charCodeAt(0);
escapes[0x09] = 't'.charCodeAt(0);
escapes[0x0a] = 'n'.charCodeAt(0);
escapes[0x0c] = 'f'.charCodeAt(0);
escapes[0x0d] = 'r'.charCodeAt(0);
escapes[QUOTE] = QUOTE;
escapes[BACKSLASH] = BACKSLASH;

/**
 * Text that stays bytes until it is written: a string member of a result that is escaped from bytes to bytes,
 * once, however many members hold it. The bytes must be valid UTF-8.
 */
export class Utf8Text {
  readonly bytes: Buffer;
  #escaped: readonly Buffer[] | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The body of the JSON string, without its quotes, in pieces. */
  get escaped(): readonly Buffer[] {
    this.#escaped ??= [escapeUtf8(this.bytes)];
    return this.#escaped;
  }

  /** Bytes of the JSON string, quotes included. */
  get jsonBytes(): number {
    return this.escaped.reduce((total, piece) => total + piece.length, 2);
  }

  /** Escapes a large text in slices, with other work in between, so that writing it later costs little. */
  async prepare(): Promise<void> {
    if (this.#escaped !== undefined) return;
    const pieces: Buffer[] = [];
    for (let at = 0; at < this.bytes.length; at += SLICE_BYTES) {
      if (at > 0) await new Promise((resolve) => setImmediate(resolve));
      pieces.push(escapeUtf8(this.bytes.subarray(at, at + SLICE_BYTES)));
    }
    this.#escaped = pieces;
  }

  toString(): string {
    return this.bytes.toString('utf8');
  }

  toJSON(): string {
    if (collected === undefined) return this.toString();
    collected.push(this);
    return marker;
  }
}

/** What `prepare` escapes in one go: about ten milliseconds of work. */
const SLICE_BYTES = 4 * 1024 * 1024;

/** The body of the JSON string of UTF-8 bytes, without its quotes. */
export function escapeUtf8(bytes: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(escapedLength(bytes));
  let at = 0;
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    const escape = escapes[byte]!;
    if (escape === 0) out[at++] = byte;
    else {
      out[at++] = BACKSLASH;
      if (escape === 1) at += out.write(`u00${HEX[byte >> 4]}${HEX[byte & 15]}`, at, 'latin1');
      else out[at++] = escape;
    }
  }
  return out;
}

function escapedLength(bytes: Uint8Array): number {
  let extra = 0;
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    const escape = escapes[bytes[i]!]!;
    if (escape !== 0) extra += escape === 1 ? 5 : 1;
  }
  return length + extra;
}

// names the places of Utf8Text members in stringified text; nobody outside the process can know it
const marker = `utf8:${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
let collected: Utf8Text[] | undefined;

/** JSON text of a value in which Utf8Text members stay bytes. */
export function stringify(value: unknown): JsonText {
  collected = [];
  const texts = collected;
  let text: string;
  try {
    text = JSON.stringify(value);
  } finally {
    collected = undefined;
  }
  if (texts.length === 0) return text;
  // splitting inside the quotes leaves them in the text around
  const between = text.split(marker);
  const pieces: (string | Uint8Array)[] = [between[0]!];
  for (const [index, member] of texts.entries()) pieces.push(...member.escaped, between[index + 1]!);
  return pieces;
}
