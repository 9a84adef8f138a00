import { isUtf8 } from 'node:buffer';
import { ChunkBuffer } from '../../jsonrpc/chunk-buffer.ts';
import { type CloseCode, closeCodes, isSendable } from './codes.ts';
import { applyMask, KEY_BYTES, MOST_CONTROL_BYTES, opcodes } from './frame.ts';

/** Receives the messages and control frames of the other side. */
export interface FrameSink {
  /** one whole message */
  text(text: string): void;
  /** the payload is valid only during the call */
  ping(payload: Uint8Array): void;
  pong(): void;
  /** a Close frame arrived; the code is absent if it has none */
  close(code: number | undefined, reason: string): void;
  /** the input is invalid; nothing more is read */
  fail(code: CloseCode, reason: string): void;
}

export interface ReaderOptions {
  /** maximum size of a message in bytes, over all fragments */
  limit: number;
  /** true if frames must be masked, as those of a client; false if they must not be */
  masked: boolean;
}

const FINAL = 0x80;
const RESERVED = 0x70;
const OPCODE = 0x0f;
const CONTROL = 0x08;
const MASKED = 0x80;
const LENGTH = 0x7f;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const MOST_HEAD_BYTES = 14;

const known: ReadonlySet<number> = new Set(Object.values(opcodes));

