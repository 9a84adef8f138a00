import { describe, expect, test } from 'vitest';
import { SseReader } from '../../src/jsonrpc/sse.ts';

interface Seen {
  events: [string, string][];
  retries: number[];
  faults: string[];
  id: string | undefined;
}

function read(chunks: readonly (string | Uint8Array)[], limit = 1000): Seen {
  const seen: Seen = { events: [], retries: [], faults: [], id: undefined };
  const reader = new SseReader(
    {
      event: ({ type, data }) => seen.events.push([type, data]),
      retry: (milliseconds) => seen.retries.push(milliseconds),
      fault: (reason) => seen.faults.push(reason),
    },
    limit,
  );
  for (const chunk of chunks) reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  seen.id = reader.lastEventId;
  return seen;
}

const none = { retries: [], faults: [], id: undefined };

test.each([
  ['one line', 'data: a\n\n', [['message', 'a']]],
  ['several lines', 'data: a\ndata: b\ndata:\ndata: c\n\n', [['message', 'a\nb\n\nc']]],
  [
    'a name',
    'event: ping\ndata: a\n\ndata: b\n\n',
    [
      ['ping', 'a'],
      ['message', 'b'],
    ],
  ],
  [
    'no space after the colon',
    'data:a\n\ndata:  b\n\n',
    [
      ['message', 'a'],
      ['message', ' b'],
    ],
  ],
  [
    'a field without a colon',
    'data\n\ndata\ndata\n\n',
    [
      ['message', ''],
      ['message', '\n'],
    ],
  ],
  ['comments and unknown fields', ': hello\n:\nother: x\nDATA: x\ndata: a\n: b\n\n', [['message', 'a']]],
  ['colons in the data', 'data: {"a":"b: c"}\n\n', [['message', '{"a":"b: c"}']]],
  ['no data', 'event: x\n\ndata: a\n\n', [['message', 'a']]],
  ['empty lines', '\n\n\ndata: a\n\n\n\n', [['message', 'a']]],
  [
    'a byte order mark',
    '\ufeffdata: a\n\ndata: \ufeffb\n\n',
    [
      ['message', 'a'],
      ['message', '\ufeffb'],
    ],
  ],
  ['no end', 'data: a\n\ndata: b\n', [['message', 'a']]],
  ['words of every length', 'data: aé€😀\n\n', [['message', 'aé€😀']]],
])('a stream with %s is read, wherever it is split', (_name, stream, events) => {
  for (const [from, text] of [
    ['\n', stream],
    ['\r\n', stream.replaceAll('\n', '\r\n')],
    ['\r', stream.replaceAll('\n', '\r')],
  ]) {
    const bytes = Buffer.from(text!);
    expect([from, read([bytes])]).toEqual([from, { events, ...none }]);
    expect([from, read([...bytes].map((byte) => Uint8Array.of(byte)))]).toEqual([from, { events, ...none }]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect([from, cut, read(parts)]).toEqual([from, cut, { events, ...none }]);
    }
  }
});

describe('the id of the last event', () => {
  test('is known once the event is complete, and stays', () => {
    expect(read(['id: 1\ndata: a\n']).id).toBeUndefined();
    expect(read(['id: 1\ndata: a\n\n']).id).toBe('1');
    expect(read(['id: 1\ndata: a\n\ndata: b\n\n']).id).toBe('1');
    expect(read(['id: 1\ndata: a\n\nid: 2\ndata: b\n']).id).toBe('1');
  });

  test('is also set by an event without data', () => {
    expect(read(['id: 7\n\n'])).toEqual({ ...none, events: [], id: '7' });
    expect(read(['id: 7\ndata:\n\n'])).toEqual({ ...none, events: [['message', '']], id: '7' });
  });

  test('is reset by an empty one, and not changed by one with a NUL', () => {
    expect(read(['id: 1\n\nid\n\n']).id).toBe('');
    expect(read(['id: 1\n\nid: 2\0\n\n']).id).toBe('1');
  });
});

test('a retry time is reported if it is all digits', () => {
  expect(read(['retry: 10\nretry: x\nretry: -1\nretry: 1.5\nretry:\nretry: 20\n']).retries).toEqual([10, 20]);
});

describe('an event over the limit', () => {
  const whole = 'data: 12345\n\n';
  test.each([
    ['in one line', `data: 123456\n\n${whole}`],
    ['in several lines', `data: 123\ndata: 456\ndata: 7\n\n${whole}`],
    ['in bytes rather than characters', `data: €€\n\n${whole}`],
  ])('is dropped once and the next one is read: %s', (_name, text) => {
    for (const chunks of [[text], [...Buffer.from(text)].map((byte) => Uint8Array.of(byte))]) {
      expect(read(chunks, 5)).toEqual({ ...none, events: [['message', '12345']], faults: ['too-long'] });
    }
  });

  test('is not buffered while it arrives', () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    const seen = read(['data: ', ...Array.from({ length: 100 }, () => chunk), '\n\ndata: a\n\n'], 1000);
    expect([seen.events, seen.faults]).toEqual([[['message', 'a']], ['too-long']]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(chunk.length * 10);
  });

  test('is not a comment, which has no length limit', () => {
    const comment = Array.from({ length: 100 }, () => ':xxxxxxxxx');
    expect(read([...comment, '\ndata: a\n\n'], 5)).toEqual({ ...none, events: [['message', 'a']] });
  });
});

test('an event that is not UTF-8 is dropped and the others are read', () => {
  const bad = Buffer.concat([Buffer.from('data: a'), Buffer.from([0xff]), Buffer.from('\n\n')]);
  expect(read(['data: 1\n\n', bad, 'data: �\n\n'])).toEqual({
    ...none,
    events: [
      ['message', '1'],
      ['message', '�'],
    ],
    faults: ['not-utf8'],
  });
});
