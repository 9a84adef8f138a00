import { afterEach, expect, test, vi } from 'vitest';
import { type Client, type ClientOptions, connect } from '../../src/client.ts';
import type { Message } from '../wire/message.ts';
import { type Act, complete, oldServer, type Scripted, scripted } from './scripted.ts';

afterEach(() => {
  vi.useRealTimers();
});

const everything = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} };

async function old(
  play: (message: Message, act: Act) => void,
  options: Partial<ClientOptions> = {},
  capabilities: object = everything,
): Promise<{ client: Client; server: Scripted; faults: string[] }> {
  const server = oldServer(capabilities, play);
  const faults: string[] = [];
  const client = await connect(server.transport, {
    name: 'tester',
    version: '1.0.0',
    era: 'handshake',
    onError: ({ message }) => faults.push(message),
    ...options,
  });
  return { client, server, faults };
}

/** Answers requests of one method. */
const on =
  (method: string, result: object | ((message: Message) => object)) =>
  (message: Message, act: Act): void => {
    if (message.method === method)
      act.say({ id: message.id, result: typeof result === 'function' ? result(message) : result });
  };

const tool = (name: string, more: object = {}): object => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});
const text = (words: string): object => ({ content: [{ type: 'text', text: words }] });

test('responses reach their calls in any order', async () => {
  const held: Message[] = [];
  const { client } = await old((message, act) => {
    if (message.method !== 'tools/call') return;
    held.push(message);
    if (held.length < 3) return;
    for (const { id, params } of held.toReversed()) act.say({ id, result: text(params.name) });
  });
  const results = await Promise.all(['a', 'b', 'c'].map((name) => client.callTool(name)));
  expect(results.map(({ content }) => content[0])).toEqual(
    ['a', 'b', 'c'].map((name) => ({ type: 'text', text: name })),
  );
});

test('a list continues at an empty cursor and ends without a cursor', async () => {
  const cursors: unknown[] = [];
  const { client } = await old(
    on('tools/list', ({ params }) => {
      cursors.push(params.cursor);
      const pages: Record<string, object> = {
        undefined: { tools: [tool('a')], nextCursor: '' },
        '': { tools: [], nextCursor: 'z' },
        z: { tools: [tool('b')] },
      };
      return pages[String(params.cursor)]!;
    }),
  );
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(cursors).toEqual([undefined, '', 'z']);
});

test('a list with a repeated cursor is an error, not a loop', async () => {
  const { client } = await old(on('tools/list', { tools: [], nextCursor: 'again' }));
  await expect(client.listTools()).rejects.toThrow(
    'tools/list returned the same cursor twice, so the list would never end',
  );
});

test('methods without a declared capability are not requested', async () => {
  const { client, server } = await old(() => {}, {}, { tools: {} });
  const before = server.heard.length;
  for (const call of [
    client.listPrompts(),
    client.readResource('x:y'),
    client.setLogLevel('debug'),
    client.subscribe('x:y', () => {}),
  ]) {
    await expect(call).rejects.toMatchObject({ name: 'CapabilityError' });
  }
  await expect(client.onListChanged('tools', () => {})).rejects.toMatchObject({ name: 'CapabilityError' });
  expect(server.heard.slice(before).filter(({ method }) => method !== 'notifications/initialized')).toEqual(
    [],
  );
});

test.each([
  [{}, 'content: '],
  [{ content: 'text' }, 'content: '],
  [{ content: [{ type: 'text' }] }, 'content.0.text: '],
  [{ content: [{ type: 'hologram' }] }, 'content.0'],
])('an invalid result (%j) is an error with its path, in one line', async (result, where) => {
  const { client } = await old(on('tools/call', result));
  const failure = await client.callTool('x').then(
    () => undefined,
    (error: Error) => error,
  );
  expect(failure?.name).toBe('AnswerError');
  expect(failure?.message).toContain(`the response to tools/call is invalid: ${where}`);
  expect(failure?.message).not.toContain('\n');
});

