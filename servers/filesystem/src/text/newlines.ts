/** A buffer to read into, and the number of newlines in what was read. */
export interface NewlineCounter {
  readonly buffer: Buffer;
  /** newlines in the first `length` bytes of the buffer; changes up to fifteen bytes behind them */
  count(length: number): number;
}

// the part of the WebAssembly interface that is used here; its types come with the DOM's
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

/** A counter for pieces of up to that many bytes; each scan has its own, since scans take turns. */
export function newlineCounter(bytes: number): NewlineCounter {
  module ??= compile();
  if (module === 'none') return byByte(bytes);
  // holds: what newlines.wat exports
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
    // no WebAssembly or no vector instructions here
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
