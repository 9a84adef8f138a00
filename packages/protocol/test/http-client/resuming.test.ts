import { expect, test, vi } from 'vitest';
import { AnswerLostError } from '../../src/client.ts';
import { type Asked, keeper, session, site, textResult, use } from './site.ts';

const lastEventId = ({ headers }: Asked): unknown => headers['last-event-id'];
const answerTo = ({ message }: Asked, text: string): object => ({
  jsonrpc: '2.0',
  id: message.id,
  result: textResult(text),
});

/** Answers GETs that resume with `resume`. */
function resumable(begin: (call: Asked) => void, resume: (call: Asked, asked: Asked, times: number) => void) {
  let call: Asked;
  let times = 0;
  return (asked: Asked): void => {
    if (asked.method === 'GET') resume(call, asked, ++times);
    else if (asked.message.id === undefined) asked.text(202);
    else {
      call = asked;
      begin(asked);
    }
  };
}

test('a stream that the server closes temporarily is requested again, after its retry time', async () => {
  const { client, site, faults } = await session(
    resumable(
      (call) => call.stream().event({ id: 'e1', data: '' }).event({ retry: 700 }).end(),
      (call, asked) =>
        asked
          .stream()
          .event({ id: 'e2', data: answerTo(call, 'late') })
          .end(),
    ),
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const calling = client.callTool('wait');
  const call = await site.hears('tools/call');
  await call.gone;
  // the two timeouts of the call, and the wait
  while (vi.getTimerCount() < 3) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(699);
  expect(site.asked.map(lastEventId).filter(Boolean)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  expect(await calling).toEqual(textResult('late'));
  const { headers } = await site.hears((asked) => lastEventId(asked) !== undefined);
  expect([
    headers['last-event-id'],
    headers['mcp-session-id'],
    headers['mcp-protocol-version'],
    headers.accept,
  ]).toEqual(['e1', 's-1', '2025-11-25', 'text/event-stream']);
  expect([site.log.filter((name) => name === 'tools/call').length, faults]).toEqual([1, []]);
});

test("the server's retry time may be shorter than the default", async () => {
  const { client } = await session(
    resumable(
      (call) => call.stream().event({ id: 'e1', data: '' }).event({ retry: 1 }).end(),
      (call, asked) =>
        asked
          .stream()
          .event({ data: answerTo(call, 'soon') })
          .end(),
    ),
    { http: { reconnect: { delay: 600_000 } }, timeout: 120_000 },
  );
  expect(await client.callTool('wait')).toEqual(textResult('soon'));
});

test('a stream that is closed repeatedly is followed until the response arrives', async () => {
  const steps: number[] = [];
  const { client, site } = await session(
    resumable(
      (call) => call.stream().event({ id: 'e0', data: '' }).end(),
      (call, asked, times) => {
        expect(lastEventId(asked)).toBe(`e${times - 1}`);
        const { progressToken } = call.message.params._meta;
        const data = {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: times },
        };
        asked
          .stream()
          .event({ id: `e${times}`, data: times < 5 ? data : answerTo(call, 'done') })
          .end();
      },
    ),
  );
  expect(await client.callTool('wait', {}, { onProgress: ({ progress }) => steps.push(progress) })).toEqual(
    textResult('done'),
  );
  expect([steps, site.log.filter((name) => name === 'tools/call').length]).toEqual([[1, 2, 3, 4], 1]);
});

test('a broken stream continues after its last complete event, and nothing arrives twice', async () => {
  const log = (data: number): object => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data },
  });
  const { client } = await session(
    resumable(
      (call) => {
        call
          .stream()
          .event({ id: 'e1', data: log(1) })
          .response.write(`id: e2\ndata: ${JSON.stringify(log(2))}\n`);
        setImmediate(() => call.cut());
      },
      (call, asked) => {
        const after = lastEventId(asked) === 'e1' ? [2] : [1, 2];
        asked.stream();
        for (const number of after) asked.event({ id: `e${number}`, data: log(number) });
        asked
          .event({ id: 'e3', data: answerTo(call, 'once') })
          .event({ data: answerTo(call, 'twice') })
          .end();
      },
    ),
  );
  const logs: unknown[] = [];
  client.onLog(({ data }) => logs.push(data));
  expect(await client.callTool('count')).toEqual(textResult('once'));
  expect(logs).toEqual([1, 2]);
});

test.each([
  ['ends', (asked: Asked) => asked.end(), 'the server closed its stream'],
  ['breaks', (asked: Asked) => asked.cut(), 'the connection ended'],
])(
  'a stream without event ids that %s has lost its response, and the call is not repeated',
  async (_how, stop, reason) => {
    const { client, site } = await session((asked) => {
      asked.stream();
      setImmediate(() => stop(asked));
    });
    const failure = await client.callTool('once').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AnswerLostError);
    expect(failure).toMatchObject({
      message: `the response to tools/call was lost: ${reason}`,
    });
    expect(site.log.filter((name) => name === 'tools/call')).toHaveLength(1);
  },
);

test.each([400, 404, 405, 410])(
  'a response is lost when the server refuses to resume it, by status %s',
  async (status) => {
    const { client } = await session(
      resumable(
        (call) => call.stream().event({ id: 'e1', data: '' }).end(),
        (_call, asked) => asked.text(status),
      ),
    );
    await expect(client.callTool('wait')).rejects.toThrow(
      `the response to tools/call was lost: the server responded to GET with HTTP status ${status}`,
    );
  },
);

