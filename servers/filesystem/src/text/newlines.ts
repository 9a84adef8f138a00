/** A buffer to read into, and the function that counts its newlines. */
export interface NewlineCounter {
  readonly buffer: Buffer;
  /** Counts the newlines in the first `length` bytes of the buffer. Overwrites up to fifteen bytes after them. */
  count(length: number): number;
}

// the used part of WebAssembly, whose types are in the DOM library
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

const NEWLINE = 0x0a;
const PAGE_BYTES = 65_536;
const BLOCK_BYTES = 16;

// newlines.wat, compiled
const code =
  'AGFzbQEAAAABBwFgAn9/AX8DAgEABQMBAAEHEgIGbWVtb3J5AgAFY291bnQAAAqSAQGPAQMCfwF7AX8gACABaiECAkADQCAAIAJPDQEgAEHwH2ohAyADIAJLBEAgAiEDC/0MAAAAAAAAAAAAAAAAAAAAACEEA0AgBCAA/QAEAEEK/Q/9I/1xIQQgAEEQaiEAIAAgA0kNAAsgBP19/X8hBCAFIAT9GwAgBP0bAWogBP0bAiAE/RsDampqIQUMAAsLIAUL';

let module: object | 'none' | undefined;

/** Creates a counter for pieces of up to `bytes` bytes; each scan needs its own, since scans interleave. */
export function newlineCounter(bytes: number): NewlineCounter {
  module ??= compile();
  if (module === 'none') return byByte(bytes);
  // the exports of newlines.wat
  const { memory, count } = new WebAssembly.Instance(module).exports as {
    memory: { buffer: ArrayBuffer; grow(pages: number): number };
    count(from: number, length: number): number;
  };
  memory.grow(Math.ceil((bytes + BLOCK_BYTES) / PAGE_BYTES) - 1);
  const whole = Buffer.from(memory.buffer);
  return {
    buffer: whole.subarray(0, bytes),
    count(length) {
      whole.fill(0, length, length + BLOCK_BYTES);
      return count(0, length);
    },
  };
}

function compile(): object | 'none' {
  try {
    return new WebAssembly.Module(Buffer.from(code, 'base64'));
  } catch {
    // this machine has no WebAssembly or no vector instructions
    return 'none';
  }
}

function byByte(bytes: number): NewlineCounter {
  const buffer = Buffer.allocUnsafe(bytes);
  return {
    buffer,
    count(length) {
      let count = 0;
      for (let i = 0; i < length; i++) if (buffer[i] === NEWLINE) count += 1;
      return count;
    },
  };
}