test('a structured result is validated against the schema of its listed tool', async () => {
  const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
  const odd = { type: 'object', if: {}, else: {} };
  const results: Record<string, object> = {
    good: { ...text('3'), structuredContent: { sum: 3 } },
    wrong: { ...text('3'), structuredContent: { sum: '3' } },
    none: text('3'),
    failed: { ...text('no'), isError: true },
    odd: { ...text('3'), structuredContent: { any: 1 } },
  };
  const { client } = await old((message, act) => {
    const names = Object.keys(results);
    on('tools/list', {
      tools: names.map((name) => tool(name, { outputSchema: name === 'odd' ? odd : outputSchema })),
    })(message, act);
    on('tools/call', ({ params }) => results[params.name]!)(message, act);
  });
  expect((await client.callTool('wrong')).structuredContent).toEqual({ sum: '3' });
  await client.listTools();
  expect((await client.callTool('good')).structuredContent).toEqual({ sum: 3 });
  await expect(client.callTool('wrong')).rejects.toThrow(
    'the output of tool wrong does not match its schema: sum: ',
  );
  await expect(client.callTool('none')).rejects.toThrow(
    'tool none has an output schema but returned no structured content',
  );
  expect((await client.callTool('failed')).isError).toBe(true);
  expect((await client.callTool('odd')).structuredContent).toEqual({ any: 1 });
});

test('noise between messages is reported and skipped', async () => {
  const { client, faults } = await old((message, act) => {
    if (message.method !== 'tools/call') return;
    act.write('Server listening...\n\n{"jsonrpc":"2.0","id":\n[1]\n5\n');
    act.say({ id: message.id, result: text('ok') });
  });
  expect((await client.callTool('x')).content).toHaveLength(1);
  expect(faults).toEqual([
    'the server sent an invalid message: "Server listening..."',
    'the server sent an invalid message: "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":"',
    'the server sent a batch, which 2025-11-25 does not have',
    'the server sent a malformed message: a message must be a JSON object',
  ]);
});

test('a malformed response ends its call with a local error', async () => {
  const { client } = await old((message, act) => {
    if (message.method === 'tools/call') act.say({ id: message.id, result: [] });
  });
  await expect(client.callTool('x')).rejects.toMatchObject({ name: 'AnswerError' });
});

test('a response to no request is ignored and an error without an id is reported', async () => {
  const { client, faults } = await old((message, act) => {
    if (message.method !== 'tools/call') return;
    act.say({ id: 999, result: {} });
    act.say({ id: null, error: { code: -32700, message: 'cannot read that' } });
    act.say({ id: message.id, result: text('ok') });
    act.say({ id: message.id, result: text('twice') });
  });
  expect((await client.callTool('x')).content).toEqual([{ type: 'text', text: 'ok' }]);
  expect(faults).toEqual(['cannot read that']);
});

test('batches of a 2025-03-26 server are split and each request in them gets a response', async () => {
  const { client, server } = await old(
    (message, act) => {
      if (message.method !== 'tools/call') return;
      const parts = [
        { jsonrpc: '2.0', id: 'p', method: 'ping' },
        { jsonrpc: '2.0', id: 'q', method: 'nothing/known' },
        { jsonrpc: '2.0', id: message.id, result: text('ok') },
      ];
      act.write(`${JSON.stringify(parts)}\n`);
    },
    { revision: '2025-03-26' },
  );
  expect((await client.callTool('x')).content).toHaveLength(1);
  expect((await server.hears(({ id }) => id === 'p')).result).toEqual({});
  expect((await server.hears(({ id }) => id === 'q')).error.code).toBe(-32601);
});

