import { AnswerError, ConnectionError, RpcError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { everything, tour } from './tour.ts';
import { over } from './world.ts';

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (id: unknown): boolean => typeof id === 'string' || Number.isInteger(id);
const requestsOf = (messages: Message[]): Message[] =>
  messages.filter(({ id, method }) => method !== undefined && id !== undefined);
const listed = { tools: [] };

over(all, 'every message is JSON-RPC 2.0', async (world) => {
  const { proves } = world;
  const { heard } = await tour(world);
  const forms = heard.map(
    (message) => ['method', 'result', 'error'].filter((member) => member in message).length,
  );
  proves('2024-11-05/jsonrpc/messages-follow-jsonrpc-2-0', () => {
    expect(forms).toEqual(forms.map(() => 1));
    expect(heard.every(({ jsonrpc, id }) => jsonrpc === '2.0' && (id === undefined || isId(id)))).toBe(true);
  });
  proves('2024-11-05/jsonrpc/jsonrpc-member-is-2-0', () =>
    expect(new Set(heard.map(({ jsonrpc }) => jsonrpc))).toEqual(new Set(['2.0'])),
  );
  const requests = requestsOf(heard);
  const ids = requests.map(({ id }) => id);
  proves('2024-11-05/jsonrpc/request-has-string-or-integer-id', () => {
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.every(isId)).toBe(true);
  });
  proves('2024-11-05/jsonrpc/request-id-not-null', () => expect(ids.filter((id) => id === null)).toEqual([]));
  proves('2024-11-05/jsonrpc/request-id-not-reused-in-session', () =>
    expect(new Set(ids).size).toBe(ids.length),
  );
  proves('2024-11-05/jsonrpc/request-has-method', () =>
    expect(requests.every(({ method }) => typeof method === 'string' && method !== '')).toBe(true),
  );
  proves('2024-11-05/jsonrpc/params-is-object', () => {
    const sent = heard.filter(({ params }) => params !== undefined);
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.every(({ params }) => isObject(params))).toBe(true);
  });
  proves('2024-11-05/jsonrpc/notification-has-no-id', () => {
    const notified = heard.filter(({ method }) => method?.startsWith('notifications/'));
    expect(notified.length).toBeGreaterThan(0);
    expect(notified.filter((message) => 'id' in message)).toEqual([]);
  });
  proves('2026-07-28/jsonrpc/no-batch-arrays-sent', () => expect(heard.filter(Array.isArray)).toEqual([]));
  proves('2024-11-05/batching/message-is-never-an-array', () =>
    expect(heard.filter(Array.isArray)).toEqual([]),
  );
  proves('2025-03-26/batching/initialize-not-in-batch', () => {
    const first = heard.find((message) => [message].flat().some(({ method }) => method === 'initialize'));
    expect(Array.isArray(first)).toBe(false);
  });
});

over(handshake, 'responses have the id of the request, with its type', async ({ script, proves }) => {
  const server = script();
  await server.connect(everything());
  const ids = [7, '7', 0, ''];
  const answers: Message[] = [];
  for (const id of ids) answers.push(await server.ask(id, 'roots/list'));
  const failed = await server.ask('odd', 'no/such/method');
  const echoed = answers.filter((answer) => 'result' in answer).map(({ id }) => id);
  proves('2024-11-05/jsonrpc/response-id-matches-request', () => expect(echoed).toEqual(ids));
  proves('2025-11-25/jsonrpc/result-response-echoes-request-id', () => expect(echoed).toEqual(ids));
  proves('2025-11-25/jsonrpc/error-response-echoes-request-id', () =>
    expect([failed.id, 'error' in failed]).toEqual(['odd', true]),
  );
  proves('2024-11-05/jsonrpc/response-id-keeps-type', () =>
    expect(echoed.map((id) => typeof id).slice(0, 2)).toEqual(['number', 'string']),
  );
  proves('2024-11-05/jsonrpc/response-has-result-or-error', () =>
    expect(isObject(answers[0].result)).toBe(true),
  );
  proves('2024-11-05/jsonrpc/response-not-both-result-and-error', () =>
    expect([...answers, failed].filter((answer) => 'result' in answer && 'error' in answer)).toEqual([]),
  );
  proves('2024-11-05/jsonrpc/error-has-code-and-message', () =>
    expect(failed.error).toEqual({ code: -32601, message: expect.any(String) }),
  );
  proves('2025-03-26/jsonrpc/error-has-code-and-message', () =>
    expect(Object.keys(failed.error)).toEqual(['code', 'message']),
  );
  proves('2024-11-05/jsonrpc/error-code-is-integer', () => expect(failed.error.code).toBe(-32601));
  proves('2024-11-05/jsonrpc/method-not-found-32601', () => expect(failed.error.code).toBe(-32601));
  proves('2024-11-05/jsonrpc/error-message-is-concise', () =>
    expect(failed.error.message).toBe('this client has no no/such/method'),
  );
  proves('2024-11-05/jsonrpc/requests-flow-both-ways', () =>
    expect(answers[0].result.roots).toEqual([{ uri: 'file:///work', name: 'work' }]),
  );
});

