import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cuts,
  Dues,
  type Hostile,
  hostileMessages,
  PATIENCE_MS,
  PER_ROUND,
  rounds,
  seed,
} from '../socket/hostile.ts';
import { liveBytes } from '../socket/memory.mjs';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { frame, type RawSocket, Sockets, textFrame } from './raw.ts';

const sockets = new Sockets();
const hello = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
};
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const MOST_GROWTH = 16 * 1024 * 1024;

/** Returns random numbers below a limit, the same for the same seed. */
function dice(start: number): (sides: number) => number {
  let state = start >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % sides;
  };
}

/**
 * Yields a message as a client may send it: with any mask and number of fragments, with pings and pongs in
 * between.
 */
function* framesOf({ bytes }: Hostile, roll: (sides: number) => number): Generator<Buffer> {
  const mask = () => [roll(256), roll(256), roll(256), roll(256)] as const;
  const parts = roll(4) === 0 ? 1 + roll(5) : 1;
  for (let part = 0, at = 0; part < parts; part++) {
    const end = part === parts - 1 ? bytes.length : at + roll(bytes.length - at + 1);
    const opcode = part === 0 ? 1 : 0;
    yield frame({ opcode, fin: part === parts - 1, payload: bytes.subarray(at, end), mask: mask() });
    at = end;
    if (roll(20) === 0)
      yield frame({ opcode: roll(2) === 0 ? 9 : 10, payload: Buffer.alloc(roll(126)), mask: mask() });
  }
}

/** Sends every message of one round and checks the responses. */
async function assault(client: RawSocket, seedOfRound: number): Promise<void> {
  // input that is not text ends a connection, which other tests check
  const messages = hostileMessages(PER_ROUND, seedOfRound).filter(({ text }) => text !== undefined);
  expect(messages.length).toBeGreaterThan(PER_ROUND / 2);
  const dues = new Dues([{ text: '', bytes: Buffer.alloc(0), due: ['"hello"'] }, ...messages]);
  const roll = dice(seedOfRound);
  const listen = async (): Promise<void> => {
    for (let heard = await client.next(); heard?.opcode !== 8; heard = await client.next()) {
      if (heard === undefined) throw new Error('the server closed');
      if (heard.opcode === 1) dues.hear(JSON.parse(heard.payload.toString()));
    }
  };
  const over = listen();
  client.say(JSON.stringify(hello));
  const all = Buffer.concat(messages.flatMap((message) => [...framesOf(message, roll)]));
  for (const piece of cuts(all, seedOfRound)) {
    if (!client.socket.write(piece)) await new Promise((resolve) => client.socket.once('drain', resolve));
  }
  await Promise.race([dues.until(0), over]);
  client.write(frame({ opcode: 8 }));
  await over;
  expect(dues.wrong(), `seed ${seedOfRound}`).toEqual([]);
}

test(
  `${rounds * PER_ROUND} hostile messages (seed ${seed}) all get a response, use no lasting memory, and the server stays usable`,
  async () => {
    const stage = new Stage();
    const listener = await sockets.serve(fixtureServer(stage));
    const before = liveBytes();
    for (let round = 0; round < rounds; round++)
      await assault(await sockets.open(listener.url), seed + round);
    expect(stage.faults.filter((fault) => (fault as Error).message !== 'secret of the bug')).toEqual([]);
    const client = await sockets.open(listener.url);
    client.say(ping);
    expect(await client.message()).toMatchObject({ result: {} });
    stage.faults.length = 0;
    expect(liveBytes() - before).toBeLessThan(MOST_GROWTH);
  },
  PATIENCE_MS,
);

test(`500 streams of frames with faults in them, and of noise (seed ${seed}), each end with a suitable code, and the server stays usable`, async () => {
  const stage = new Stage();
  const listener = await sockets.serve(fixtureServer(stage), { messageLimit: 10_000 });
  const part = fc.record({
    opcode: fc.integer({ min: 0, max: 15 }),
    fin: fc.boolean(),
    reserved: fc.constantFrom(0, 0, 0, 0, 0, 1, 4, 7),
    payload: fc.uint8Array({ maxLength: 300 }),
    lengthForm: fc.constantFrom(undefined, undefined, undefined, 16, 64),
    announced: fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { freq: 20, nil: undefined }),
    masked: fc.boolean(),
  });
  const faulty = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) =>
    Buffer.concat(
      parts.map(({ opcode, fin, reserved, payload, lengthForm, announced, masked }) =>
        frame({
          opcode,
          fin,
          reserved,
          payload,
          ...(announced !== undefined ? { announced } : lengthForm !== undefined && { lengthForm }),
          ...(masked || payload.length % 3 > 0 ? {} : { mask: undefined }),
        }),
      ),
    ),
  );
  const noise = fc.uint8Array({ minLength: 1, maxLength: 2000 }).map((bytes) => Buffer.from(bytes));
  const codes = new Set<number>();
  for (const bytes of fc.sample(fc.oneof(faulty, noise), { seed, numRuns: 500 })) {
    const client = await sockets.open(listener.url);
    // ends whatever is still open
    client.write(Buffer.concat([bytes, textFrame(ping), frame({ opcode: 2 })]));
    client.socket.end();
    await client.over();
    const last = client.heard.findLast(({ opcode }) => opcode === 8);
    if (last !== undefined && last.payload.length > 1) codes.add(last.payload.readUInt16BE());
  }
  expect([...codes].filter((code) => code < 3000)).toEqual(expect.arrayContaining([1002, 1003, 1009]));
  expect(codes).not.toContain(1011);
  await expect.poll(() => listener.connections, { timeout: 120_000 }).toBe(0);
  expect(stage.faults).toEqual([]);
});
