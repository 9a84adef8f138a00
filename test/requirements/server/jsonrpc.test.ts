import { createServer, RpcError, tool } from '@rootbound/protocol';
import { ConnectionError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { everything, person, refusals, tour } from './tour.ts';
import { over, shakeHands } from './world.ts';

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (id: unknown): boolean => typeof id === 'string' || Number.isInteger(id);
const requestsOf = (messages: Message[]): Message[] =>
  messages.filter(({ id, method }) => method !== undefined && id !== undefined);
const resultsOf = (messages: Message[]): Message[] => messages.filter((message) => 'result' in message);
const notificationsOf = (messages: Message[]): Message[] =>
  messages.filter((message) => message.method !== undefined && !('id' in message));

/** Returns the violation of JSON-RPC 2.0 by a message, which must have one of three forms. */
function misfit(message: Message): string | undefined {
  const { jsonrpc, method, params, result, error } = message;
  if (jsonrpc !== '2.0') return 'jsonrpc';
  const forms = [method, result, error].filter((member) => member !== undefined).length;
  if (forms !== 1) return 'not one of method, result and error';
  if (method !== undefined) {
    if (typeof method !== 'string') return 'method';
    if (params !== undefined && typeof params !== 'object') return 'params';
    return 'id' in message && !isId(message.id) ? 'id' : undefined;
  }
  if (error !== undefined)
    return Number.isInteger(error.code) && typeof error.message === 'string' ? undefined : 'error';
  return isId(message.id) ? undefined : 'id';
}

over(all, 'every message is JSON-RPC 2.0', async (world) => {
  const { heard } = await tour(world);
  const { proves } = world;
  proves('2024-11-05/jsonrpc/messages-follow-jsonrpc-2-0', () =>
    expect(heard.map(misfit)).toEqual(heard.map(() => undefined)),
  );
  proves('2024-11-05/jsonrpc/jsonrpc-member-is-2-0', () =>
    expect(new Set(heard.map(({ jsonrpc }) => jsonrpc))).toEqual(new Set(['2.0'])),
  );
  proves('2024-11-05/jsonrpc/response-has-result-or-error', () => {
    const answers = heard.filter(({ method }) => method === undefined);
    expect(answers.every((answer) => isObject(answer.result) || isObject(answer.error))).toBe(true);
  });
  proves('2024-11-05/jsonrpc/response-not-both-result-and-error', () =>
    expect(heard.filter((message) => 'result' in message && 'error' in message)).toEqual([]),
  );
  proves('2024-11-05/jsonrpc/notification-has-no-id', () => {
    const notified = notificationsOf(heard).map(({ method }) => method);
    expect(notified).toEqual(
      expect.arrayContaining([
        'notifications/message',
        'notifications/progress',
        'notifications/tools/list_changed',
      ]),
    );
    expect(
      heard.filter(({ id, method }) => method?.startsWith('notifications/') && id !== undefined),
    ).toEqual([]);
  });
  proves('2024-11-05/jsonrpc/params-is-object', () => {
    const sent = heard.filter(({ params }) => params !== undefined);
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.every(({ params }) => isObject(params))).toBe(true);
  });
  proves('2026-07-28/jsonrpc/no-batch-arrays-sent', () => expect(heard.filter(Array.isArray)).toEqual([]));
  proves('2024-11-05/batching/message-is-never-an-array', () =>
    expect(heard.filter(Array.isArray)).toEqual([]),
  );
});

over(handshake, 'its requests have unique ids, a method, and accepted responses', async (world) => {
  const { heard } = await tour(world);
  const { proves } = world;
  const requests = requestsOf(heard);
  const ids = requests.map(({ id }) => id);
  expect(requests.length).toBeGreaterThan(2);
  proves('2024-11-05/jsonrpc/request-has-string-or-integer-id', () => expect(ids.every(isId)).toBe(true));
  proves('2024-11-05/jsonrpc/request-id-not-null', () => expect(ids).not.toContain(null));
  proves('2024-11-05/jsonrpc/request-id-not-reused-in-session', () =>
    expect(new Set(ids).size).toBe(ids.length),
  );
  proves('2024-11-05/jsonrpc/request-has-method', () =>
    expect(requests.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['roots/list', 'sampling/createMessage']),
    ),
  );
});

