import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { AnswerLostError, type HttpClientOptions } from '../../src/client.ts';
import { type Using, use } from './site.ts';

/** The bytes that a server writes to a request, and the number of them before it cuts the connection. */
interface Script {
  /** returns the bytes of the response to a call, or to a GET that resumes after an event */
  answer(call: { id: number; text: string }, resumed: string | undefined): string;
  /** bytes of the next response that are written before the connection is cut */
  cutAt: number;
}

interface Cutter {
  url: string;
  script: Script;
  /** texts of the calls */
  calls: string[];
}

/** Starts a server that cuts responses to calls as the script says, in one of the two eras. */
async function cutter(script: Script): Promise<Cutter> {
  const sockets = new Set<Socket>();
  const made: Cutter = { url: '', script, calls: [] };
  let call = { id: 0, text: '' };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {
      // the client may be gone
    });
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      const [head = '', body] = received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || Buffer.byteLength(body) < length) return;
      received = '';
      const resumed = /last-event-id: (.*)/i.exec(head)?.[1];
      const message = body === '' ? {} : JSON.parse(body);
      const reply = (status: string, text = ''): boolean =>
        socket.write(
          `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nContent-Type: application/json\r\n\r\n${text}`,
        );
      if (message.method === 'initialize') {
        const { protocolVersion } = message.params;
        const result = {
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'cutter', version: '1' },
        };
        reply('200 OK', JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      } else if (message.method === 'notifications/initialized') reply('202 Accepted');
      else if (message.method === undefined && resumed === undefined) reply('405 Method Not Allowed');
      else {
        if (resumed === undefined) {
          call = { id: message.id, text: message.params.name };
          made.calls.push(call.text);
        }
        const bytes = Buffer.from(made.script.answer(call, resumed));
        const { cutAt } = made.script;
        // the response after a cut is complete
        made.script.cutAt = Number.POSITIVE_INFINITY;
        if (cutAt >= bytes.length) socket.write(bytes);
        else if (cutAt === 0) socket.destroy();
        else socket.write(bytes.subarray(0, cutAt), () => socket.destroy());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  made.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`;
  return made;
}

const message = ({ id, text }: { id: number; text: string }): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: { resultType: 'complete', content: [{ type: 'text', text: `é${text}` }] },
  });
const head = (type: string, ...more: string[]): string =>
  ['HTTP/1.1 200 OK', `Content-Type: ${type}`, ...more, '', ''].join('\r\n');
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const log = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 1 },
});

const plain = (text: string): string =>
  head('application/json', `Content-Length: ${Buffer.byteLength(text)}`) + text;
const chunked = (text: string): string =>
  head('application/json', 'Transfer-Encoding: chunked') +
  chunk(text.slice(0, 20)) +
  chunk(text.slice(20)) +
  chunk('');
const events = (...list: string[]): string =>
  head('text/event-stream', 'Transfer-Encoding: chunked') + list.map(chunk).join('') + chunk('');

const formats = {
  'a JSON body with a length': (call: Parameters<Script['answer']>[0]) => plain(message(call)),
  'a JSON body in chunks': (call: Parameters<Script['answer']>[0]) => chunked(message(call)),
  'a stream of events': (call: Parameters<Script['answer']>[0]) =>
    events(`data: ${log}\n\n`, `data: ${message(call)}\n\n`),
};

/** Returns the numbers of bytes after which an answer is cut: some of them in `npm test`. */
function cutsFrom(first: number, last: number): number[] {
  const all = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return sampled(all, 7);
}

const carriers: [string, HttpClientOptions][] = [
  ['node:http', {}],
  ['fetch', { fetch }],
];
const eras: Using['era'][] = ['handshake', { pinned: '2026-07-28' }];

const cases = carriers.flatMap(([carrier, http]) =>
  Object.entries(formats).flatMap(([format, answer]) =>
    // a fetch behaves the same in both eras
    eras.slice(carrier === 'fetch' ? 1 : 0).map((era) => ({ carrier, http, era, format, answer })),
  ),
);

test.each(cases)(
  '$format that is cut at any byte, over $carrier, is one result or one error: $era',
  async ({ http, era, answer }) => {
    const served = await cutter({ answer, cutAt: Number.POSITIVE_INFINITY });
    const { client, faults } = await use(served, { era: era!, http: { ...http, reconnect: { delay: 1 } } });
    const whole = Buffer.byteLength(answer({ id: 10, text: '100' }));
    let [answered, lost] = [0, 0];
    const cuts = cutsFrom(0, whole);
    for (const cutAt of cuts) {
      served.script.cutAt = cutAt;
      const text = String(100 + cutAt);
      try {
        const { content } = await client.callTool(text);
        expect([cutAt, content]).toEqual([cutAt, [{ type: 'text', text: `é${text}` }]]);
        answered += 1;
      } catch (error) {
        expect([cutAt, error]).toEqual([cutAt, expect.any(AnswerLostError)]);
        lost += 1;
      }
    }
    // also on a reused connection that died without a byte
    expect(new Set(served.calls).size).toBe(served.calls.length);
    expect([answered + lost, faults]).toEqual([cuts.length, []]);
    expect(lost).toBeGreaterThan(cuts.length - 20);
  },
);

test.each(carriers)(
  'a stream whose events have ids delivers its response wherever it is cut, over %s',
  async (_carrier, http) => {
    const first = 'id: 1\ndata: \n\n';
    const answer: Script['answer'] = (call, resumed) =>
      events(
        ...(resumed === undefined ? [first] : []),
        ...(resumed === '1' || resumed === undefined ? [`id: 2\ndata: ${log}\n\n`] : []),
        `id: 3\ndata: ${message(call)}\n\n`,
      );
    const served = await cutter({ answer, cutAt: Number.POSITIVE_INFINITY });
    const { client } = await use(served, { era: 'handshake', http: { ...http, reconnect: { delay: 1 } } });
    let logs = 0;
    client.onLog(() => {
      logs += 1;
    });
    const opening = events('').length - chunk('').length * 2 + chunk(first).length;
    const whole = Buffer.byteLength(answer({ id: 10, text: '100' }, undefined));
    for (const [index, cutAt] of cutsFrom(opening, whole).entries()) {
      served.script.cutAt = cutAt;
      const text = String(100 + cutAt);
      const { content } = await client.callTool(text);
      expect([cutAt, content, logs]).toEqual([cutAt, [{ type: 'text', text: `é${text}` }], index + 1]);
    }
    expect(new Set(served.calls).size).toBe(served.calls.length);
  },
);

test('a list that is cut at any byte is requested again with another id', async () => {
  const ids: number[] = [];
  const answer: Script['answer'] = ({ id }) => {
    ids.push(id);
    return plain(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
      }),
    );
  };
  const served = await cutter({ answer, cutAt: Number.POSITIVE_INFINITY });
  const { client } = await use(served, { era: { pinned: '2026-07-28' } });
  const whole = Buffer.byteLength(answer({ id: 10, text: '' }, undefined));
  const cuts = cutsFrom(0, whole - 1);
  for (const cutAt of cuts) {
    served.script.cutAt = cutAt;
    expect(await client.listTools()).toEqual([]);
  }
  expect(ids.length).toBe(cuts.length * 2 + 1);
  // a request that is cut before any byte, on a reused connection, keeps its id
  expect(new Set(ids.slice(3)).size).toBe(ids.length - 3);
});
