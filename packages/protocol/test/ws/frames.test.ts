import { describe, expect, test } from 'vitest';
import { fixtureServer } from '../wire/fixture.ts';
import { closeFrame, type FrameParts, frame, type RawSocket, Sockets, textFrame } from './raw.ts';

const sockets = new Sockets();
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const pong = { jsonrpc: '2.0', id: 1, result: {} };
const LIMIT = 100_000;

const open = async (): Promise<RawSocket> => {
  const { url } = await sockets.serve(fixtureServer(), { messageLimit: LIMIT });
  return sockets.open(url);
};
const join = (...frames: Partial<FrameParts>[]): Buffer =>
  Buffer.concat(frames.map((parts) => frame({ opcode: 1, ...parts })));

describe('valid input', () => {
  test('the server writes every message as one text frame, unmasked', async () => {
    const client = await open();
    client.say(ping);
    const heard = await client.next();
    expect(heard).toMatchObject({ opcode: 1, fin: true, mask: undefined });
    expect(JSON.parse(String(heard?.payload))).toEqual(pong);
  });

  test('a fragmented message, with pings, pongs and empty fragments in between, is one message', async () => {
    const client = await open();
    client.write(
      join(
        { payload: ping.slice(0, 3), fin: false },
        { opcode: 9, payload: 'first' },
        { opcode: 0, payload: '', fin: false },
        { opcode: 10, payload: 'nobody asked' },
        { opcode: 0, payload: ping.slice(3, 20), fin: false },
        { opcode: 9, payload: 'second' },
        { opcode: 0, payload: ping.slice(20), fin: false },
        { opcode: 0, payload: '' },
      ),
    );
    expect([(await client.next())?.payload.toString(), (await client.next())?.payload.toString()]).toEqual([
      'first',
      'second',
    ]);
    expect(await client.message()).toEqual(pong);
  });

  test.each([0, 1, 124, 125])('a ping with %i bytes is answered with the same bytes', async (length) => {
    const client = await open();
    const payload = Buffer.alloc(length, 'ß');
    client.write(frame({ opcode: 9, payload }));
    expect(await client.next()).toMatchObject({ opcode: 10, payload });
  });

  test.each([1, 125, 126, 127, 65_535, 65_536, LIMIT])(
    'a message of %i bytes is read, and one of that length is written',
    async (length) => {
      const client = await open();
      const text = ping.padEnd(Math.max(ping.length, length));
      client.say(text);
      expect(await client.message()).toEqual(pong);
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      };
      client.say(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'initialize', params }));
      await client.message();
      const call = { name: 'big', arguments: { size: length } };
      client.say(JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: call }));
      expect((await client.message()).result.content[0].text).toHaveLength(length);
    },
  );

  test('a message may have line ends in it and after it, and any mask', async () => {
    const client = await open();
    client.write(
      frame({
        opcode: 1,
        payload: `{\n  "jsonrpc": "2.0",\r\n  "id": 1, "method": "ping"\n}\n`,
        mask: [0, 0, 0, 0],
      }),
    );
    client.write(frame({ opcode: 1, payload: ping, mask: [255, 1, 0, 128] }));
    expect([await client.message(), await client.message()]).toEqual([pong, pong]);
  });

  test.each([
    ['an empty message', ''],
    ['what is not JSON', '{"id":'],
    ['two messages in one', `${ping}\n${ping}`],
  ])('%s is a parse error, and the next message is served', async (_what, text) => {
    const client = await open();
    client.say(text);
    client.say(ping);
    expect([(await client.message()).error.code, await client.message()]).toEqual([-32700, pong]);
  });

  test('text that is split within a character, over fragments, is text', async () => {
    const client = await open();
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":"漢😀","method":"ping"}');
    for (const at of bytes.keys()) {
      client.write(
        join({ payload: bytes.subarray(0, at), fin: false }, { opcode: 0, payload: bytes.subarray(at) }),
      );
      expect((await client.message()).id).toBe('漢😀');
    }
  });
});

describe('a Close frame', () => {
  test.each([1000, 1001, 1003, 1008, 1011, 1012, 1014, 3000, 4999])(
    'with code %i is answered with it, and the server closes',
    async (code) => {
      const client = await open();
      client.write(closeFrame(code, 'so long'));
      expect(await client.goodbye()).toEqual([code, '']);
    },
  );

  test('without a code is answered without one', async () => {
    const client = await open();
    client.write(frame({ opcode: 8 }));
    expect(await client.goodbye()).toEqual([undefined, '']);
  });

  test('is the last frame that is read', async () => {
    const client = await open();
    client.write(Buffer.concat([closeFrame(1000), textFrame(ping), frame({ opcode: 2 })]));
    expect(await client.goodbye()).toEqual([1000, '']);
    expect(client.heard).toHaveLength(1);
  });
});

