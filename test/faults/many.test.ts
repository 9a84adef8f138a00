import { type Client, connect, http } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { openSite, type Site } from './site.ts';
import { connectTo, transportOf, wayNamed } from './ways.ts';

const streams = full ? 2_000 : 300;
const sessions = full ? 2_000 : 200;
/** Number of clients that are opened concurrently. */
const AT_ONCE = 32;

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await site.start();
});
afterAll(() => site.close());

/** Runs work a number of times, a few at once. */
async function times(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, worker));
}

/** Counts the notifications of many clients. */
class Tally {
  readonly heard: number[];
  #missing: number;
  #done: () => void = () => {};
  /** resolves when each was notified */
  readonly all: Promise<void>;

  constructor(count: number) {
    this.heard = Array.from({ length: count }, () => 0);
    this.#missing = count;
    this.all = new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  count(i: number): void {
    this.heard[i]! += 1; // it is one of them
    if (this.heard[i] !== 1) return;
    this.#missing -= 1;
    if (this.#missing === 0) this.#done();
  }
}

/** Returns numbers in a fixed pseudo-random order. */
function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, i) => i);
  let state = 20_260_728;
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const j = state % (i + 1);
    [numbers[i], numbers[j]] = [numbers[j]!, numbers[i]!]; // both are in it
  }
  return numbers;
}

test.each(['stateless HTTP', 'Unix socket, stateless', 'WebSocket, stateless'])(
  'each of many subscriptions is notified of its own change only, over %s',
  async (name) => {
    const way = wayNamed(name);
    const client = await connectTo(transportOf(way, site, undefined), way);
    onTestFinished(() => client.close());
    const tally = new Tally(streams);
    const fence = new Tally(streams);
    const strangers: string[] = [];
    await times(streams, async (i) => {
      const own = `memo://${i}`;
      const resourceSubscriptions = [own, 'memo://fence'];
      await client.subscribe({ resourceSubscriptions }, (change) => {
        const uri = change.kind === 'resource' ? change.uri : change.list;
        if (uri === own) tally.count(i);
        else if (uri === 'memo://fence') fence.count(i);
        else strangers.push(`${i} heard of ${uri}`);
      });
    });
    const uris = shuffled(streams).map((i) => `memo://${i}`);
    await site.tell({ do: 'touch', uris });
    await tally.all;
    await site.tell({ do: 'touch', uris: ['memo://fence'] });
    await fence.all;
    expect(strangers).toEqual([]);
    expect([...new Set([...tally.heard, ...fence.heard])]).toEqual([1]);
    expect((await client.callTool('look', { id: 'many' })).isError).not.toBe(true);
  },
);

test('each of many idle sessions is notified once of a list change', async () => {
  const clients: Client[] = [];
  onTestFinished(async () => {
    await times(clients.length, (i) => clients[i]!.close()); // it is one of them
  });
  const tools = new Tally(sessions);
  const prompts = new Tally(sessions);
  await times(sessions, async (i) => {
    const transport = http(`http://127.0.0.1:${site.port}/mcp`);
    const client = await connect(transport, { name: 'idle', version: '1.0.0', era: 'handshake' });
    clients.push(client);
    await client.onListChanged('tools', () => tools.count(i));
    await client.onListChanged('prompts', () => prompts.count(i));
  });
  await site.tell({ do: 'change', list: 'tools' });
  await tools.all;
  await site.tell({ do: 'change', list: 'prompts' });
  await prompts.all;
  expect([...new Set([...tools.heard, ...prompts.heard])]).toEqual([1]);
});
