import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { SessionRecord, SessionStore } from '../../src/http.ts';
import { createServer, tool } from '../../src/index.ts';
import {
  ask,
  begin,
  call,
  Gate,
  initialize,
  listen,
  nextEvent,
  nextMessage,
  readEvents,
  sampleServer,
} from './wire.ts';

const revisions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const add = (id: number) => call(id, 'tools/call', { name: 'add', arguments: { a: 1, b: id } });

test.each(revisions)('a session of %s begins, works and ends', async (revision) => {
  const to = await listen(sampleServer().server);
  const headers = await initialize(to, revision);
  expect(headers['Mcp-Session-Id']).toMatch(/^[\x21-\x7e]{16,}$/);
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const noted = await ask(to, { headers, body: JSON.stringify(notification) });
  expect([noted.status, noted.text]).toEqual([202, '']);
  const { status, json } = await ask(to, { headers, body: add(2) });
  expect([status, json.id, json.result.content[0].text]).toEqual([200, 2, '{"sum":3}']);
  expect((await ask(to, { method: 'DELETE', headers })).status).toBe(204);
  expect((await ask(to, { headers, body: add(3) })).status).toBe(404);
  expect((await ask(to, { method: 'GET', headers })).status).toBe(404);
  expect((await ask(to, { method: 'DELETE', headers })).status).toBe(404);
});

test('session ids are unique and unpredictable', async () => {
  const to = await listen(sampleServer().server);
  const ids = await Promise.all(
    revisions.map(async (each) => (await initialize(to, each))['Mcp-Session-Id']),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id?.slice(0, 8))).size).toBe(ids.length);
});

test('requests without a session id are refused, unless they start a session', async () => {
  const to = await listen(sampleServer().server);
  for (const body of [call(1, 'tools/list'), '[]', `[${call(1, 'initialize', {})}]`]) {
    const { status, json } = await ask(to, { body });
    expect([body, status, json.error.code]).toEqual([body, 400, -32600]);
  }
  expect((await ask(to, { method: 'GET' })).status).toBe(400);
  expect((await ask(to, { method: 'DELETE' })).status).toBe(400);
});

test('an initialize that fails leaves no session', async () => {
  const to = await listen(sampleServer().server);
  const { json, headers } = await ask(to, { body: call(1, 'initialize', { protocolVersion: '2025-11-25' }) });
  expect(json).toMatchObject({ id: 1, error: { code: -32602 } });
  expect(headers['mcp-session-id']).toBeUndefined();
});

test('an unsupported version header is refused, a missing one is not', async () => {
  const to = await listen(sampleServer().server);
  const headers = await initialize(to, '2025-06-18');
  for (const version of ['1999-01-01', 'nonsense', '']) {
    const { status } = await ask(to, {
      headers: { ...headers, 'MCP-Protocol-Version': version },
      body: add(1),
    });
    expect([version, status]).toEqual([version, 400]);
  }
  const bare = { ...headers, 'MCP-Protocol-Version': undefined };
  expect((await ask(to, { headers: bare, body: add(1) })).status).toBe(200);
});

test('a batch is answered as one at 2025-03-26 and refused later', async () => {
  const to = await listen(sampleServer().server);
  const batch = `[${add(1)},{"jsonrpc":"2.0","method":"notifications/initialized"},${add(2)}]`;
  const old = await ask(to, { headers: await initialize(to, '2025-03-26'), body: batch });
  expect(old.status).toBe(200);
  expect((old.json as unknown as { id: number }[]).map(({ id }) => id)).toEqual([1, 2]);
  const quiet = '[{"jsonrpc":"2.0","method":"notifications/initialized"}]';
  const noted = await ask(to, { headers: await initialize(to, '2025-03-26'), body: quiet });
  expect([noted.status, noted.text]).toEqual([202, '']);
  for (const revision of ['2025-06-18', '2025-11-25']) {
    for (const body of [batch, quiet]) {
      const { status, json } = await ask(to, { headers: await initialize(to, revision), body });
      expect([status, json.error]).toEqual([
        400,
        { code: -32600, message: `batches are not part of ${revision}; send each message on its own` },
      ]);
    }
  }
  const nested = await ask(to, { headers: await initialize(to, '2025-03-26'), body: '[[]]' });
  expect([nested.status, nested.json]).toMatchObject([200, [{ error: { code: -32600 } }]]);
  const empty = await ask(to, { headers: await initialize(to, '2025-03-26'), body: '[]' });
  expect([empty.status, empty.json.error.code]).toEqual([400, -32600]);
});