over(all, 'a response settles the request with its id, type included', async ({ script, proves }) => {
  const held: Message[] = [];
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/call': (message) => void held.push(message) },
  });
  const client = await server.connect();
  const calls = ['a', 'b'].map((text) => client.callTool('echo', { text }));
  await server.hears(({ params }) => params?.arguments?.text === 'b');
  const [a, b] = held as [Message, Message];
  const text = (value: string) => server.done({ content: [{ type: 'text', text: value }] });
  // the same number as a string is another id
  server.say({ id: String(a.id), result: text('wrong') });
  server.say({ id: b.id, result: text('b') });
  server.say({ id: a.id, result: text('a') });
  const results = (await Promise.all(calls)).map(({ content }) => content);
  const expected = ['a', 'b'].map((value) => [{ type: 'text', text: value }]);
  proves('2026-07-28/jsonrpc/result-response-echoes-request-id', () => expect(results).toEqual(expected));
  proves('2024-11-05/jsonrpc/response-id-keeps-type', () => expect(results[0]).toEqual(expected[0]));
});

over(
  all,
  'an error reaches the caller of its request with code, message and data',
  async ({ script, proves }) => {
    const data = { nested: [{ code: 1, message: 'cause' }, null, 'text'] };
    const server = script({
      capabilities: { tools: {} },
      answers: {
        'tools/list': { error: { code: -32603, message: 'no', data } },
        'tools/call': { error: { code: 7, message: 'x' } },
      },
    });
    const client = await server.connect();
    const error = await client.listTools().catch((reason: unknown) => reason);
    const other = await client.callTool('a').catch((reason: unknown) => reason);
    proves('2025-11-25/jsonrpc/error-response-echoes-request-id', () =>
      expect([error, other]).toMatchObject([{ code: -32603 }, { code: 7 }]),
    );
    proves('2024-11-05/jsonrpc/error-data-is-free-form', () => expect(error).toMatchObject({ data }));
    proves('2025-03-26/jsonrpc/error-has-code-and-message', () =>
      expect(error).toMatchObject({ code: -32603, message: 'no' }),
    );
    proves('2024-11-05/jsonrpc/internal-error-32603', () => expect(error).toBeInstanceOf(RpcError));
    proves('2026-07-28/jsonrpc/local-errors-distinguishable-from-peer-errors', () =>
      expect(error).not.toBeInstanceOf(ConnectionError),
    );
  },
);

over(all, 'a malformed response fails its request', async ({ script, proves }) => {
  const wrong: Record<string, object> = {
    both: { result: {}, error: { code: 1, message: 'x' } },
    neither: {},
    code: { error: { code: 1.5, message: 'x' } },
    message: { error: { code: 1 } },
  };
  const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => undefined } });
  const client = await server.connect();
  const outcomes: Record<string, unknown> = {};
  for (const [name, answer] of Object.entries(wrong)) {
    const call = client.callTool(name).catch((reason: unknown) => reason);
    const { id } = await server.hears(({ params }) => params?.name === name);
    server.say({ id, ...answer });
    outcomes[name] = await call;
  }
  const refused = (name: string) => () => expect(outcomes[name]).toBeInstanceOf(AnswerError);
  proves('2024-11-05/jsonrpc/response-not-both-result-and-error', refused('both'));
  proves('2024-11-05/jsonrpc/response-has-result-or-error', refused('neither'));
  proves('2024-11-05/jsonrpc/error-code-is-integer', refused('code'));
  proves('2025-03-26/jsonrpc/error-has-code-and-message', refused('message'));
});