over(stateless, 'a request without a valid id or method is refused', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  const call = JSON.parse(talk.line(1, 'tools/call', { name: 'echo', arguments: { text: 'x' } }));
  const refused = async (change: object): Promise<unknown[]> => {
    const { error } = await talk.ask(JSON.stringify({ ...call, ...change }));
    return [error?.code, ...stage.ran];
  };
  const wrong = await Promise.all([refused({ id: 1.5 }), refused({ id: {} }), refused({ id: true })]);
  proves('2026-07-28/jsonrpc/request-has-string-or-integer-id', () =>
    expect(wrong).toEqual([[-32600], [-32600], [-32600]]),
  );
  const none = await refused({ id: null });
  proves('2026-07-28/jsonrpc/request-id-not-null', () => expect(none).toEqual([-32600]));
  const nameless = [await refused({ method: undefined }), await refused({ method: 7 })];
  proves('2026-07-28/jsonrpc/request-has-method', () => expect(nameless).toEqual([[-32600], [-32600]]));
});

over(handshake, 'requests flow in both directions', async ({ open, proves }) => {
  const talk = await open(undefined, { capabilities: everything });
  const { id } = await talk.awaitMessage('roots/list');
  talk.reply(id, person({ method: 'roots/list' }));
  const { answer, questions } = await talk.settleCall('where', {}, person);
  proves('2024-11-05/jsonrpc/requests-flow-both-ways', () => {
    expect(questions.map(({ method }) => method)).toEqual(['roots/list']);
    expect(answer.result.content).toEqual([{ type: 'text', text: 'file:///work' }]);
  });
});

over(all, 'a response has the id of its request, with its type', async ({ open, proves }) => {
  const talk = await open();
  const ids = [7, '7', 0, -1, '', 'é'];
  const answers: Message[] = [];
  const errors: Message[] = [];
  for (const id of ids) {
    answers.push(await talk.ask(talk.line(id, 'tools/call', { name: 'echo', arguments: { text: 'x' } })));
    errors.push(await talk.ask(talk.line(id, 'tools/call', { name: 'none', arguments: {} })));
  }
  const results = answers.filter((answer) => 'result' in answer).map(({ id }) => id);
  const failed = errors.filter((answer) => 'error' in answer).map(({ id }) => id);
  proves('2024-11-05/jsonrpc/response-id-matches-request', () =>
    expect([...results, ...failed]).toEqual([...ids, ...ids]),
  );
  proves('2025-11-25/jsonrpc/result-response-echoes-request-id', () => expect(results).toEqual(ids));
  proves('2025-11-25/jsonrpc/error-response-echoes-request-id', () => expect(failed).toEqual(ids));
  proves('2024-11-05/jsonrpc/response-id-keeps-type', () =>
    expect([typeof results[0], typeof results[1]]).toEqual(['number', 'string']),
  );
});

over(all, 'an error has an integer code and one short sentence', async (world) => {
  const { proves } = world;
  const errors = (await refusals(world)).map(({ error }) => error);
  proves('2024-11-05/jsonrpc/error-has-code-and-message', () =>
    expect(errors.map((error) => [typeof error?.code, typeof error?.message])).toEqual(
      errors.map(() => ['number', 'string']),
    ),
  );
  proves('2025-03-26/jsonrpc/error-has-code-and-message', () =>
    expect(errors.map((error) => Object.keys(error ?? {}).slice(0, 2))).toEqual(
      errors.map(() => ['code', 'message']),
    ),
  );
  proves('2024-11-05/jsonrpc/error-code-is-integer', () =>
    expect(errors.every(({ code }) => Number.isInteger(code))).toBe(true),
  );
  proves('2024-11-05/jsonrpc/error-message-is-concise', () => {
    const long = errors.filter(
      ({ message }) => message.length > 160 || message.includes('\n') || message === '',
    );
    expect(long).toEqual([]);
  });
});

