import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { createServer, tool } from '../../src/index.ts';
import { type Asking, ask, call, initialize, listen, sampleServer, stateless } from './wire.ts';

/** Returns a request as bytes. */
function bytesOf({ port }: { port: number }, { headers = {}, body = '' }: Asking): string {
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${String(body)}`;
}

/** Returns the bodies of `count` responses, in the order in which they arrive on one connection. */
async function answersTo(to: { port: number }, requests: string, count: number): Promise<string[]> {
  const socket = connect(to.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(requests);
  const bodies: string[] = [];
  let rest = Buffer.alloc(0);
  while (bodies.length < count) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(rest.toString('latin1', 0, end))?.[1]);
      if (end < 0 || rest.length < end + 4 + length) break;
      bodies.push(rest.toString('utf8', end + 4, end + 4 + length));
      rest = rest.subarray(end + 4 + length);
    }
  }
  expect(rest.length).toBe(0);
  return bodies;
}

test('requests in one packet are answered completely and in order', async () => {
  const to = await listen(sampleServer().server);
  const session = await initialize(to, '2025-11-25');
  const add = { name: 'add', arguments: { a: 1, b: 2 } };
  const requests = [
    stateless(1, 'tools/call', add),
    { headers: session, body: call(2, 'tools/call', add) },
    stateless(3, 'tools/list'),
    stateless(4, 'no/method'),
    { headers: session, body: call(5, 'tools/list') },
  ];
  const bodies = await answersTo(to, requests.map((request) => bytesOf(to, request)).join(''), 5);
  expect(bodies.map((body) => JSON.parse(body).id)).toEqual([1, 2, 3, 4, 5]);
});

test.each([
  'plain',
  'caf\u00e9',
  '\u6f22\u5b57',
  '\u{1f600} and \u00fc',
  '\ud800 alone',
  'x'.repeat(300_000),
])('the text %.20j arrives unchanged', async (text) => {
  const server = createServer({
    name: 'sayings',
    version: '1.0.0',
    tools: [tool({ name: 'say', description: 'says it', input: z.object({}), run: () => text })],
  });
  const to = await listen(server);
  const {
    json,
    headers,
    text: body,
  } = await ask(to, stateless(1, 'tools/call', { name: 'say', arguments: {} }));
  expect(json.result.content).toEqual([{ type: 'text', text }]);
  expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
});

test('an accepted header does not make other values acceptable', async () => {
  const to = await listen(sampleServer().server);
  const asked = stateless(1, 'tools/list');
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await ask(to, { ...asked, headers: { ...asked.headers, ...headers } })).status;
  for (const [headers, expected] of [
    [{}, 200],
    [{ Accept: 'application/json' }, 406],
    [{ 'Content-Type': 'application/jsonp' }, 415],
    [{ Accept: 'text/html' }, 406],
    [{ 'Content-Type': 'text/plain' }, 415],
    [{ Accept: '*/*', 'Content-Type': 'Application/JSON; charset=utf-8' }, 200],
    [{ 'Content-Type': 'text/application/json' }, 415],
    [{}, 200],
  ] as const)
    expect([headers, await status(headers)]).toEqual([headers, expected]);
});

test('a fault while a body is read gets a response and is reported', async () => {
  const faults: unknown[] = [];
  const server = createServer({
    name: 'failing',
    version: '1.0.0',
    tools: [],
    onError: (error) => faults.push(error),
  });
  const to = await listen(server, {
    authorizer: {
      authorize: () => ({ principal: 'a', scopes: [] }),
      permit: () => {
        throw new Error('the authorizer is broken');
      },
    },
  });
  const answer = await ask(to, stateless(1, 'tools/list'));
  expect([answer.status, answer.json.error]).toEqual([500, { code: -32603, message: 'internal error' }]);
  expect(faults).toEqual([expect.objectContaining({ message: 'the authorizer is broken' })]);
});