test('undeclared requests of the server are refused, declared ones are checked', async () => {
  const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], maxTokens: 1 };
  const uses = { role: 'assistant', content: { type: 'tool_use', id: 't', name: 'n', input: {} } };
  const result = { type: 'tool_result', toolUseId: 't', content: [] };
  const asks: Record<string, object> = {
    roots: { method: 'roots/list' },
    tools: { method: 'sampling/createMessage', params: { ...sampling, tools: [] } },
    choice: { method: 'sampling/createMessage', params: { ...sampling, toolChoice: {} } },
    shape: { method: 'sampling/createMessage', params: { maxTokens: 1 } },
    missing: {
      method: 'sampling/createMessage',
      params: { maxTokens: 1, messages: [uses, ...sampling.messages] },
    },
    mixed: {
      method: 'sampling/createMessage',
      params: {
        maxTokens: 1,
        messages: [uses, { role: 'user', content: [result, { type: 'text', text: 'x' }] }],
      },
    },
    url: {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'm', url: 'https://example.com/', elicitationId: 'e' },
    },
    good: { method: 'sampling/createMessage', params: sampling },
  };
  const { server } = await old(
    (message, act) => {
      if (message.method !== 'notifications/initialized') return;
      for (const [id, ask] of Object.entries(asks)) act.say({ id, ...ask });
    },
    {
      sampling: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'y' } }),
      elicitation: { form: () => ({ action: 'cancel' }) },
    },
  );
  const codes: Record<string, number | undefined> = {};
  for (const id of Object.keys(asks))
    codes[id] = (
      await server.hears((message) => message.id === id && message.method === undefined)
    ).error?.code;
  expect(codes).toEqual({
    roots: -32601,
    tools: -32602,
    choice: -32602,
    shape: -32602,
    missing: -32602,
    mixed: -32602,
    url: -32602,
    good: undefined,
  });
});

test('the response to a form gets the defaults of missing fields, and an invalid one is never sent', async () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'Ada' },
      age: { type: 'integer', minimum: 0 },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
    },
    required: ['name', 'age'],
  };
  const ages = [36, -1];
  const { server, faults } = await old(
    (message, act) => {
      if (message.method !== 'notifications/initialized') return;
      for (const id of ['fits', 'not'])
        act.say({ id, method: 'elicitation/create', params: { message: 'Who?', requestedSchema } });
    },
    { elicitation: { form: () => ({ action: 'accept', content: { age: ages.shift()! } }) } },
  );
  const answered = (id: string): Promise<Message> => server.hears((message) => message.id === id);
  expect((await answered('fits')).result).toEqual({
    action: 'accept',
    content: { name: 'Ada', age: 36, tags: ['a'] },
  });
  expect((await answered('not')).error).toEqual({ code: -32603, message: 'internal error' });
  expect(faults).toEqual([expect.stringContaining('the response to the form "Who?" does not match: age: ')]);
});

test('a request that the server cancels gets no response', async () => {
  let takeBack: () => void = () => {};
  const aborted: string[] = [];
  const { client, server } = await old(
    (message, act) => {
      takeBack = () =>
        act.say({ method: 'notifications/cancelled', params: { requestId: 'r', reason: 'never mind' } });
      if (message.method === 'notifications/initialized') act.say({ id: 'r', method: 'roots/list' });
      on('tools/call', text('ok'))(message, act);
    },
    {
      roots: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(String(signal.reason));
            resolve([]);
          });
          takeBack();
        }),
    },
  );
  await client.callTool('x');
  await client.callTool('fence');
  expect(aborted).toEqual(['ConnectionError: never mind']);
  expect(server.heard.filter(({ id }) => id === 'r')).toEqual([]);
});

test('a stateless server that sends a request gets nothing, as a client of that era sends no responses', async () => {
  const faults: string[] = [];
  const server = scripted((message, act) => {
    if (message.id === undefined) return;
    act.say({ id: 'r', method: 'roots/list' });
    act.say({ id: message.id, result: complete({ content: [] }) });
  });
  const client = await connect(server.transport, {
    name: 'tester',
    version: '1.0.0',
    era: { pinned: '2026-07-28' },
    roots: () => [],
    onError: ({ message }) => faults.push(message),
  });
  await client.callTool('x');
  await client.callTool('fence');
  expect(server.heard.filter(({ id }) => id === 'r')).toEqual([]);
  expect(faults[0]).toBe('the server sent a request, "roots/list"; 2026-07-28 has none');
});

