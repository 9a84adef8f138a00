import { connect } from '@rootbound/protocol/client';
import { webSocket } from '@rootbound/protocol/ws';
import { expect, onTestFinished } from 'vitest';
import { answerDials, type Frames } from '../frames.ts';
import type { Message } from '../message.ts';
import { everything } from './tour.ts';
import { over } from './world.ts';

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};

/** Answers the requests of a client, frame by frame. */
async function serve(frames: Frames): Promise<void> {
  const answered = new Set<unknown>();
  for (;;) {
    const message: Message = await frames.message(
      ({ id, method }) => method !== undefined && id !== undefined && !answered.has(id),
    );
    answered.add(message.id);
    frames.say({ id: message.id, result: message.method === 'initialize' ? hello : { tools: [] } });
  }
}

const options = { name: 'tester', version: '1', era: 'handshake', revision: '2025-06-18' } as const;

over(
  ['2025-06-18'],
  'the client sends one message per frame, and begins with initialize',
  async ({ proves }) => {
    let server: Frames | undefined;
    const url = await answerDials((frames) => {
      server = frames;
      serve(frames).catch(() => {});
    });
    const client = await connect(webSocket(url), { ...options, ...everything() });
    await client.listTools();
    server?.frame(1, ' {"jsonrpc":"2.0",\n"id":"q","method":"roots/list"}');
    const answer = await server?.message(({ id }) => id === 'q');
    proves('2025-06-18/transport-websocket/full-duplex-both-sides-send', () =>
      expect(answer.result.roots).toHaveLength(1),
    );
    proves('2025-06-18/transport-websocket/no-newline-delimiter-required', () => expect(answer.id).toBe('q'));
    const texts = server?.seen.filter(({ opcode }) => opcode === 1) ?? [];
    proves('2025-06-18/transport-websocket/handshake-runs-inside-the-socket', () =>
      expect(JSON.parse(texts[0]?.text ?? '').method).toBe('initialize'),
    );
    proves('2025-06-18/transport-websocket/one-json-message-per-text-frame', () => {
      expect(texts.length).toBeGreaterThan(3);
      for (const { text, final } of texts)
        expect([final, Array.isArray(JSON.parse(text)), text.endsWith('\n')]).toEqual([true, false, false]);
    });
    const closing = client.close();
    while (server?.seen.at(-1)?.opcode !== 8) await new Promise((resolve) => setImmediate(resolve));
    server.frame(8, Buffer.from([0x03, 0xe8]));
    await closing;
    proves('2025-06-18/transport-websocket/close-handshake-ends-session', () =>
      expect(server?.seen.at(-1)?.opcode).toBe(8),
    );
  },
);

over(['2025-06-18'], 'after a lost socket the client repeats the handshake', async ({ proves }) => {
  const all: Frames[] = [];
  const url = await answerDials((frames) => {
    all.push(frames);
    serve(frames).catch(() => {});
  });
  const client = await connect(webSocket(url), { ...options, reopen: { delay: 1 }, onError: () => {} });
  onTestFinished(() => client.close());
  await client.listTools();
  all[0]?.destroy();
  await client.listTools();
  const first = all[1]?.seen.find(({ opcode }) => opcode === 1);
  proves('2025-06-18/transport-websocket/dropped-socket-needs-fresh-initialize', () =>
    expect([all.length, JSON.parse(first?.text ?? '{}').method]).toEqual([2, 'initialize']),
  );
});

over(['2025-06-18'], 'the client sends its credentials in headers', async ({ proves }) => {
  const seen: unknown[] = [];
  const url = await answerDials((frames, headers) => {
    seen.push(headers.authorization);
    serve(frames).catch(() => {});
  });
  const client = await connect(webSocket(url, { headers: { Authorization: 'Bearer good' } }), options);
  onTestFinished(() => client.close());
  proves('2025-06-18/transport-websocket/connection-secured-like-a-web-api', () => {
    expect(seen).toEqual(['Bearer good']);
    expect(url).not.toContain('good');
  });
});