over(
  handshake,
  "additional members in a client's response are tolerated",
  async ({ open, proves, revision }) => {
    const talk = await open(undefined, { capabilities: everything });
    const { id } = await talk.awaitMessage('roots/list');
    talk.reply(id, { roots: [], surprise: { deep: [1] } });
    const failed = await talk.settleCall('think', {}, () => ({
      error: { code: -1, message: 'no', data: [{ cause: { code: -2, message: 'nested' } }, null, 7] },
    }));
    proves('2024-11-05/jsonrpc/error-data-is-free-form', () =>
      expect(failed.answer.result.isError).toBe(true),
    );
    const extra = await talk.settleCall('where', {}, () => ({
      roots: [{ uri: 'file:///a', odd: 1 }],
      odd: { more: [] },
    }));
    if (revision === '2024-11-05') {
      proves('2024-11-05/jsonrpc/result-is-any-json-object', () =>
        expect(extra.answer.result.content[0].text).toBe('file:///a'),
      );
    }
  },
);

over(all, 'a notification gets no response, known or not', async ({ open, proves }) => {
  const talk = await open();
  talk.notify('notifications/cancelled', { requestId: 'none' });
  talk.notify('notifications/progress', { progressToken: 'none', progress: 1 });
  const known = await talk.settled();
  proves('2024-11-05/jsonrpc/no-response-to-notification', () => expect(known).toEqual([]));
  proves('2025-03-26/jsonrpc/no-response-to-notification', () =>
    expect(known.map(({ id }) => id)).toEqual([]),
  );
  talk.notify('notifications/unheard/of', { a: 1 });
  talk.notify('tools/list');
  talk.notify('unheard');
  const unknown = await talk.settled();
  proves('2024-11-05/jsonrpc/unknown-notification-not-answered', () => expect(unknown).toEqual([]));
});

over(all, 'members that the revision does not know are tolerated', async ({ open, proves }) => {
  const talk = await open();
  const { result } = await talk.request(
    'tools/call',
    { name: 'echo', arguments: { text: 'x' }, odd: { deep: [1] } },
    { 'example.com/odd': 1 },
  );
  proves('2024-11-05/jsonrpc/extra-members-tolerated', () => expect(result.content[0].text).toBe('x'));
});

over(all, 'errors have the standard codes', async ({ open, proves }) => {
  const broken = createServer({
    name: 'broken',
    version: '1',
    onError: () => {},
    listResources: () => {
      throw new Error('a bug');
    },
    tools: [],
  });
  const talk = await open(broken);
  const text = await talk.ask('{"jsonrpc":"2.0","id":1,"method":"tools/list"');
  proves('2024-11-05/jsonrpc/parse-error-32700', () => expect(text.error.code).toBe(-32700));
  const invalid = [
    await talk.ask('7'),
    await talk.ask('{"id":1,"method":"tools/list"}'),
    await talk.ask('{"jsonrpc":"2.0","id":1,"params":{}}'),
    await talk.ask('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}'),
  ];
  proves('2024-11-05/jsonrpc/invalid-request-32600', () =>
    expect(invalid.map(({ error }) => error.code)).toEqual([-32600, -32600, -32600, -32600]),
  );
  const unknown = await talk.request('no/such/method');
  proves('2024-11-05/jsonrpc/method-not-found-32601', () => expect(unknown.error.code).toBe(-32601));
  proves('2026-07-28/jsonrpc/method-not-found-32601', () =>
    expect(unknown.error.message).toContain('no/such/method'),
  );
  const params = await talk.request('tools/call', { name: 7 });
  proves('2024-11-05/jsonrpc/invalid-params-32602', () => expect(params.error.code).toBe(-32602));
  const bug = await talk.request('resources/list');
  proves('2024-11-05/jsonrpc/internal-error-32603', () =>
    expect(bug.error).toEqual({ code: -32603, message: 'internal error' }),
  );
});

