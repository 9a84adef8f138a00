import { randomFillSync } from 'node:crypto';
import type { JsonText } from '../../jsonrpc/message.ts';

/** The opcodes of frames. Source: RFC 6455 section 11.8 */
export const opcodes = {
  continuation: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
} as const;

export type Opcode = (typeof opcodes)[keyof typeof opcodes];

export const MOST_CONTROL_BYTES = 125;
export const KEY_BYTES = 4;
const FINAL = 0x80;
const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
/** A payload up to this size is copied behind its header: one write costs more than the copy. */
const SMALL_BYTES = 16 * 1024;

/** One unfragmented frame, in pieces that are written one after the other. A client masks its frames, a server does not. */
export function encodeFrame(
  opcode: Opcode,
  payload: JsonText | Uint8Array,
  masked: boolean,
): readonly (string | Uint8Array)[] {
  const pieces = typeof payload === 'string' || payload instanceof Uint8Array ? [payload] : payload;
  const length = pieces.reduce((bytes, piece) => bytes + sizeOf(piece), 0);
  const headBytes = headSize(length) + (masked ? KEY_BYTES : 0);
  const whole = masked || length <= SMALL_BYTES;
  const frame = Buffer.allocUnsafe(headBytes + (whole ? length : 0));
  writeHead(frame, opcode, length, masked);
  if (!whole) return [frame, ...pieces];
  let at = headBytes;
  for (const piece of pieces) {
    if (typeof piece === 'string') at += frame.write(piece, at);
    else {
      frame.set(piece, at);
      at += piece.length;
    }
  }
  if (masked) {
    const key = randomFillSync(frame, headBytes - KEY_BYTES, KEY_BYTES).subarray(
      headBytes - KEY_BYTES,
      headBytes,
    );
    applyMask(frame.subarray(headBytes), key, 0);
  }
  return [frame];
}

/** Masks or unmasks bytes in place; `offset` is how many bytes of the payload came before them. */
export function applyMask(bytes: Uint8Array, key: Uint8Array, offset: number): void {
  const at = (index: number): number => key[(offset + index) % KEY_BYTES]!; // holds: a key has that many bytes
  const [first, second, third, fourth] = [at(0), at(1), at(2), at(3)];
  const { length } = bytes;
  const even = length - (length % KEY_BYTES);
  let index = 0;
  // four at a time, which takes a third of the time
  for (; index < even; index += KEY_BYTES) {
    bytes[index]! ^= first;
    bytes[index + 1]! ^= second;
    bytes[index + 2]! ^= third;
    bytes[index + 3]! ^= fourth;
  }
  for (; index < length; index++) bytes[index]! ^= at(index);
}

/** The payload of a Close frame. */
export function closePayload(code: number, reason: string): Buffer {
  const words = Buffer.from(reason).subarray(0, MOST_CONTROL_BYTES - 2);
  const payload = Buffer.allocUnsafe(2 + words.length);
  payload.writeUInt16BE(code);
  words.copy(payload, 2);
  return payload;
}

function sizeOf(piece: string | Uint8Array): number {
  return typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
}

function headSize(length: number): number {
  if (length < LENGTH_16) return 2;
  return length < 2 ** 16 ? 4 : 10;
}

function writeHead(frame: Buffer, opcode: Opcode, length: number, masked: boolean): void {
  frame[0] = FINAL | opcode;
  const mask = masked ? MASKED : 0;
  if (length < LENGTH_16) frame[1] = mask | length;
  else if (length < 2 ** 16) {
    frame[1] = mask | LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = mask | LENGTH_64;
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2);
    frame.writeUInt32BE(length % 2 ** 32, 6);
  }
}
