import { describe, expect, test } from 'vitest';
import { ChunkBuffer } from '../../src/jsonrpc/chunk-buffer.ts';
import { encodeFrame, opcodes } from '../../src/transports/ws/frame.ts';
import { FrameReader } from '../../src/transports/ws/reader.ts';
import { liveBytes } from '../socket/memory.mjs';
import { closeFrame, frame, textFrame } from './raw.ts';

/** Returns everything that a reader reports for chunks, in order. */
function readAll(chunks: readonly Buffer[], limit = 1_000_000, masked = true): unknown[] {
  const all: unknown[] = [];
  const reader = new FrameReader(
    {
      text: (text) => all.push(text),
      ping: (payload) => all.push(['ping', Buffer.from(payload).toString()]),
      pong: () => all.push('pong'),
      close: (code, reason) => all.push(['close', code, reason]),
      fail: (code) => all.push(['fail', code]),
    },
    { limit, masked },
  );
  // a reader changes its input
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return all;
}

const streams: Readonly<Record<string, Buffer>> = {
  'messages, fragments and control frames': Buffer.concat([
    textFrame('{"short":1}'),
    frame({ opcode: 1, payload: 'x'.repeat(200), fin: false }),
    frame({ opcode: 9, payload: 'between' }),
    frame({ opcode: 0, payload: '漢', fin: false }),
    frame({ opcode: 10 }),
    frame({ opcode: 0, payload: '😀' }),
    textFrame(''),
    closeFrame(1000, 'bye ü'),
    textFrame('not read'),
  ]),
  'a fault in the middle': Buffer.concat([
    textFrame('a'),
    frame({ opcode: 1, fin: false, payload: 'b' }),
    frame({ opcode: 3 }),
    textFrame('not read'),
  ]),
  'a length over the limit': Buffer.concat([textFrame('a'), frame({ opcode: 1, announced: 2n ** 40n })]),
};

describe.each(Object.entries(streams))('%s', (_what, bytes) => {
  test('is the same however it is split', () => {
    const whole = readAll([bytes]);
    expect(whole.length).toBeGreaterThan(1);
    expect(readAll([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole);
    for (const at of bytes.keys())
      expect(readAll([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
  });
});

test('a long message in chunks and fragments of every size is read unchanged', () => {
  const text = Array.from({ length: 40_000 }, (_, at) =>
    String.fromCodePoint(33 + (at % 90), 0x4e00 + (at % 20_000)),
  ).join('');
  const bytes = Buffer.from(text);
  const frames: Buffer[] = [];
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 10_007) {
    frames.push(
      frame({
        opcode: at === 0 ? 1 : 0,
        fin: at + size >= bytes.length,
        payload: bytes.subarray(at, at + size),
      }),
    );
  }
  const stream = Buffer.concat(frames);
  for (const size of [1, 999, 65_536]) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) chunks.push(stream.subarray(at, at + size));
    expect(readAll(chunks)[0] === text).toBe(true);
  }
});

test.each([0, 1, 125, 126, 127, 16_384, 16_385, 32_768, 65_535, 65_536, 200_000])(
  'a message of %i bytes in pieces is written as one frame, masked or not',
  (length) => {
    const text = 'ab漢'.repeat(Math.ceil(length / 5)).slice(0, length);
    const bytes = Buffer.from(text);
    const pieces = [
      text.slice(0, 3),
      Buffer.from(text.slice(3, 100)),
      text.slice(100, 150),
      Buffer.from(text.slice(150)),
    ];
    for (const masked of [true, false]) {
      const written = encodeFrame(opcodes.text, pieces, masked).map((piece) => Buffer.from(piece));
      const head = bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10;
      const whole = Buffer.concat(written);
      expect(whole.length).toBe(head + (masked ? 4 : 0) + bytes.length);
      expect(readAll([whole], 1_000_000, masked)).toEqual([text]);
      expect(
        readAll(
          [Buffer.concat(encodeFrame(opcodes.text, text, masked).map((piece) => Buffer.from(piece)))],
          1_000_000,
          masked,
        ),
      ).toEqual([text]);
    }
  },
);

test('buffered bytes use about as much memory as their number, for any chunk size', () => {
  const gathering = new ChunkBuffer();
  const before = liveBytes();
  for (let count = 0; count < 400_000; count++) {
    // a new chunk of which little is kept
    if (count % 400 === 0)
      gathering.add(
        Buffer.allocUnsafeSlow(64 * 1024)
          .fill(97)
          .subarray(0, 2000),
      );
    gathering.add(Buffer.of(98));
  }
  const held = liveBytes() - before;
  expect(gathering.length).toBe(400_000 + 1000 * 2000);
  expect(held).toBeLessThan(2 * gathering.length);
  const whole = gathering.take();
  expect([whole.length, gathering.length]).toEqual([2_400_000, 0]);
  expect(whole.subarray(0, 2402).equals(Buffer.from(`${'a'.repeat(2000)}${'b'.repeat(400)}aa`))).toBe(true);
});