over(all, 'messages are UTF-8 in both directions', async ({ open, proves }) => {
  const talk = await open();
  const text = 'naïve Ω 😀 漢字';
  const answered = talk.answer('utf8');
  talk.write(
    Buffer.from(`${talk.line('utf8', 'tools/call', { name: 'echo', arguments: { text } })}\n`, 'utf8'),
  );
  const { result } = await answered;
  proves('2025-03-26/jsonrpc/messages-utf8-encoded', () => expect(result.content[0].text).toBe(text));
});

over(between('2025-11-25'), 'an error for what has no readable id has no id', async ({ open, proves }) => {
  const talk = await open();
  await talk.settled();
  const received = [
    await talk.ask('{"jsonrpc"'),
    await talk.ask('{"jsonrpc":"2.0","id":{},"method":"tools/list"}'),
  ];
  proves('2025-11-25/jsonrpc/error-response-without-readable-id-has-no-id', () =>
    expect(received.map((message) => 'id' in message)).toEqual([false, false]),
  );
});

over(stateless, 'an id can be reused after its response', async ({ open, proves }) => {
  const talk = await open();
  const first = await talk.ask(talk.line(1, 'tools/call', { name: 'echo', arguments: { text: 'one' } }));
  const second = await talk.ask(talk.line(1, 'tools/call', { name: 'echo', arguments: { text: 'two' } }));
  proves('2026-07-28/jsonrpc/finished-request-id-may-be-reused', () =>
    expect([first, second].map(({ result }) => result.content[0].text)).toEqual(['one', 'two']),
  );
});

over(stateless, 'every result has its resultType', async (world) => {
  const { heard } = await tour(world);
  const types = resultsOf(heard).map(({ result }) => result.resultType);
  const { proves } = world;
  proves('2026-07-28/jsonrpc/result-has-result-type', () => {
    expect(types.length).toBeGreaterThan(10);
    expect(types.filter((type) => typeof type !== 'string')).toEqual([]);
  });
  proves('2026-07-28/jsonrpc/result-types-limited-to-core-and-negotiated-extensions', () =>
    expect(new Set(types)).toEqual(new Set(['complete', 'input_required'])),
  );
});

over(stateless, 'codes are those of the specification, each with its meaning', async (world) => {
  const { proves } = world;
  const answers = await refusals(world);
  const codes = answers.map(({ error }) => error.code);
  const byId = new Map(answers.map(({ id, error }) => [id, error]));
  const within = (low: number, high: number) => codes.filter((code) => low <= code && code <= high);
  proves('2026-07-28/jsonrpc/no-new-codes-in-legacy-range', () => expect(within(-32019, -32000)).toEqual([]));
  proves('2026-07-28/jsonrpc/legacy-range-codes-not-used', () =>
    expect(new Set(within(-32019, -32000)).size).toBe(0),
  );
  proves('2026-07-28/jsonrpc/undefined-reserved-codes-not-emitted', () =>
    expect(new Set(within(-32099, -32020))).toEqual(new Set([-32021, -32022])),
  );
  proves('2026-07-28/jsonrpc/reserved-codes-used-with-defined-meaning', () => {
    expect([byId.get('capability').code, byId.get('version').code]).toEqual([-32021, -32022]);
    expect(codes.filter((code) => code === -32021 || code === -32022)).toHaveLength(2);
  });
  proves('2026-07-28/jsonrpc/retired-code-32002-not-emitted', () => {
    expect([byId.get('resource').code, byId.get('template').code]).toEqual([-32602, -32602]);
    expect(codes).not.toContain(-32002);
  });
  proves('2026-07-28/jsonrpc/application-codes-outside-json-rpc-range', () =>
    expect(
      codes.filter(
        (code) => code <= -32000 && ![-32700, -32600, -32601, -32602, -32603, -32021, -32022].includes(code),
      ),
    ).toEqual([]),
  );
});

