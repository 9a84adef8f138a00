import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@rootbound/protocol/client';
import { socket } from '@rootbound/protocol/socket';
import { expect, onTestFinished } from 'vitest';
import { documentedTransports } from '../documents.ts';
import type { Message } from '../message.ts';
import { all } from '../revisions.ts';
import { over, type World } from './world.ts';

const serverInfo = { name: 's', version: '1' };

/** Creates a server on a Unix socket with newline-delimited messages, a client, and the server's log. */
async function open({ revision, stateless: modern }: World) {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-requirements-'));
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${folder}` : join(folder, 's');
  const text: string[] = [];
  const ends: Socket[] = [];
  const answer = ({ method, params }: Message): object | undefined => {
    if (method === 'initialize')
      return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
    if (method === 'server/discover')
      return {
        resultType: 'complete',
        supportedVersions: [revision],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
      };
    if (method === 'tools/call' && params.name === 'quick') return { resultType: 'complete', content: [] };
    return undefined;
  };
  const server = createServer((end) => {
    ends.push(end);
    let rest = '';
    end.setEncoding('utf8').on('data', (piece: string) => {
      text.push(piece);
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const message: Message = JSON.parse(line);
        const result = message.id === undefined ? undefined : answer(message);
        if (result !== undefined)
          end.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const end of ends) end.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const client = await connect(socket({ path }), {
    name: 'tester',
    version: '1.0.0',
    ...(modern ? {} : { era: 'handshake' as const, revision }),
  });
  onTestFinished(() => client.close());
  const heard = (): Message[] =>
    text
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Message);
  const awaitMessage = async (method: string): Promise<Message> => {
    for (;;) {
      const found = heard().find((message) => message.method === method);
      if (found !== undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { client, ends, text, heard, awaitMessage };
}

over(all, 'a client on a socket follows the document', async (world) => {
  const { proves } = world;
  const [connection, framing, exchange, cancellation] = documentedTransports(
    'connection',
    'framing',
    'exchange',
    'cancellation',
  );
  const { client, ends, text, heard, awaitMessage } = await open(world);
  const controller = new AbortController();
  const slow = client
    .callTool('slow', { text: 'one\ntwo' }, { signal: controller.signal })
    .catch(() => 'cancelled');
  await client.callTool('quick');
  proves('2024-11-05/base/custom-transport-documents-connection', () => {
    expect(connection).toContain('connects to the path');
    expect(ends).toHaveLength(1);
  });
  proves('2024-11-05/base/custom-transport-documents-message-exchange', () => {
    expect(exchange).toContain('responses arrive in any order');
    expect(heard().filter(({ method }) => method === 'tools/call')).toHaveLength(2);
  });
  proves('2026-07-28/base/custom-transport-documents-framing', () => {
    expect(framing).toContain('one line of UTF-8');
    expect(text.join('').trim().split('\n')).toHaveLength(heard().length);
  });
  controller.abort();
  const { params } = await awaitMessage('notifications/cancelled');
  const lost = client.callTool('lost').catch((error: { reason?: string }) => error.reason);
  ends[0]?.destroy();
  const outcomes = [await slow, await lost];
  proves('2026-07-28/base/custom-transport-documents-cancellation', () => {
    expect(cancellation).toContain('`notifications/cancelled`; a lost connection cancels');
    expect([params.requestId !== undefined, outcomes]).toEqual([true, ['cancelled', 'closed']]);
  });
});
