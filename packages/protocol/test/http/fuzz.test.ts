import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { Dues, type Hostile, hostileMessages, PER_ROUND, rounds, seed } from '../socket/hostile.ts';
import { liveBytes } from '../socket/memory.mjs';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import type { Message } from '../wire/message.ts';
import { ask, begin, call, initialize, listen, sampleServer, stateless } from './wire.ts';

const CONNECTIONS = 16;
const MOST_GROWTH = 64 * 1024 * 1024;

interface Reply {
  status: number;
  messages: Message[];
}

/** Posts bytes over kept-alive connections and returns every message of the response. */
function poster(port: number, headers: Record<string, string>): (bytes: Buffer) => Promise<Reply> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  onTestFinished(() => agent.destroy());
  const usual = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  return (bytes) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent };
      const sent = httpRequest({ ...options, headers: { ...usual, ...headers } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => {
          const isStream = response.headers['content-type'] === 'text/event-stream';
          resolve({ status: response.statusCode ?? 0, messages: isStream ? dataOf(text) : parsed(text) });
        });
      });
      sent.on('error', reject);
      sent.end(bytes);
    });
}

function parsed(text: string): Message[] {
  return text === '' ? [] : [JSON.parse(text)];
}

function dataOf(text: string): Message[] {
  const lines = text.split('\n').filter((line) => line.startsWith('data: {') || line.startsWith('data: ['));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}

/** Posts every message, one per connection at a time, and settles the due responses. */
async function assault(messages: readonly Hostile[], post: (bytes: Buffer) => Promise<Reply>): Promise<void> {
  const queue = [...messages].reverse();
  // checked at once: an expectation for each of a million takes a minute
  const wrong: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let message = queue.pop(); message !== undefined; message = queue.pop()) {
      const dues = new Dues([message]);
      const { status, messages: answers } = await post(message.bytes);
      for (const answer of answers) dues.hear(answer);
      // an unreadable message has a response without an id
      const unsettled = status === 400 ? [] : dues.wrong();
      const fits = message.due.length > 0 ? status === 200 || status === 400 : status === 202;
      if (unsettled.length > 0 || !fits)
        wrong.push([message.text ?? message.bytes.toString('latin1'), status, unsettled]);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  expect(wrong).toEqual([]);
}

test(`${rounds * PER_ROUND} hostile messages in a session (seed ${seed}) all get a response, and the server stays usable`, async () => {
  const stage = new Stage();
  const to = await listen(fixtureServer(stage));
  const headers = await initialize(to, '2025-03-26');
  const post = poster(to.port, headers);
  const before = liveBytes();
  for (let round = 0; round < rounds; round++) await assault(hostileMessages(PER_ROUND, seed + round), post);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(stage.faults.filter((fault) => (fault as Error).message !== 'secret of the bug')).toEqual([]);
  const { json } = await ask(to, { headers, body: call(1, 'ping') });
  expect(json).toMatchObject({ id: 1, result: {} });
  stage.faults.length = 0;
  expect(liveBytes() - before).toBeLessThan(MOST_GROWTH);
});

test(`hostile requests without a session (seed ${seed}) get a status and one response each`, async () => {
  const to = await listen(sampleServer().server, { keepAlive: 5 });
  const strings = fc.string({ unit: 'binary', maxLength: 30 });
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), strings);
  const cases = fc.sample(
    fc.record({
      method: fc.constantFrom(
        'tools/call',
        'tools/list',
        'server/discover',
        'resources/read',
        'ping',
        'no/such',
        '__proto__',
      ),
      params: fc.dictionary(
        fc.constantFrom('name', 'uri', 'arguments', 'cursor', 'requestState', 'inputResponses', '__proto__'),
        odd,
      ),
      meta: fc.dictionary(
        fc.constantFrom(
          'progressToken',
          '__proto__',
          'io.modelcontextprotocol/logLevel',
          'io.modelcontextprotocol/clientInfo',
        ),
        odd,
      ),
      drop: fc.constantFrom(undefined, undefined, 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'),
    }),
    { seed, numRuns: tenth(3000) },
  );
  for (const [index, { method, params, meta, drop }] of cases.entries()) {
    const headers = drop === undefined ? {} : { [drop]: undefined };
    const asking = stateless(index, method, params, { meta, headers });
    // the client must encode values that no header can carry
    for (const [name, value] of Object.entries(asking.headers ?? {})) {
      if (typeof value !== 'string' || !/^[\x20-\x7e]*$/.test(value)) delete asking.headers?.[name];
    }
    const answer = await ask(to, asking);
    const last = answer.events.at(-1)?.data ?? answer.text;
    const { id, result, error } = JSON.parse(last) as Message;
    expect([asking.body, [200, 400, 404].includes(answer.status), id, result === undefined]).toEqual([
      asking.body,
      true,
      index,
      error !== undefined,
    ]);
  }
});

test(`bytes that are not HTTP (seed ${seed}) end their connection and nothing else`, async () => {
  const to = await listen(sampleServer().server, { headersTimeout: 200, requestTimeout: 200 });
  const good =
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  const mangled = fc.sample(
    fc.record({
      at: fc.nat(good.length - 1),
      length: fc.nat(8),
      put: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.constantFrom('\r\n', '\0', ' ', 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n'),
      ),
    }),
    { seed, numRuns: tenth(500) },
  );
  await Promise.all(
    mangled.map(async ({ at, length, put }) => {
      const socket = connect(to.port, '127.0.0.1');
      socket.on('error', () => {
        // a reset connection has ended too
      });
      socket.resume();
      socket.end(`${good.slice(0, at)}${put}${good.slice(at + length)}`);
      await once(socket, 'close');
    }),
  );
  expect((await ask(to, stateless(1, 'tools/list'))).status).toBe(200);
});

test('a response that its client cuts off at any byte does not disturb the next', async () => {
  const to = await listen(sampleServer().server);
  const asking = stateless(
    1,
    'tools/call',
    { name: 'report', arguments: {} },
    { meta: { progressToken: 1 } },
  );
  const whole = (await ask(to, asking)).text.length;
  for (let at = 0; at < whole; at += 7) {
    const { request, response } = begin(to, asking);
    let seen = 0;
    const incoming = await response;
    await new Promise<void>((resolve) => {
      incoming.on('data', (chunk: Buffer) => {
        seen += chunk.length;
        if (seen < at) return;
        request.destroy();
        resolve();
      });
      incoming.on('error', () => resolve());
      incoming.on('close', () => resolve());
    });
  }
  const { events } = await ask(to, asking);
  expect(JSON.parse(events.at(-1)?.data ?? '{}').id).toBe(1);
});