test('a session belongs to the principal that started it', async () => {
  const to = await listen(sampleServer().server, {
    authorizer: {
      authorize: ({ header }) => ({ principal: header('authorization') ?? 'nobody', scopes: [] }),
    },
  });
  const headers = await initialize(to, '2025-11-25', { headers: { Authorization: 'ann' } });
  expect((await ask(to, { headers, body: add(1) })).status).toBe(200);
  const stolen = { ...headers, Authorization: 'bob' };
  expect((await ask(to, { headers: stolen, body: add(1) })).status).toBe(404);
  expect((await ask(to, { method: 'GET', headers: stolen })).status).toBe(404);
  expect((await ask(to, { method: 'DELETE', headers: stolen })).status).toBe(404);
  expect((await ask(to, { headers, body: add(1) })).status).toBe(200);
});

test('the longest idle session is ended for a new one; those with a stream stay', async () => {
  const to = await listen(sampleServer().server, { sessionCap: 2 });
  const streaming = await initialize(to, '2025-11-25');
  expect((await begin(to, { method: 'GET', headers: streaming }).response).statusCode).toBe(200);
  const idle = await initialize(to, '2025-11-25');
  const third = await initialize(to, '2025-11-25');
  expect((await ask(to, { headers: idle, body: add(1) })).status).toBe(404);
  expect((await ask(to, { headers: streaming, body: add(1) })).status).toBe(200);
  expect((await begin(to, { method: 'GET', headers: third }).response).statusCode).toBe(200);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const refused = await ask(to, { body: call(0, 'initialize', params) });
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
});

test('a session that is idle for too long ends, one with a stream does not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  try {
    const to = await listen(sampleServer().server, { sessionIdle: 60_000 });
    const idle = await initialize(to, '2025-11-25');
    const streaming = await initialize(to, '2025-11-25');
    expect((await begin(to, { method: 'GET', headers: streaming }).response).statusCode).toBe(200);
    vi.advanceTimersByTime(50_000);
    expect((await ask(to, { headers: idle, body: add(1) })).status).toBe(200);
    vi.advanceTimersByTime(50_000);
    expect((await ask(to, { headers: idle, body: add(1) })).status).toBe(200);
    vi.advanceTimersByTime(70_000);
    expect((await ask(to, { headers: idle, body: add(1) })).status).toBe(404);
    expect((await ask(to, { headers: streaming, body: add(1) })).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});

test('another process restores a session from a shared store', async () => {
  const records = new Map<string, SessionRecord>();
  const sessionStore = {
    save: (id: string, record: SessionRecord) => void records.set(id, record),
    load: (id: string) => records.get(id),
    remove: (id: string) => void records.delete(id),
  };
  const one = await listen(sampleServer().server, { sessionStore });
  const other = await listen(sampleServer().server, { sessionStore });
  const headers = await initialize(one, '2025-06-18');
  const { status, json } = await ask(other, { headers, body: add(2) });
  expect([status, json.result.structuredContent]).toEqual([200, { sum: 3 }]);
  expect((await ask(other, { method: 'DELETE', headers })).status).toBe(204);
  expect(records.size).toBe(0);
  expect((await ask(other, { headers, body: add(2) })).status).toBe(404);
});

/** Returns a process with room for one session, possibly occupied, and with a shared store. */
function sharing(records: Map<string, SessionRecord>, load?: SessionStore['load']) {
  return listen(sampleServer().server, {
    sessionCap: 1,
    sessionStore: {
      save: (id, record) => void records.set(id, record),
      load: load ?? ((id) => records.get(id)),
      remove: (id) => void records.delete(id),
    },
  });
}

test('a session that cannot be restored now is 503 and not 404, which would end it', async () => {
  const records = new Map<string, SessionRecord>();
  const one = await sharing(records);
  const other = await sharing(records);
  const headers = await initialize(one, '2025-11-25');
  const occupying = begin(other, { method: 'GET', headers: await initialize(other, '2025-11-25') });
  expect((await occupying.response).statusCode).toBe(200);
  for (const method of ['POST', 'GET', 'DELETE']) {
    const full = await ask(other, { method, headers, ...(method === 'POST' && { body: add(1) }) });
    expect([method, full.status, full.headers['retry-after']]).toEqual([method, 503, '10']);
  }
  const unknown = { ...headers, 'Mcp-Session-Id': 'none' };
  expect((await ask(other, { headers: unknown, body: add(1) })).status).toBe(404);
  const failing = await sharing(records, () => Promise.reject(new Error('the store is away')));
  expect((await ask(failing, { headers, body: add(1) })).status).toBe(503);
  const draining = await sharing(records);
  await draining.handler.drain();
  expect((await ask(draining, { headers, body: add(1) })).status).toBe(503);
  expect((await ask(await sharing(records), { headers, body: add(1) })).status).toBe(200);
});