over(stateless, 'a URL elicitation is requested, not an error with a code', async ({ open, proves }) => {
  const talk = await open(undefined, { capabilities: everything });
  const { result, error } = await talk.call('visit');
  proves('2026-07-28/jsonrpc/retired-code-32042-not-emitted', () =>
    expect([error, result?.resultType]).toEqual([undefined, 'input_required']),
  );
});

over(stateless, 'the error code of an unexpected response is ignored', async ({ open, proves }) => {
  const talk = await open();
  talk.reply(1, { error: { code: -32000, message: 'connection closed' } });
  talk.reply(2, { error: { code: -32001, message: 'request timed out' } });
  const received = await talk.settled();
  proves('2026-07-28/jsonrpc/legacy-range-codes-not-interpreted', () => expect(received).toEqual([]));
});

over(stateless, 'a local end of a call is not an error response', async ({ open, proves }) => {
  let reason: unknown;
  const server = createServer({
    name: 'held',
    version: '1',
    tools: [
      tool({
        name: 'later',
        description: 'Answers.',
        input: z.object({}),
        run: () => 'now',
      }),
      tool({
        name: 'hold',
        description: 'Waits.',
        input: z.object({}),
        run: (_args, { signal }) =>
          new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reason = signal.reason;
              reject(signal.reason as Error);
            });
          }),
      }),
    ],
  });
  const talk = await open(server);
  const id = talk.start('tools/call', { name: 'hold', arguments: {} });
  talk.notify('notifications/cancelled', { requestId: id });
  await talk.settled();
  proves('2026-07-28/jsonrpc/local-errors-distinguishable-from-peer-errors', () => {
    expect(reason).toBeInstanceOf(ConnectionError);
    expect(reason).not.toBeInstanceOf(RpcError);
  });
});

over(stateless, 'a method of an undeclared capability is unknown', async ({ open, proves }) => {
  const talk = await open(createServer({ name: 'bare', version: '1' }));
  const codes: unknown[] = [];
  for (const method of ['tools/list', 'resources/list', 'prompts/list', 'completion/complete'])
    codes.push((await talk.request(method)).error?.code);
  proves('2026-07-28/jsonrpc/unadvertised-feature-answered-32601', () =>
    expect(codes).toEqual([-32601, -32601, -32601, -32601]),
  );
});

over(['2025-03-26'], 'the responses to a batch are sent together', async ({ open, proves }) => {
  const talk = await open();
  const echo = (id: string | number, text: string) =>
    talk.line(id, 'tools/call', { name: 'echo', arguments: { text } });
  const later = talk.line('slow', 'tools/call', { name: 'later', arguments: {} });
  const batch = await talk.ask(
    `[${later},${echo('one', 'x')},{"jsonrpc":"2.0","method":"notifications/unheard"},${echo(2, 'y')}]`,
  );
  proves('2025-03-26/batching/receiving-batches-supported', () => expect(batch).toHaveLength(3));
  proves('2025-03-26/batching/batch-request-members', () =>
    expect(batch.every((answer: Message) => 'result' in answer)).toBe(true),
  );
  proves('2025-03-26/batching/batch-response-members', () =>
    expect(batch.filter((answer: Message) => !('result' in answer) && !('error' in answer))).toEqual([]),
  );
  proves('2025-03-26/batching/requests-and-responses-not-mixed', () =>
    expect(batch.filter((answer: Message) => 'method' in answer)).toEqual([]),
  );
  proves('2025-03-26/batching/one-response-per-batched-request', () =>
    expect(batch.map(({ id }: Message) => id).toSorted()).toEqual([2, 'one', 'slow']),
  );
  const mixed = await talk.ask(`[{"jsonrpc":"2.0","method":"tools/list"},${echo(5, 'z')}]`);
  proves('2025-03-26/batching/no-response-for-batched-notification', () =>
    expect(mixed.map(({ id }: Message) => id)).toEqual([5]),
  );
});