over(all, 'a notification gets no response, known or not', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: { listChanged: true } },
    answers: { 'tools/list': () => server.done(listed) },
  });
  const client = await server.connect();
  await client.listTools();
  const before = server.heard.length;
  server.say({ method: 'notifications/tools/list_changed' });
  server.say({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
  await client.listTools();
  const known = server.heard.slice(before).map(({ method }) => method);
  proves('2024-11-05/jsonrpc/no-response-to-notification', () => expect(known).toEqual(['tools/list']));
  proves('2025-03-26/jsonrpc/no-response-to-notification', () => expect(known).toHaveLength(1));
  server.say({ method: 'notifications/unheard/of' });
  server.say({ method: 'roots/list' });
  await client.listTools();
  const unknown = server.heard.slice(before + 1).map(({ method }) => method);
  proves('2024-11-05/jsonrpc/unknown-notification-not-answered', () =>
    expect(unknown).toEqual(['tools/list']),
  );
});

over(all, 'members that the revision does not know are tolerated', async ({ script, proves, revision }) => {
  const tool = { name: 'a', inputSchema: { type: 'object', odd: 1 }, odd: { deep: [1] } };
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/list': () => server.done({ tools: [tool], odd: [1] }) },
  });
  const client = await server.connect();
  const tools = await client.listTools();
  proves('2024-11-05/jsonrpc/extra-members-tolerated', () =>
    expect(tools.map(({ name }) => name)).toEqual(['a']),
  );
  if (revision === '2024-11-05')
    proves('2024-11-05/jsonrpc/result-is-any-json-object', () => expect(tools).toHaveLength(1));
});

over(
  handshake,
  'a request with invalid params is answered with -32602, a failing provider with -32603',
  async ({ script, proves }) => {
    const server = script();
    const broken = (): never => {
      throw new Error('secret');
    };
    await server.connect({ ...everything(), roots: broken });
    const params = await server.ask(1, 'sampling/createMessage', { messages: 'none' });
    proves('2024-11-05/jsonrpc/invalid-params-32602', () => expect(params.error.code).toBe(-32602));
    const bug = await server.ask(2, 'roots/list');
    proves('2024-11-05/jsonrpc/internal-error-32603', () =>
      expect(bug.error).toEqual({ code: -32603, message: 'internal error' }),
    );
  },
);

over(stateless, 'codes of the specification reach the caller', async ({ script, proves }) => {
  const codes = [-32601, -32602, -32700, -32600, -32000, -32001];
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/call': ({ params }) => ({ error: { code: Number(params.name), message: 'x' } }) },
  });
  const client = await server.connect();
  const seen: unknown[] = [];
  for (const code of codes)
    seen.push(await client.callTool(String(code)).catch((reason: unknown) => (reason as RpcError).code));
  proves('2026-07-28/jsonrpc/method-not-found-32601', () => expect(seen[0]).toBe(-32601));
  proves('2026-07-28/jsonrpc/invalid-params-32602', () => expect(seen[1]).toBe(-32602));
  proves('2026-07-28/jsonrpc/parse-error-32700', () => expect(seen[2]).toBe(-32700));
  proves('2026-07-28/jsonrpc/invalid-request-32600', () => expect(seen[3]).toBe(-32600));
  const again = await client.callTool('-32000').catch((reason: unknown) => reason);
  proves('2026-07-28/jsonrpc/legacy-range-codes-not-interpreted', () => {
    expect(seen.slice(4)).toEqual([-32000, -32001]);
    expect(again).toBeInstanceOf(RpcError);
    expect([server.starts, server.ended]).toEqual([1, false]);
  });
});