/** All protocol violations, with the code of the response. */
const broken: readonly (readonly [string, Buffer, number])[] = [
  ['a frame without a mask', join({ payload: ping, mask: undefined }), 1002],
  ['an empty frame without a mask', join({ opcode: 9, mask: undefined }), 1002],
  ...[1, 2, 4, 7].map(
    (reserved) => [`reserved bits ${reserved}`, join({ payload: ping, reserved }), 1002] as const,
  ),
  ['a reserved bit in a continuation', join({ fin: false }, { opcode: 0, reserved: 4 }), 1002],
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map(
    (opcode) => [`opcode ${opcode}`, join({ opcode }), 1002] as const,
  ),
  ['a binary message', join({ opcode: 2, payload: ping }), 1003],
  ['a fragment of a binary message', join({ opcode: 2, payload: ping, fin: false }), 1003],
  ['a continuation of nothing', join({ opcode: 0, payload: ping }), 1002],
  ['a message within a message', join({ payload: '{', fin: false }, { payload: ping }), 1002],
  ['a ping in fragments', join({ opcode: 9, fin: false }), 1002],
  ['a pong in fragments', join({ opcode: 10, fin: false }), 1002],
  ['a goodbye in fragments', join({ opcode: 8, fin: false }), 1002],
  ['a ping of 126 bytes', join({ opcode: 9, payload: 'x'.repeat(126) }), 1002],
  ['a pong with a length of 64 bits', join({ opcode: 10, payload: 'x', lengthForm: 64 }), 1002],
  ['a goodbye of 126 bytes', join({ opcode: 8, payload: 'x'.repeat(126) }), 1002],
  ['a length of 16 bits for 125 bytes', join({ payload: 'x'.repeat(125), lengthForm: 16 }), 1002],
  ['a length of 64 bits for 65535 bytes', join({ payload: 'x'.repeat(65_535), lengthForm: 64 }), 1002],
  ['a length of 64 bits for nothing', join({ lengthForm: 64 }), 1002],
  ['a length with its first bit set', join({ announced: 2n ** 63n, lengthForm: 64 }), 1002],
  ['the greatest length', join({ announced: 2n ** 64n - 1n, lengthForm: 64 }), 1002],
  ['a message over the limit, announced', join({ announced: BigInt(LIMIT + 1) }), 1009],
  ['a message of 2^63 - 1 bytes, announced', join({ announced: 2n ** 63n - 1n }), 1009],
  ['a message of 2^53 bytes, announced', join({ announced: 2n ** 53n }), 1009],
  [
    'a message over the limit in fragments',
    join({ payload: 'x'.repeat(LIMIT), fin: false }, { opcode: 0, payload: 'x' }),
    1009,
  ],
  ['text that is no UTF-8', join({ payload: Buffer.from([0x22, 0xff, 0x22]) }), 1007],
  ['text with a surrogate in UTF-8', join({ payload: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) }), 1007],
  ['text with an overlong form', join({ payload: Buffer.from([0xc0, 0xaf]) }), 1007],
  ['text that ends within a character', join({ payload: Buffer.from([0x22, 0xe6, 0xbc]) }), 1007],
  [
    'fragments that are no UTF-8 together',
    join({ payload: Buffer.from([0xe6]), fin: false }, { opcode: 0, payload: Buffer.from([0x22]) }),
    1007,
  ],
  ['a goodbye of one byte', join({ opcode: 8, payload: 'x' }), 1002],
  ...[0, 1, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map(
    (code) => [`a goodbye with code ${code}`, closeFrame(code), 1002] as const,
  ),
  ['a goodbye whose words are no UTF-8', join({ opcode: 8, payload: Buffer.from([3, 232, 0xff]) }), 1007],
];

describe('a protocol violation ends the connection, with its code and a reason, and nothing after it is read', () => {
  test.each(broken)('%s', async (_what, bytes, code) => {
    const client = await open();
    client.write(Buffer.concat([textFrame(ping), bytes, textFrame(ping)]));
    expect(await client.message()).toEqual(pong);
    const [given, reason] = await client.goodbye();
    expect(given).toBe(code);
    expect(reason).toMatch(/^[a-z].{8,}$/);
    expect(client.heard).toHaveLength(2);
  });

  test('the server continues for others', async () => {
    const listener = await sockets.serve(fixtureServer(), { messageLimit: LIMIT });
    const other = await sockets.open(listener.url);
    await Promise.all(
      broken.map(async ([, bytes]) => {
        const client = await sockets.open(listener.url);
        client.write(bytes);
        await client.goodbye();
      }),
    );
    other.say(ping);
    expect(await other.message()).toEqual(pong);
    expect(listener.connections).toBe(1);
  });

  test('a client that disconnects at any byte leaves nothing behind', async () => {
    const listener = await sockets.serve(fixtureServer());
    const bytes = Buffer.concat([textFrame(ping), join({ opcode: 9, payload: 'ab' }), closeFrame(1000)]);
    for (const at of bytes.keys()) {
      const client = await sockets.open(listener.url);
      client.write(bytes.subarray(0, at));
      client.socket.end();
      await client.over();
    }
    await expect.poll(() => listener.connections, { timeout: 120_000 }).toBe(0);
  });
});