test('a call without a response fails at its timeout and is cancelled; its late response is ignored', async () => {
  const { client, server, faults } = await old(on('tools/call', ({ params }) => text(params.name)));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const slow = client.request('prompts/list', {}, { timeout: 1000 });
  const failed = expect(slow).rejects.toMatchObject({ name: 'ConnectionError', reason: 'timeout' });
  const asked = await server.hears(({ method }) => method === 'prompts/list');
  vi.advanceTimersByTime(1000);
  await failed;
  const cancel = await server.hears(({ method }) => method === 'notifications/cancelled');
  expect(cancel.params.requestId).toBe(asked.id);
  server.act.say({ id: asked.id, result: { prompts: [] } });
  expect((await client.callTool('fence')).content).toEqual([{ type: 'text', text: 'fence' }]);
  expect(faults).toEqual([]);
});

test('progress restarts the timeout, up to the maximum timeout', async () => {
  const { client, server } = await old(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let seen = 0;
  let notified: () => void = () => {};
  const call = client.callTool(
    'x',
    {},
    {
      timeout: 1000,
      maxTimeout: 2500,
      onProgress: () => {
        seen += 1;
        notified();
      },
    },
  );
  const failed = expect(call).rejects.toThrow('tools/call had no response within 2500 ms');
  const { params } = await server.hears(({ method }) => method === 'tools/call');
  const { progressToken } = params._meta;
  for (let progress = 1; progress <= 2; progress++) {
    vi.advanceTimersByTime(900);
    const heard = new Promise<void>((resolve) => {
      notified = resolve;
    });
    server.act.say({ method: 'notifications/progress', params: { progressToken, progress } });
    await heard;
  }
  vi.advanceTimersByTime(700);
  await failed;
  expect(seen).toBe(2);
});

test('an exception of a listener is reported and ends nothing', async () => {
  const fail = (): never => {
    throw new Error('bug of the listener');
  };
  const { client, faults } = await old(
    (message, act) => {
      if (message.method !== 'tools/call') return;
      const { progressToken } = message.params._meta;
      act.say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      act.say({ method: 'notifications/message', params: { level: 'info', data: 1 } });
      act.say({ id: message.id, result: text('ok') });
    },
    { onNotification: fail },
  );
  client.onLog(fail);
  expect((await client.callTool('x', {}, { onProgress: fail })).content).toHaveLength(1);
  expect(faults).toEqual(Array(4).fill('bug of the listener'));
});

test('the log level is set at the start if the server has logging', async () => {
  const { server } = await old(on('logging/setLevel', {}), { logLevel: 'error' });
  expect(server.heard.map(({ method }) => method)).toEqual([
    'initialize',
    'notifications/initialized',
    'logging/setLevel',
  ]);
});

test('a server that disconnects fails open requests and is reported once', async () => {
  const closed: string[] = [];
  const { client } = await old(
    (message, act) => {
      on('resources/subscribe', {})(message, act);
      if (message.method === 'tools/call') act.end();
    },
    { onClose: (reason) => closed.push(reason) },
  );
  const subscription = await client.subscribe('memo://x', () => {});
  await expect(client.callTool('x')).rejects.toMatchObject({
    reason: 'closed',
    message: 'the server closed the connection',
  });
  expect(await subscription.ended).toMatchObject({ reason: 'closed' });
  await client.close();
  expect(closed).toEqual(['the server closed the connection']);
});

test('closing fails open requests', async () => {
  const { client } = await old(() => {});
  const open = client.callTool('never');
  const failed = expect(open).rejects.toMatchObject({ name: 'ConnectionError', reason: 'closed' });
  await client.close();
  await failed;
  await expect(client.callTool('later')).rejects.toMatchObject({ reason: 'closed' });
});