over(stateless, 'the client sends no error codes of its own', async (world) => {
  const { heard } = await tour(world);
  const codes = heard.filter((message) => 'error' in message);
  const { proves } = world;
  proves('2026-07-28/jsonrpc/error-message-is-concise', () => expect(codes).toEqual([]));
  proves('2026-07-28/jsonrpc/no-new-codes-in-legacy-range', () => expect(codes).toEqual([]));
  proves('2026-07-28/jsonrpc/legacy-range-codes-not-used', () => expect(codes).toEqual([]));
  proves('2026-07-28/jsonrpc/undefined-reserved-codes-not-emitted', () => expect(codes).toEqual([]));
  proves('2026-07-28/jsonrpc/retired-code-32002-not-emitted', () => expect(codes).toEqual([]));
  proves('2026-07-28/jsonrpc/retired-code-32042-not-emitted', () => expect(codes).toEqual([]));
  proves('2026-07-28/jsonrpc/application-codes-outside-json-rpc-range', () => expect(codes).toEqual([]));
});

over(
  stateless,
  'a request without a response fails locally without an error code',
  async ({ script, proves }) => {
    const ask = { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } };
    const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => ask } });
    const client = await server.connect();
    const error = await client.callTool('a').catch((reason: unknown) => reason);
    proves('2026-07-28/jsonrpc/reserved-codes-used-with-defined-meaning', () => {
      expect(error).toBeInstanceOf(AnswerError);
      expect(server.heard.filter((message) => 'error' in message)).toEqual([]);
    });
  },
);

over(all, 'messages are UTF-8 in both directions, in any chunks', async ({ script, proves }) => {
  const text = 'naïve Ω 😀 漢字';
  const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => undefined } });
  const client = await server.connect();
  const called = client.callTool('echo', { text });
  const { id, params } = await server.awaitMessage('tools/call');
  const result = server.done({ content: [{ type: 'text', text }] });
  const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  for (let at = 0; at < bytes.length; at++) server.write(bytes.subarray(at, at + 1));
  const { content } = await called;
  proves('2025-03-26/jsonrpc/messages-utf8-encoded', () =>
    expect([params.arguments.text, content]).toEqual([text, [{ type: 'text', text }]]),
  );
});

over(between('2025-11-25'), 'an error without an id is accepted', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/list': () => server.done(listed) },
  });
  const client = await server.connect();
  server.say({ error: { code: -32700, message: 'parse error' } });
  const tools = await client.listTools();
  proves('2025-11-25/jsonrpc/error-response-without-readable-id-has-no-id', () => {
    expect(server.faults.map((error) => (error as RpcError).code)).toEqual([-32700]);
    expect(tools).toEqual([]);
  });
});

over(stateless, 'ids of pending requests are unique', async ({ script, proves }) => {
  const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => undefined } });
  const client = await server.connect();
  for (let call = 0; call < 20; call++) client.callTool('hold', { call }).catch(() => {});
  await server.hears(({ params }) => params?.arguments?.call === 19);
  const ids = server.all('tools/call').map(({ id }) => id);
  proves('2026-07-28/jsonrpc/request-id-unique-among-pending-requests', () =>
    expect(new Set(ids).size).toBe(20),
  );
});

over(stateless, 'resultType applies: absent is complete, unknown is invalid', async ({ script, proves }) => {
  const content = [{ type: 'text', text: 'x' }];
  const server = script({
    capabilities: { tools: {} },
    answers: {
      'tools/call': ({ params }) =>
        params.name === 'none' ? { content } : { content, resultType: params.name },
    },
  });
  const client = await server.connect();
  const complete = await client.callTool('complete');
  proves('2026-07-28/jsonrpc/result-type-complete-carries-final-content', () => {
    expect(complete.content).toEqual(content);
    expect(server.all('tools/call')).toHaveLength(1);
  });
  const absent = await client.callTool('none');
  proves('2026-07-28/jsonrpc/absent-result-type-means-complete', () =>
    expect(absent.content).toEqual(content),
  );
  const unknown = await client.callTool('half').catch((reason: unknown) => reason);
  proves('2026-07-28/jsonrpc/unknown-result-type-is-invalid', () =>
    expect(unknown).toBeInstanceOf(AnswerError),
  );
  proves('2026-07-28/jsonrpc/result-types-limited-to-core-and-negotiated-extensions', () =>
    expect(String(unknown)).toContain('unknown resultType "half"'),
  );
});