test('a response is waited for while the server is down or busy for a moment', async () => {
  const { client } = await session(
    resumable(
      (call) => call.stream().event({ id: 'e1', data: '' }).end(),
      (call, asked, times) => {
        if (times === 1) asked.cut();
        else if (times === 2) asked.text(503);
        else if (times === 3) asked.text(409);
        else
          asked
            .stream()
            .event({ data: answerTo(call, 'patience') })
            .end();
      },
    ),
  );
  expect(await client.callTool('wait')).toEqual(textResult('patience'));
});

test('streams without messages are not requested endlessly', async () => {
  let asked = 0;
  const { client } = await session(
    resumable(
      (call) => call.stream().event({ id: 'e1', data: '' }).end(),
      (_call, again) => {
        asked += 1;
        again
          .stream()
          .event({ id: `e${asked}`, data: '' })
          .end();
      },
    ),
    { http: { reconnect: { delay: 1, attempts: 4 } } },
  );
  await expect(client.callTool('wait')).rejects.toThrow(
    'the response to tools/call was lost: the server closed its stream',
  );
  expect(asked).toBe(4);
});

test('a cancelled call is not requested again', async () => {
  const { client, site } = await session(
    resumable(
      (call) => call.stream().event({ id: 'e1', data: '' }).event({ retry: 60_000 }).end(),
      () => {},
    ),
  );
  const controller = new AbortController();
  const calling = client.callTool('wait', {}, { signal: controller.signal });
  await (await site.hears('tools/call')).gone;
  controller.abort();
  await expect(calling).rejects.toMatchObject({ reason: 'cancelled' });
  await site.hears('notifications/cancelled');
  expect(site.asked.map(lastEventId).filter(Boolean)).toEqual([]);
});

test('the stream of the server is reopened at its end, whichever side ended it', async () => {
  let times = 0;
  const kept = keeper(() => {});
  const served = await site((asked, whole) => {
    if (asked.method !== 'GET') return kept(asked, whole);
    times += 1;
    const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: times } };
    asked.stream().event({ id: `e${times}`, data: log });
    if (times === 1) asked.end();
    else if (times === 2) setImmediate(() => asked.cut());
  });
  const { client, faults } = await use(served, { era: 'handshake' });
  const logs: unknown[] = [];
  await new Promise<void>((resolve) => {
    client.onLog(({ data }) => {
      if (logs.push(data) === 3) resolve();
    });
  });
  expect([logs, faults]).toEqual([[1, 2, 3], []]);
  const asked = served.asked.filter(({ method }) => method === 'GET');
  expect(asked.map(lastEventId)).toEqual([undefined, 'e1', 'e2']);
});

test('a stream that broke before it opened may have lost changes, and each is reported', async () => {
  const kept = keeper((asked) => asked.result({}), { stream: 'silent' });
  let streams = 0;
  const served = await site((asked, whole) => {
    // the server opens the first, and its connection breaks before any of its messages arrive
    if (asked.method !== 'GET' || ++streams > 1) kept(asked, whole);
  });
  const { client } = await use(served, { era: 'handshake' });
  const changed = new Promise((resolve) => {
    void client.subscribe('memo://a', resolve);
  });
  const [first] = await Promise.all([served.hears('GET'), served.hears('resources/subscribe')]);
  await client.ping();
  first.cut();
  expect(await changed).toEqual({ kind: 'resource', uri: 'memo://a' });
  expect(served.log.filter((name) => name === 'GET')).toHaveLength(2);
});

test('a server that always closes its stream at once gets a few requests, and more when it has responded', async () => {
  let open = false;
  const kept = keeper((asked) => asked.result(textResult('hi')));
  const served = await site((asked, whole) => {
    if (asked.method !== 'GET') return kept(asked, whole);
    asked.stream();
    if (!open) asked.end();
  });
  const { client, faults, fault } = await use(served, {
    era: 'handshake',
    http: { reconnect: { delay: 1, attempts: 3 } },
  });
  await fault;
  const gets = (): number => served.log.filter((name) => name === 'GET').length;
  expect([gets(), faults]).toEqual([
    4,
    ['messages that the server sends on its own are not received: the server closed its stream'],
  ]);
  open = true;
  await client.callTool('greet');
  await served.hears('GET', 5);
  await client.callTool('greet');
  expect(gets()).toBe(5);
});

test.each([405, 400, 404, 501])(
  'a server without its own stream, by status %s, gets no second request',
  async (status) => {
    const kept = keeper((asked) => asked.result(textResult('hi')));
    const served = await site((asked, whole) => {
      if (asked.method === 'GET') asked.text(status);
      else kept(asked, whole);
    });
    const { client, faults } = await use(served, { era: 'handshake' });
    await served.hears('GET');
    await client.callTool('greet');
    await client.callTool('greet');
    expect(served.log.filter((name) => name === 'GET')).toHaveLength(1);
    const words = `messages that the server sends on its own are not received: the server responded to GET with HTTP status ${status}`;
    expect(faults).toEqual(status === 405 ? [] : [words]);
  },
);
