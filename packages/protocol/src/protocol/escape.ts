import { isAscii } from 'node:buffer';

/** The body of a JSON string without its quotes, and the number of newlines in it. */
export interface Escaped {
  body: string | Buffer;
  /** length of the body in UTF-8 */
  bytes: number;
  newlines: number;
}

/** The maximum number of bytes that one call escapes; the result is at most six times as long. */
export const SLICE_BYTES = 256 * 1024;
/** ASCII up to this size becomes a string, because joining strings costs less than writing another buffer. */
const STRING_BYTES = 16 * 1024;

/** Escapes a slice of UTF-8 bytes into the body of a JSON string, with the same result as JSON.stringify. */
export function escapeJson(bytes: Uint8Array): Escaped {
  if (bytes.length > SLICE_BYTES) throw new RangeError(`a slice has at most ${SLICE_BYTES} bytes`);
  machine ??= load();
  return machine === 'none' ? escapeByTable(bytes) : escapeByMachine(machine, bytes);
}

/**
 * Offset of the input in the WebAssembly memory. The table lies before it; blocks are read past the end of
 * the input.
 */
const INPUT_AT = 64;
const OUTPUT_AT = INPUT_AT + SLICE_BYTES + 64;
const MEMORY_BYTES = OUTPUT_AT + 6 * SLICE_BYTES + 64;
const PAGE_BYTES = 65_536;

interface Machine {
  memory: Buffer;
  escape(from: number, length: number, to: number): number;
  lines(): number;
}

// the members of the WebAssembly interface that are used here; its types are in lib.dom
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

let machine: Machine | 'none' | undefined;

// escape.wat, compiled
const code =
  'AGFzbQEAAAABDAJgAAF/YAN/f38BfwMDAgABBQMBAAEGBgF/AUEACwcbAwZtZW1vcnkCAAVsaW5lcwAABmVzY2FwZQABCswCAgQAIwALxAIDAn8BewN/QQAkACACIQQgACABaiEDAkADQCAAIANPDQEgAP0ABAAhBSACIAX9CwQAIAVBIP0P/SYgBUEi/Q/9IyAFQdwA/Q/9I/1Q/VD9ZCEGIAZFBEAgAEEQaiEAIAJBEGohAgwBCyAGaCEIIAAgCGohACACIAhqIQIgACADTw0BIAAtAAAhByAAQQFqIQAgB0EKRgRAIwBBAWokACACQdzcATsBACACQQJqIQIMAQsgB0EgTwRAIAJB3AA6AAAgAiAHOgABIAJBAmohAgwBCyAHQQBqLQAAIQggCEEARwRAIAJB3AA6AAAgAiAIOgABIAJBAmohAgwBCyACQdzqwYEDNgIAIAJBMCAHQQR2ajoABCAHQQ9xIQcgAiAHQTBB1wAgB0EKSRtqOgAFIAJBBmohAgwACwsgAiAEayAAIANrawsLFAEAQQALDgAAAAAAAAAAYnQAAGZy';

function load(): Machine | 'none' {
  try {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(code, 'base64')));
    // the exports of escape.wat
    const exports = instance.exports as {
      memory: { buffer: ArrayBuffer; grow(pages: number): number };
    } & Omit<Machine, 'memory'>;
    exports.memory.grow(Math.ceil(MEMORY_BYTES / PAGE_BYTES) - 1);
    return { memory: Buffer.from(exports.memory.buffer), escape: exports.escape, lines: exports.lines };
  } catch {
    // WebAssembly or SIMD is not available: escapeByTable gives the same result, slower
    return 'none';
  }
}

function escapeByMachine({ memory, escape: run, lines }: Machine, bytes: Uint8Array): Escaped {
  memory.set(bytes, INPUT_AT);
  const length = run(INPUT_AT, bytes.length, OUTPUT_AT);
  const end = OUTPUT_AT + length;
  const body =
    bytes.length <= STRING_BYTES && isAscii(bytes)
      ? memory.toString('latin1', OUTPUT_AT, end)
      : Buffer.from(memory.subarray(OUTPUT_AT, end));
  return { body, bytes: length, newlines: lines() };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const HEX = '0123456789abcdef';

// the escape of each byte in JSON: 0 for none, 1 for \u00XX, else the letter after the backslash
const table = new Uint8Array(256);
table.fill(1, 0, 0x20);
for (const [byte, letter] of [
  [0x08, 'b'],
  [0x09, 't'],
  [NEWLINE, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
] as const) {
  table[byte] = letter.charCodeAt(0);
}
table[QUOTE] = QUOTE;
table[BACKSLASH] = BACKSLASH;

/** Escapes as `escapeJson` does, without WebAssembly. */
export function escapeByTable(bytes: Uint8Array): Escaped {
  const out = Buffer.allocUnsafe(escapedLength(bytes));
  let at = 0;
  let newlines = 0;
  for (const byte of bytes) {
    const need = table[byte]!;
    if (byte === NEWLINE) newlines += 1;
    if (need === 0) out[at++] = byte;
    else {
      out[at++] = BACKSLASH;
      if (need === 1) at += out.write(`u00${HEX[byte >> 4]}${HEX[byte & 15]}`, at, 'latin1');
      else out[at++] = need;
    }
  }
  return { body: out, bytes: out.length, newlines };
}

function escapedLength(bytes: Uint8Array): number {
  let length = bytes.length;
  for (const byte of bytes) {
    const need = table[byte]!;
    if (need !== 0) length += need === 1 ? 5 : 1;
  }
  return length;
}