over(['2025-03-26'], 'a batch of notifications has no response', async ({ open, proves }) => {
  const talk = await open();
  talk.say(
    '[{"jsonrpc":"2.0","method":"notifications/unheard"},{"jsonrpc":"2.0","method":"notifications/initialized"}]',
  );
  const received = await talk.settled();
  proves('2025-03-26/batching/notification-only-batch-unanswered', () => expect(received).toEqual([]));
});

over(
  ['2025-03-26'],
  'an empty, broken or partly invalid batch is answered by JSON-RPC 2.0',
  async ({ open, proves }) => {
    const talk = await open();
    const empty = await talk.ask('[]');
    proves('2025-03-26/batching/empty-batch-is-invalid-request', () =>
      expect([Array.isArray(empty), empty.error.code]).toEqual([false, -32600]),
    );
    const partly = await talk.ask(`[1,{"jsonrpc":"2.0","id":3},${talk.line('good', 'ping')}]`);
    proves('2025-03-26/batching/invalid-members-answered-individually', () => {
      expect(partly.map(({ error, result }: Message) => error?.code ?? result)).toEqual([-32600, -32600, {}]);
    });
    const broken = await talk.ask(`[${talk.line('good', 'ping')},`);
    proves('2025-03-26/batching/unparseable-batch-single-parse-error', () =>
      expect([Array.isArray(broken), broken.error.code]).toEqual([false, -32700]),
    );
  },
);

over(
  ['2025-03-26'],
  'responses of a client in a batch are matched by id in any order',
  async ({ open, proves }) => {
    const talk = await open(undefined, { capabilities: everything });
    talk.reply((await talk.awaitMessage('roots/list')).id, { roots: [] });
    const calls = [
      talk.start('tools/call', { name: 'where', arguments: {} }),
      talk.start('tools/call', { name: 'where', arguments: {} }),
    ];
    const first = await talk.awaitMessage('roots/list');
    const second = await talk.awaitMessage('roots/list');
    const answer = (id: unknown, uri: string) => ({ jsonrpc: '2.0', id, result: { roots: [{ uri }] } });
    talk.say(JSON.stringify([answer(second.id, 'file:///second'), answer(first.id, 'file:///first')]));
    const answered = () => talk.until(({ result }) => result !== undefined);
    const texts = [await answered(), await answered()].map(({ id, result }) => [id, result.content[0].text]);
    proves('2025-03-26/batching/responses-matched-by-id-not-order', () =>
      expect(Object.fromEntries(texts)).toEqual({
        [calls[0]!]: 'file:///first',
        [calls[1]!]: 'file:///second',
      }),
    );
  },
);

over(['2025-06-18', '2025-11-25', '2026-07-28'], 'an array is invalid', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  const answer = await talk.ask(
    `[${talk.line(1, 'tools/call', { name: 'echo', arguments: { text: 'x' } })}]`,
  );
  proves('2025-06-18/batching/batch-array-received-is-invalid-request', () => {
    expect([Array.isArray(answer), answer.error.code]).toEqual([false, -32600]);
    expect(stage.ran).toEqual([]);
  });
});

over(['2025-03-26'], 'initialize in a batch is refused', async ({ raw }) => {
  const talk = raw();
  const { error } = await talk.ask(`[${talk.line(1, 'initialize', { protocolVersion: '2025-03-26' })}]`);
  expect(error.code).toBe(-32600);
  expect((await shakeHands(talk)).result.protocolVersion).toBe('2025-03-26');
});
