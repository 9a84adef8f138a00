import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { cuts, Dues, hostileMessages, PATIENCE_MS, PER_ROUND, rounds, seed } from './hostile.ts';
import { liveBytes } from './memory.mjs';
import { kinds, Places } from './places.ts';

const places = new Places();
const hello = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
};
const MOST_GROWTH = 16 * 1024 * 1024;

/** Sends every message of one round in pieces of random sizes, and checks the responses. */
async function assault(client: Socket, seedOfRound: number): Promise<void> {
  const messages = hostileMessages(PER_ROUND, seedOfRound);
  const dues = new Dues([{ text: '', bytes: Buffer.alloc(0), due: ['"hello"'] }, ...messages]);
  let rest = '';
  client.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) dues.hear(JSON.parse(line));
  });
  client.write(`${JSON.stringify(hello)}\n`);
  const all = Buffer.concat(messages.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
  for (const piece of cuts(all, seedOfRound)) {
    if (!client.write(piece)) await new Promise((resolve) => client.once('drain', resolve));
  }
  const over = new Promise((resolve) => client.once('close', resolve));
  await dues.until(0);
  // superfluous responses arrive before the end
  client.end();
  await over;
  expect([rest, dues.wrong()], `seed ${seedOfRound}`).toEqual(['', []]);
}

describe.each(kinds)('over %s', (kind) => {
  test(
    `${rounds * PER_ROUND} hostile messages (seed ${seed}) all get a response, use no lasting memory, and the server stays usable`,
    async () => {
      const stage = new Stage();
      const listener = await places.serve(fixtureServer(stage), places.address(kind));
      const before = liveBytes();
      for (let round = 0; round < rounds; round++) await assault(await places.dial(listener), seed + round);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      expect(stage.faults.filter((fault) => (fault as Error).message !== 'secret of the bug')).toEqual([]);
      const client = await places.talk(listener, '2025-11-25');
      expect(await client.ask('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toMatchObject({ result: {} });
      stage.faults.length = 0;
      expect(liveBytes() - before).toBeLessThan(MOST_GROWTH);
    },
    PATIENCE_MS,
  );
});