test('a restored session never repeats an event id', async () => {
  const records = new Map<string, SessionRecord>();
  const ids: (string | undefined)[] = [];
  let headers: Record<string, string> | undefined;
  for (let i = 0; i < 2; i++) {
    const hooks = sampleServer();
    const to = await listen(hooks.server, {
      sessionStore: {
        save: (id, record) => void records.set(id, record),
        load: (id) => records.get(id),
        remove: (id) => void records.delete(id),
      },
    });
    headers ??= await initialize(to, '2025-06-18');
    const last = ids.at(-1);
    if (last !== undefined) {
      const stale = await ask(to, { method: 'GET', headers: { ...headers, 'Last-Event-ID': last } });
      expect(stale.status).toBe(400);
    }
    const events = readEvents(await begin(to, { method: 'GET', headers }).response);
    hooks.server.listChanged('tools');
    ids.push((await nextEvent(events)).id);
  }
  expect(ids[0]).toBe('0-1');
  expect(ids[1]).toMatch(/^0-[1-9]\d{12}$/);
});

/** Returns a server with a tool that sends nothing until it is cancelled. */
function quietServer(started: Gate) {
  return createServer({
    name: 'quiet',
    version: '1.0.0',
    tools: [
      tool({
        name: 'wait',
        description: 'waits',
        input: z.object({}),
        run: async (_args, { signal }) => {
          started.open();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return 'cancelled';
        },
      }),
    ],
  });
}

test('a cancelled call ends its HTTP response without a JSON-RPC response, and the session continues', async () => {
  const started = new Gate();
  const to = await listen(quietServer(started));
  const headers = await initialize(to, '2025-06-18');
  const answer = ask(to, { headers, body: call(1, 'tools/call', { name: 'wait', arguments: {} }) });
  await started.passed;
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect((await ask(to, { headers, body: JSON.stringify(cancelled) })).status).toBe(202);
  const { status, text } = await answer;
  expect([status, text.includes('result')]).toEqual([200, false]);
  expect((await ask(to, { headers, body: call(2, 'ping') })).status).toBe(200);
});

test.each([
  [1, 404, 'application/json'],
  [2, 200, 'text/event-stream'],
])(
  'a call of a session that its client ends gets its end after %d keep-alive comments',
  async (signs, status, type) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const started = new Gate();
      const to = await listen(quietServer(started), { keepAlive: 1000 });
      const headers = await initialize(to, '2025-06-18');
      const answer = ask(to, { headers, body: call(1, 'tools/call', { name: 'wait', arguments: {} }) });
      await started.passed;
      vi.advanceTimersByTime(1000 * signs);
      expect((await ask(to, { method: 'DELETE', headers })).status).toBe(204);
      const { status: answeredWith, headers: answered, text } = await answer;
      expect([answeredWith, answered['content-type']]).toEqual([status, type]);
      expect(text).toMatch(status === 404 ? /the session has ended/ : /^: keep-alive\n\n$/);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('a call that is cut off by a shutdown gets 503', async () => {
  const started = new Gate();
  const to = await listen(quietServer(started));
  const headers = await initialize(to, '2025-11-25');
  const answer = ask(to, { headers, body: call(1, 'tools/call', { name: 'wait', arguments: {} }) });
  await started.passed;
  to.handler.close();
  const { status, headers: answered } = await answer;
  expect([status, answered['retry-after']]).toEqual([503, '10']);
});

test('a request of a tool to the client is sent on the stream of its call, and its response arrives by POST', async () => {
  const to = await listen(sampleServer().server);
  const headers = await initialize(to, '2025-11-25', { capabilities: { elicitation: { form: {} } } });
  const body = call(5, 'tools/call', { name: 'ask', arguments: {} });
  const response = await begin(to, { headers, body }).response;
  const events = readEvents(response);
  const question = await nextMessage(events);
  expect(question.method).toBe('elicitation/create');
  const answer = {
    jsonrpc: '2.0',
    id: question.id,
    result: { action: 'accept', content: { confirm: true } },
  };
  expect((await ask(to, { headers, body: JSON.stringify(answer) })).status).toBe(202);
  const result = await nextMessage(events);
  expect([result.id, result.result.content[0].text]).toEqual([5, 'answered true']);
  expect((await events.next()).done).toBe(true);
});
