import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { LineReader } from '../../src/jsonrpc/lines.ts';

type Heard = string | { fault: string };

/** Returns everything that a reader reports about chunks and the end of the stream. */
function read(chunks: readonly Uint8Array[], limit = 1_000_000): Heard[] {
  const heard: Heard[] = [];
  const reader = new LineReader(
    { line: (text) => heard.push(text), fault: (reason) => heard.push({ fault: reason }) },
    limit,
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return heard;
}

/** The same, line by line from the whole stream. */
function expected(bytes: Buffer): Heard[] {
  const heard: Heard[] = [];
  let start = 0;
  while (start <= bytes.length) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    const raw = bytes.subarray(start, end);
    const first = start === 0;
    start = end + 1;
    if (!isUtf8(raw)) {
      heard.push({ fault: 'not-utf8' });
      continue;
    }
    let line = raw.toString('utf8');
    if (first && line.startsWith('\ufeff')) line = line.slice(1);
    line = line.replace(/\r$/, '');
    if (line.trim() !== '') heard.push(line);
  }
  return heard;
}

/** Splits bytes at the given positions. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

const letter = fc.constantFrom('a', '{"b":1}', ' ', '\r', '\t', 'ä', '€', '💥', '\ufeff', '\ufffd', '\u2028');
const content = fc.array(letter, { maxLength: 6 }).map((letters) => Buffer.from(letters.join('')));
const broken = fc
  .constantFrom([0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x92], [0x80])
  .map((bytes) => Buffer.from(bytes));
const ending = fc.constantFrom(Buffer.from('\n'), Buffer.from('\r\n'));
const stream = (...lines: fc.Arbitrary<Buffer>[]): fc.Arbitrary<Buffer> =>
  fc
    .record({
      lines: fc.array(fc.tuple(fc.oneof(...lines), ending), { maxLength: 8 }),
      rest: content,
    })
    .map(({ lines: all, rest }) => Buffer.concat([...all.flat(), rest]));
const places = fc.array(fc.nat(), { maxLength: 10 });

test('lines are the same however the stream is split', () => {
  fc.assert(
    fc.property(stream(content), places, (bytes, at) => {
      expect(read(cut(bytes, at))).toEqual(expected(bytes));
    }),
    { numRuns: tenth(1000), verbose: 1 },
  );
});

test('lines that are not UTF-8 are reported, one fault each, without affecting other lines', () => {
  fc.assert(
    fc.property(
      stream(
        content,
        broken,
        fc.tuple(content, broken).map((both) => Buffer.concat(both)),
      ),
      places,
      (bytes, at) => {
        expect(read(cut(bytes, at))).toEqual(expected(bytes));
      },
    ),
    { numRuns: tenth(1000), verbose: 1 },
  );
});

test('faults over the limit are the same however the stream is split', () => {
  fc.assert(
    fc.property(stream(content), places, fc.integer({ min: 1, max: 16 }), (bytes, at, limit) => {
      const bytewise = Array.from(bytes, (byte) => Buffer.from([byte]));
      expect(read(cut(bytes, at), limit)).toEqual(read(bytewise, limit));
      expect(read([bytes], limit)).toEqual(read(bytewise, limit));
    }),
    { numRuns: tenth(1000), verbose: 1 },
  );
});

describe.each([
  ['at once', (bytes: Buffer) => [bytes]],
  ['byte by byte', (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.from([byte]))],
] as const)('%s', (_how, cutting) => {
  const hear = (text: string, limit: number): Heard[] => read(cutting(Buffer.from(text)), limit);
  const fault = { fault: 'too-long' };

  test.each(['\n', '\r\n'])(
    'a line of exactly the limit is accepted, and one byte more is not (%j)',
    (end) => {
      expect(hear(`12345678${end}a${end}`, 8)).toEqual(['12345678', 'a']);
      expect(hear(`123456789${end}a${end}`, 8)).toEqual([fault, 'a']);
    },
  );

  test('the limit counts bytes, not characters', () => {
    expect(hear('ääää\na\n', 8)).toEqual(['ääää', 'a']);
    expect(hear('äääää\na\n', 8)).toEqual([fault, 'a']);
    expect(hear('€€€\n💥💥\n💥💥x\n', 8)).toEqual([fault, '💥💥', fault]);
  });

  test('a line over the limit is reported once, however long it is, also at the end', () => {
    expect(hear(`${'x'.repeat(100)}\na\n${'y'.repeat(50)}`, 8)).toEqual([fault, 'a', fault]);
  });

  test('a byte order mark is removed only at the start of the stream', () => {
    expect(hear('\ufeffa\n\ufeffb\n', 100)).toEqual(['a', '\ufeffb']);
    expect(hear('\n\ufeffb\n', 100)).toEqual(['\ufeffb']);
    expect(hear(`${'x'.repeat(101)}\n\ufeffb\n`, 100)).toEqual([fault, '\ufeffb']);
  });

  test('a byte order mark is not removed after a line that was not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 10]), Buffer.from('\ufeffb\n')]);
    expect(read(cutting(bytes))).toEqual([{ fault: 'not-utf8' }, '\ufeffb']);
  });

  test('the rest without a line end is a line when the stream ends', () => {
    expect(hear('a\nb', 100)).toEqual(['a', 'b']);
    expect(hear('a\n', 100)).toEqual(['a']);
    expect(hear('', 100)).toEqual([]);
  });

  test('a carriage return inside a line is kept', () => {
    expect(hear('a\rb\r\r\n', 100)).toEqual(['a\rb\r']);
  });
});

test('the part of a line over the limit is not buffered', () => {
  const heard: string[] = [];
  const reader = new LineReader(
    { line: (text) => heard.push(text), fault: (reason) => heard.push(reason) },
    1024,
  );
  for (let i = 0; i < 10_000; i++) reader.push(Buffer.alloc(64, 'x'));
  expect(heard).toEqual(['too-long']);
  reader.push(Buffer.from('\nnext\n'));
  expect(heard).toEqual(['too-long', 'next']);
});

test('a line in many pieces is decoded once, at its end', () => {
  const text = JSON.stringify({ text: 'ä💥'.repeat(1000) });
  const bytes = Buffer.from(`${text}\n`);
  expect(read(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual([text]);
});
