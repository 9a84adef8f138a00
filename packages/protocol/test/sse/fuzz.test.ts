import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { Dues, hostileMessages, PATIENCE_MS, PER_ROUND, rounds, seed } from '../socket/hostile.ts';
import { liveBytes } from '../socket/memory.mjs';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { type Listening, ping, Site } from './client.ts';

const site = new Site();
const MOST_GROWTH = 16 * 1024 * 1024;
/** number of connections for POSTs */
const LANES = 8;

/** unanswered POSTs of one connection: together as many as a session accepts */
const AT_ONCE = 64 / LANES;

/** Sends bodies one after the other, with several in progress; returns the statuses and bodies of the responses. */
async function post(url: URL, bodies: readonly Buffer[]): Promise<{ status: number; body: string }[]> {
  const socket = connect(Number(url.port), url.hostname);
  const answers: { status: number; body: string }[] = [];
  let rest = '';
  const over = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed')));
    socket.setEncoding('latin1').on('data', (text: string) => {
      rest += text;
      for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
        const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, end))?.[1]);
        if (rest.length < end + 4 + length) break;
        answers.push({ status: Number(rest.slice(9, 12)), body: rest.slice(end + 4, end + 4 + length) });
        rest = rest.slice(end + 4 + length);
      }
      if (answers.length === bodies.length) resolve();
    });
  });
  const head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json`;
  for (const [at, body] of bodies.entries()) {
    while (at - answers.length >= AT_ONCE)
      await Promise.race([over, new Promise((resolve) => socket.once('data', resolve))]);
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n`);
    if (!socket.write(body))
      await Promise.race([over, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  await over;
  socket.destroy();
  return answers;
}

/** Sends every message of one round; a message that is refused at once gets its status. */
async function assault(listening: Listening, seedOfRound: number): Promise<void> {
  const messages = hostileMessages(PER_ROUND, seedOfRound);
  const dues = new Dues(messages);
  const client = await site.open(listening, '2025-03-26');
  await client.introduce();
  client.checks = false;
  const listen = async (): Promise<void> => {
    for (;;) dues.hear(await client.message());
  };
  const over = listen().catch((error: Error) => error.message);
  const url = new URL(client.endpoint, listening.origin);
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    messages.filter((_message, at) => at % LANES === lane).map(({ bytes }) => bytes),
  );
  const answers = (await Promise.all(lanes.map((bodies) => post(url, bodies)))).flat();
  for (const { status, body } of answers.filter((answer) => answer.status !== 202)) {
    expect([400, JSON.parse(body).id]).toEqual([status, null]);
    dues.hear(JSON.parse(body));
  }
  await dues.until(0);
  // superfluous responses arrive before this
  await client.say(ping);
  while (client.events.at(-1)?.data !== '{"jsonrpc":"2.0","id":"fence","result":{}}') await client.change();
  client.response.destroy();
  expect(await over).toBe('the stream is over');
  expect(
    dues.wrong().filter(([id]) => id !== '"fence"'),
    `seed ${seedOfRound}`,
  ).toEqual([]);
}

test(
  `${rounds * PER_ROUND} hostile messages (seed ${seed}) all get a response, use no lasting memory, and the server stays usable`,
  async () => {
    const stage = new Stage();
    const listening = await site.serve(fixtureServer(stage));
    const before = liveBytes();
    for (let round = 0; round < rounds; round++) await assault(listening, seed + round);
    expect(stage.faults.filter((fault) => (fault as Error).message !== 'secret of the bug')).toEqual([]);
    const client = await site.open(listening);
    await client.say(ping);
    expect((await client.message()).result).toEqual({});
    stage.faults.length = 0;
    expect(liveBytes() - before).toBeLessThan(MOST_GROWTH);
  },
  PATIENCE_MS,
);