/**
 * Splits a byte stream into frames and joins the fragments of messages. Memory use is bounded by the limit; a
 * longer message is refused as soon as its length is known.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #limit: number;
  readonly #masked: boolean;
  readonly #head = Buffer.allocUnsafe(MOST_HEAD_BYTES);
  readonly #message = new ChunkBuffer();
  readonly #control = new ChunkBuffer();
  #headBytes = 0;
  #headNeeded = 2;
  #inPayload = false;
  #remaining = 0;
  /** bytes of the payload that have been unmasked */
  #unmasked = 0;
  /** true within a fragmented message */
  #fragmented = false;
  #stopped = false;

  constructor(sink: FrameSink, { limit, masked }: ReaderOptions) {
    this.#sink = sink;
    this.#limit = limit;
    this.#masked = masked;
  }

  /** Reads a chunk; its bytes are changed. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#stopped) {
      at = this.#inPayload ? this.#readPayload(chunk, at) : this.#readHead(chunk, at);
    }
  }

  /** Stops reading. */
  stop(): void {
    this.#stopped = true;
    this.#message.clear();
    this.#control.clear();
  }

  get #opcode(): number {
    return this.#head[0]! & OPCODE;
  }

  get #isControl(): boolean {
    return (this.#opcode & CONTROL) !== 0;
  }

  get #isFinal(): boolean {
    return (this.#head[0]! & FINAL) !== 0;
  }

  #readHead(chunk: Buffer, from: number): number {
    const copied = chunk.copy(this.#head, this.#headBytes, from, from + this.#headNeeded - this.#headBytes);
    this.#headBytes += copied;
    if (this.#headBytes < this.#headNeeded) return from + copied;
    if (this.#headNeeded === 2) {
      const fault = this.#faultOfStart();
      if (fault === undefined) this.#headNeeded = this.#headSize();
      else this.#fail(closeCodes.ProtocolError, fault);
    }
    if (!this.#stopped && this.#headBytes === this.#headNeeded) this.#beginPayload();
    return from + copied;
  }

  /** Returns the fault in the first two bytes of a frame, or undefined. */
  #faultOfStart(): string | undefined {
    const first = this.#head[0]!;
    const second = this.#head[1]!;
    if ((first & RESERVED) !== 0) return 'a reserved bit is set; no extension was negotiated';
    if (!known.has(this.#opcode)) return `opcode ${this.#opcode} is unknown`;
    if ((second & MASKED) === 0 && this.#masked) return 'a frame of a client must be masked';
    if ((second & MASKED) !== 0 && !this.#masked) return 'a frame of a server must not be masked';
    if (this.#isControl) {
      if (!this.#isFinal) return 'a control frame must not be fragmented';
      return (second & LENGTH) > MOST_CONTROL_BYTES ? 'a control frame holds at most 125 bytes' : undefined;
    }
    if (this.#opcode === opcodes.continuation) {
      return this.#fragmented ? undefined : 'a continuation must follow the first frame of a message';
    }
    return this.#fragmented ? 'a message must not start before the previous one has ended' : undefined;
  }

  #headSize(): number {
    const length = this.#head[1]! & LENGTH;
    const extended = length === LENGTH_16 ? 2 : length === LENGTH_64 ? 8 : 0;
    return 2 + extended + (this.#masked ? KEY_BYTES : 0);
  }

  #beginPayload(): void {
    const length = this.#payloadLength();
    if (length === undefined) return;
    if (this.#opcode === opcodes.binary) {
      this.#fail(closeCodes.UnsupportedData, 'messages are text, not binary');
      return;
    }
    if (!this.#isControl && this.#message.length + length > this.#limit) {
      this.#fail(closeCodes.MessageTooBig, `a message has at most ${this.#limit} bytes`);
      return;
    }
    this.#remaining = length;
    this.#unmasked = 0;
    if (length === 0) this.#endFrame(undefined);
    else this.#inPayload = true;
  }

  /** Returns the payload length, or undefined if it is invalid and the reader has failed. */
  #payloadLength(): number | undefined {
    const length = this.#head[1]! & LENGTH;
    if (length < LENGTH_16) return length;
    if (length === LENGTH_16) {
      const extended = this.#head.readUInt16BE(2);
      if (extended >= LENGTH_16) return extended;
      this.#fail(closeCodes.ProtocolError, 'a length must use the shortest encoding');
      return undefined;
    }
    const high = this.#head.readUInt32BE(2);
    const extended = high * 2 ** 32 + this.#head.readUInt32BE(6);
    if (high < 2 ** 31 && extended >= 2 ** 16) return extended;
    const fault =
      high < 2 ** 31 ? 'a length must use the shortest encoding' : 'the first bit of a length must be 0';
    this.#fail(closeCodes.ProtocolError, fault);
    return undefined;
  }

  #readPayload(chunk: Buffer, from: number): number {
    const bytes = chunk.subarray(from, from + this.#remaining);
    if (this.#masked) {
      applyMask(bytes, this.#head.subarray(this.#headNeeded - KEY_BYTES, this.#headNeeded), this.#unmasked);
      this.#unmasked += bytes.length;
    }
    this.#remaining -= bytes.length;
    if (this.#remaining === 0) this.#endFrame(bytes);
    else this.#partOf().add(bytes);
    return from + bytes.length;
  }

  /** Returns the buffer for the payload of the frame. */
  #partOf(): ChunkBuffer {
    return this.#isControl ? this.#control : this.#message;
  }

  /** Ends a frame; `last` is the part of its payload that is not buffered yet. */
  #endFrame(last: Buffer | undefined): void {
    this.#inPayload = false;
    this.#headBytes = 0;
    this.#headNeeded = 2;
    if (!this.#isControl) {
      this.#fragmented = !this.#isFinal;
      if (!this.#isFinal) {
        if (last !== undefined) this.#message.add(last);
        return;
      }
    }
    const payload = wholeOf(this.#partOf(), last);
    switch (this.#opcode) {
      case opcodes.ping:
        this.#sink.ping(payload);
        return;
      case opcodes.pong:
        this.#sink.pong();
        return;
      case opcodes.close:
        this.#endConnection(payload);
        return;
      default:
        this.#endMessage(payload);
    }
  }

  #endMessage(payload: Buffer): void {
    const text = decode(payload);
    if (text === undefined) this.#fail(closeCodes.InvalidPayload, 'the text is not valid UTF-8');
    else this.#sink.text(text);
  }

  #endConnection(payload: Buffer): void {
    if (payload.length === 0) {
      this.stop();
      this.#sink.close(undefined, '');
      return;
    }
    const code = payload.length === 1 ? 0 : payload.readUInt16BE();
    if (!isSendable(code)) {
      this.#fail(closeCodes.ProtocolError, 'a Close frame must be empty or have a valid code');
      return;
    }
    const reason = decode(payload.subarray(2));
    if (reason === undefined) {
      this.#fail(closeCodes.InvalidPayload, 'the reason of a Close frame is not valid UTF-8');
      return;
    }
    this.stop();
    this.#sink.close(code, reason);
  }

  #fail(code: CloseCode, reason: string): void {
    this.stop();
    this.#sink.fail(code, reason);
  }
}

const empty = Buffer.alloc(0);

/** Returns the buffered bytes and the last ones; nothing is copied if all of them are in one chunk. */
function wholeOf(kept: ChunkBuffer, last: Buffer | undefined): Buffer {
  if (kept.length === 0) return last ?? empty;
  if (last !== undefined) kept.add(last);
  return kept.take();
}

function decode(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') && !isUtf8(bytes) ? undefined : text;
}
