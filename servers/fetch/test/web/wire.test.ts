import { expect, test } from 'vitest';
import { BodyQueue } from '../../src/web/body-queue.ts';

const flow = { pause() {}, resume() {} };

async function piecesOf(wire: BodyQueue): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of wire) pieces.push(piece);
  return pieces;
}

test('what comes a byte at a time while nobody reads is read in few pieces', async () => {
  const wire = new BodyQueue(flow);
  for (let at = 0; at < 100_000; at++) wire.push(Buffer.of(at % 251));
  wire.end();
  const pieces = await piecesOf(wire);
  expect(pieces.length).toBeLessThan(10);
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251)));
});

test('pieces of any size are read in order, and none changes after it was read', async () => {
  const sizes = [1, 1023, 1024, 1, 1, 20_000, 3, 900, 1025, 7, 7, 7];
  const whole = Buffer.from(
    Array.from({ length: sizes.reduce((sum, size) => sum + size) }, (_, at) => at % 251),
  );
  const wire = new BodyQueue(flow);
  const read: Uint8Array[] = [];
  let at = 0;
  for (const [index, size] of sizes.entries()) {
    wire.push(whole.subarray(at, at + size));
    at += size;
    if (index % 4 === 3) read.push((await wire.next()).value);
  }
  wire.end();
  read.push(...(await piecesOf(wire)));
  expect(Buffer.concat(read).equals(whole)).toBe(true);
});
