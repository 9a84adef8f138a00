import { createServer as createHttpServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { outermost } from '../../../../test/extent.ts';
import { connect, http } from '../../src/client.ts';
import { createServer } from '../../src/index.ts';
import { call } from '../http/wire.ts';
import type { Message } from '../wire/message.ts';
import { kinds, REVISION } from './kinds.ts';
import { VALUES_LIMIT, withValues } from './values.ts';

const quiet = () => createServer({ name: 'quiet', version: '1.0.0' });
const ping = (x: unknown): string => call('many', 'ping', { x });

const answered = [
  ['the most values', withValues(500_000, ping)],
  ['brackets, commas and quotes in its strings', ping(`${'[{,"'.repeat(200_000)}`)],
] as const;
const refused = [
  ['one value more', withValues(500_001, ping)],
  ['millions of empty objects', ping([]).replace('[]', `[${'{},'.repeat(5_000_000)}{}]`)],
  ['a depth of millions', ping([]).replace('[]', `${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}`)],
  [
    'keys that are all different',
    ping(Object.fromEntries(Array.from({ length: 600_000 }, (_, at) => [`k${at}`, 0]))),
  ],
] as const;

describe.each(outermost(Object.keys(kinds)))('over %s', (name) => {
  const open = kinds[name]!; // the names are its keys

  test.each(answered)('a message with %s is answered', async (_what, message) => {
    const { say } = await open(quiet());
    expect(await say(message)).toEqual({ jsonrpc: '2.0', id: 'many', result: {} });
  });

  test.each(refused)(
    'a message with %s is refused before it is parsed, and the connection continues',
    async (_what, message) => {
      const { say, status } = await open(quiet());
      expect(await say(message)).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: VALUES_LIMIT },
        ...(status && { status: 413 }),
      });
      expect(await say(call('after', 'ping'))).toEqual({ jsonrpc: '2.0', id: 'after', result: {} });
    },
  );
});

test('a response with too many values fails only its request', async () => {
  const listener = createHttpServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body) as Message;
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const introduced = {
        protocolVersion: REVISION,
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      };
      const answer = (x: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: { x } });
      response.writeHead(200, { 'Content-Type': 'application/json' });
      if (method === 'initialize') response.end(JSON.stringify({ jsonrpc: '2.0', id, result: introduced }));
      else response.end(method === 'many' ? withValues(500_001, answer) : answer(0));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as { port: number };
  const client = await connect(http(`http://127.0.0.1:${port}/`), {
    name: 'tester',
    version: '1.0.0',
    era: 'handshake',
    revision: REVISION,
  });
  await expect(client.request('many', {})).rejects.toThrow(
    `a response of the server is too large: ${VALUES_LIMIT}`,
  );
  await client.ping();
  await client.close();
});
