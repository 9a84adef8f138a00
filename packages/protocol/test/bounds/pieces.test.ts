import { once } from 'node:events';
import { createServer as createNodeServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { SseReader } from '../../src/jsonrpc/sse.ts';
import { readText } from '../../src/transports/http-client/body.ts';
import { listen, sampleServer } from '../http/wire.ts';
import { liveBytes } from '../socket/memory.mjs';

const MANY = full ? 300_000 : 100_000;
/** The memory limit; as many objects would take several times as much. */
const MOST_HELD = MANY * 40;

test('a body in chunks of one byte uses about as much memory as its bytes', async () => {
  const to = await listen(sampleServer().server);
  const before = liveBytes();
  let came = 0;
  const all = new Promise<void>((resolve) => {
    to.listener.on('request', (request: IncomingMessage) => {
      request.on('data', (chunk: Buffer) => {
        came += chunk.length;
        if (came === MANY) resolve();
      });
    });
  });
  const socket = connect(to.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  socket.write('1\r\n \r\n'.repeat(MANY));
  await all;
  expect(liveBytes() - before).toBeLessThan(MOST_HELD);
});

test('a response in chunks of one byte uses about as much memory of a client as its bytes', async () => {
  const before = liveBytes();
  let held = Number.POSITIVE_INFINITY;
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for (let one = 0; one < MANY; one += 1) yield new Uint8Array(1).fill(32);
    held = liveBytes() - before;
  }
  const response = { status: 200, header: () => undefined, chunks: chunks(), cancel: () => {} };
  expect((await readText(response, MANY)).length).toBe(MANY);
  expect(held).toBeLessThan(MOST_HELD);
});

test('a line of an event stream in chunks of one byte uses about as much memory as its bytes', () => {
  const sink = { event: () => {}, retry: () => {}, fault: () => {} };
  const reader = new SseReader(sink, MANY * 2);
  const before = liveBytes();
  for (let one = 0; one < MANY; one += 1) reader.push(new Uint8Array(1).fill(120));
  expect(liveBytes() - before).toBeLessThan(MOST_HELD);
  expect(reader.lastEventId).toBeUndefined();
});

test('an event of endless lines without text exceeds the limit too', () => {
  const faults: string[] = [];
  const events: number[] = [];
  const reader = new SseReader(
    {
      event: ({ data }) => void events.push(data.length),
      retry: () => {},
      fault: (reason) => void faults.push(reason),
    },
    1000,
  );
  reader.push(Buffer.from(`${'data:\n'.repeat(1001)}\n`));
  reader.push(Buffer.from(`${'data:\n'.repeat(1002)}\n`));
  expect([events, faults]).toEqual([[1000], ['too-long']]);
});

test('a server whose headers do not end is an error for its client', async () => {
  const { connect: connectClient, http } = await import('../../src/client.ts');
  const listener = createNodeServer((request) => {
    const { socket } = request;
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(`X-More: ${'x'.repeat(1000)}\r\n`));
    };
    socket.on('drain', more);
    socket.on('error', () => {
      // the client is expected to disconnect
    });
    more();
  });
  listener.listen(0, '127.0.0.1');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  await expect(
    connectClient(http(url), { name: 'me', version: '1.0.0', era: 'handshake' }),
  ).rejects.toThrow();
});
