import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { outermost } from '../../../../test/extent.ts';
import { connect, streams } from '../../src/client.ts';
import { createServer, type Server, tool } from '../../src/index.ts';
import { serveMemory } from '../../src/testing.ts';
import { call, Gate } from '../http/wire.ts';
import { Conversation } from '../wire/conversation.ts';
import { shakeHands } from '../wire/matrix.ts';
import type { Message } from '../wire/message.ts';
import { kinds, REVISION } from './kinds.ts';
import { VALUES_LIMIT, withValues } from './values.ts';

const LIMIT = 'a batch holds at most 1000 messages in 2 MiB; send fewer';

/** Returns a server with a tool that works synchronously, as parsers and searches do. */
function busyServer(began: () => void = () => {}): Server {
  const work = tool({
    name: 'work',
    description: 'works',
    input: z.object({}),
    run: () => {
      began();
      for (let sum = 0; sum < 2_000_000; sum += 1) void sum;
      return 'worked';
    },
  });
  return createServer({ name: 'busy', version: '1.0.0', tools: [work] });
}

const many = (count: number, one: (id: number) => string): string =>
  `[${Array.from({ length: count }, (_, id) => one(id)).join(',')}]`;
const ping = (id: number): string => call(id, 'ping');

const refused = [
  ['of one message more', many(1001, ping)],
  ['of 200,000 requests', many(200_000, ping)],
  ['of notifications alone', many(1001, () => '{"jsonrpc":"2.0","method":"notifications/x"}')],
  ['of few messages and many bytes', many(2, (id) => call(id, 'ping', { x: 'x'.repeat(1024 * 1024) }))],
] as const;

describe.each(outermost(Object.keys(kinds)))('over %s', (name) => {
  const open = kinds[name]!; // the names are its keys

  test('a batch of the maximum size is answered completely', async () => {
    const { say } = await open(busyServer());
    const answer = await say(many(1000, ping));
    expect(new Set(answer.map(({ id }: { id: number }) => id)).size).toBe(1000);
  });

  test.each(refused)(
    'a batch %s is refused by its limit, and the connection continues',
    async (_what, batch) => {
      const { say, status } = await open(busyServer());
      expect(await say(batch)).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: LIMIT },
        ...(status && { status: 413 }),
      });
      expect(await say(call('after', 'ping'))).toEqual({ jsonrpc: '2.0', id: 'after', result: {} });
    },
  );

  test('while a batch is served, another client gets its response', async () => {
    const began = new Gate();
    const { say, other } = await open(busyServer(began.open));
    const client = await connect(other, { name: 'other', version: '1.0.0', era: 'handshake' });
    const answered: string[] = [];
    const batch = say(many(500, (id) => call(id, 'tools/call', { name: 'work', arguments: {} })));
    const noted = batch.then(() => answered.push('the batch'));
    await began.passed;
    await client.ping();
    answered.push('the other');
    await noted;
    expect(answered).toEqual(['the other', 'the batch']);
    await client.close();
  });
});

test('a request of a batch that was cancelled before its turn never runs', async () => {
  let ran = 0;
  const talk = new Conversation(serveMemory(busyServer(() => (ran += 1))), REVISION);
  await shakeHands(talk, REVISION, {});
  const work = (id: number): string => call(id, 'tools/call', { name: 'work', arguments: {} });
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
  talk.say(`[${work(0)},${work(1)},${work(2)}]`);
  talk.say(cancel);
  const answer = await talk.next();
  expect([answer.map(({ id }: { id: number }) => id), ran]).toEqual([[0, 2], 2]);
});

describe('a client whose server sends too large messages', () => {
  test.each([
    ['messages', many(1001, () => '{"jsonrpc":"2.0","method":"notifications/x"}'), LIMIT],
    ['bytes', many(1, (id) => call(id, 'ping', { x: 'x'.repeat(2 * 1024 * 1024) })), LIMIT],
    ['values', withValues(500_001, (x) => call(1, 'ping', { x })), VALUES_LIMIT],
  ])('of %s drops it, reports it, and continues', async (_what, batch, limit) => {
    const toClient = new PassThrough();
    const toServer = new PassThrough();
    const faults: string[] = [];
    const reported = new Gate();
    toServer.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter((each) => each !== '')) {
        const { id, method } = JSON.parse(line) as Message;
        const result =
          method === 'initialize'
            ? { protocolVersion: REVISION, capabilities: {}, serverInfo: { name: 's', version: '1' } }
            : {};
        if (id !== undefined) toClient.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
      }
    });
    const client = await connect(
      streams(() => ({ input: toClient, output: toServer })),
      {
        name: 'tester',
        version: '1.0.0',
        era: 'handshake',
        revision: REVISION,
        onError: ({ message }) => {
          faults.push(message);
          reported.open();
        },
      },
    );
    toClient.write(`${batch}\n`);
    await reported.passed;
    await client.ping();
    expect(faults).toEqual([`a message of the server is too large: ${limit}`]);
    toClient.end();
    await client.close();
  });
});