over(['2025-03-26'], 'a batch of the server is processed message by message', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {}, prompts: {} },
    answers: { 'tools/list': () => undefined, 'prompts/list': () => undefined },
  });
  const heard: string[] = [];
  const client = await server.connect({ ...everything(), onNotification: (method) => heard.push(method) });
  const lists = Promise.all([client.listTools(), client.listPrompts()]);
  const [tools, prompts] = [
    await server.awaitMessage('tools/list'),
    await server.awaitMessage('prompts/list'),
  ];
  const { misfits } = server;
  server.write(
    `${JSON.stringify([
      { jsonrpc: '2.0', id: prompts.id, result: { prompts: [{ name: 'p' }] } },
      { jsonrpc: '2.0', id: tools.id, result: { tools: [{ name: 't', inputSchema: { type: 'object' } }] } },
    ])}\n`,
  );
  const [listedTools, listedPrompts] = await lists;
  proves('2025-03-26/batching/responses-matched-by-id-not-order', () =>
    expect([listedTools[0]?.name, listedPrompts[0]?.name]).toEqual(['t', 'p']),
  );
  proves('2025-03-26/batching/batch-response-members', () =>
    expect([listedTools.length, listedPrompts.length]).toEqual([1, 1]),
  );
  server.write(
    '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/unheard"},{"jsonrpc":"2.0","id":2,"method":"roots/list"}]\n',
  );
  const answers = [
    await server.hears(({ id, result }) => id === 1 && result),
    await server.hears(({ id, result }) => id === 2 && result?.roots),
  ];
  proves('2025-03-26/batching/receiving-batches-supported', () =>
    expect(answers.map(({ result }) => result)).toEqual([
      {},
      { roots: [{ uri: 'file:///work', name: 'work' }] },
    ]),
  );
  proves('2025-03-26/batching/batch-request-members', () => expect(heard).toEqual(['notifications/unheard']));
  const responses = server.heard.filter(({ method }) => method === undefined);
  proves('2025-03-26/batching/one-response-per-batched-request', () =>
    expect(new Set(responses.map(({ id }) => id))).toEqual(new Set([1, 2])),
  );
  proves('2025-03-26/batching/no-response-for-batched-notification', () => expect(responses).toHaveLength(2));
  server.write(
    '[{"jsonrpc":"2.0","method":"notifications/a"},{"jsonrpc":"2.0","method":"notifications/b"}]\n',
  );
  await server.ask('fence', 'ping');
  proves('2025-03-26/batching/notification-only-batch-unanswered', () =>
    expect(server.heard.filter(({ method }) => method === undefined)).toHaveLength(3),
  );
  proves('2025-03-26/batching/requests-and-responses-not-mixed', () =>
    expect([misfits, server.heard.filter(Array.isArray)]).toEqual([[], []]),
  );
});

over(between('2025-06-18'), 'an array of the server is invalid', async ({ script, proves }) => {
  const server = script({ capabilities: { tools: {} }, answers: { 'tools/list': () => undefined } });
  const client = await server.connect();
  const call = client.listTools();
  const { id } = await server.awaitMessage('tools/list');
  server.write(`${JSON.stringify([{ jsonrpc: '2.0', id, result: { tools: [] } }])}\n`);
  server.say({ id, result: server.done({ tools: [{ name: 'alone', inputSchema: { type: 'object' } }] }) });
  const tools = await call;
  proves('2025-06-18/batching/batch-array-received-is-invalid-request', () => {
    expect(tools.map(({ name }) => name)).toEqual(['alone']);
    expect(server.faults.map(({ message }) => message).join()).toContain('sent a batch');
  });
});
