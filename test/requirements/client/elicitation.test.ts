import { AnswerError, type ClientOptions } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { between, stateless } from '../revisions.ts';
import type { Script } from './script.ts';
import { over, type World } from './world.ts';

const since = between('2025-06-18');
const modes = between('2025-11-25');
const sessions = between('2025-06-18', '2025-11-25');

type Elicitation = NonNullable<ClientOptions['elicitation']>;
const schemaOf = (properties: object, required?: string[]) => ({
  type: 'object',
  properties,
  ...(required && { required }),
});
const form = (properties: object = { name: { type: 'string' } }, more: object = {}) => ({
  message: 'Who?',
  requestedSchema: schemaOf(properties),
  ...more,
});

/** Asks the user with the method of the era; returns the answer, or the error. */
async function ask(
  { script, stateless: modern }: World,
  elicitation: Elicitation | undefined,
  params: object,
): Promise<Message> {
  const options = elicitation === undefined ? {} : { elicitation };
  if (!modern) {
    const server = script();
    await server.connect(options);
    const { result, error } = await server.ask(1, 'elicitation/create', params);
    return result ?? { error };
  }
  const asking = {
    resultType: 'input_required',
    inputRequests: { q: { method: 'elicitation/create', params } },
  };
  const server: Script = script({
    capabilities: { tools: {} },
    answers: {
      'tools/call': ({ params: sent }) =>
        sent.inputResponses === undefined ? asking : server.done({ content: [] }),
    },
  });
  const client = await server.connect(options);
  const error = await client.callTool('a').catch((reason: unknown) => reason);
  return server.all('tools/call')[1]?.params.inputResponses.q ?? { error };
}

const accepting = (content: object) => () => ({ action: 'accept', content }) as never;

over(
  sessions,
  'a client with elicitation declares it with its modes',
  async ({ script, proves, revision }) => {
    const declared: unknown[] = [];
    for (const elicitation of [
      { form: accepting({}) },
      { form: accepting({}), url: accepting({}) },
      { url: accepting({}) },
    ]) {
      const server = script();
      await server.connect({ elicitation });
      declared.push(server.heard[0].params.capabilities.elicitation);
    }
    const old = revision === '2025-06-18';
    proves('2025-06-18/elicitation/declares-capability', () =>
      expect(declared[0]).toEqual(old ? {} : { form: {} }),
    );
    if (!old)
      proves('2025-11-25/elicitation/at-least-one-elicitation-mode-supported', () =>
        expect(declared).toEqual([{ form: {} }, { form: {}, url: {} }, { url: {} }]),
      );
  },
);

over(stateless, 'a client with elicitation declares it in each request', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/list': () => server.done({ tools: [] }) },
  });
  await (await server.connect({ elicitation: { url: accepting({}) } })).listTools();
  const declared = server.heard.map(
    ({ params }) => params._meta['io.modelcontextprotocol/clientCapabilities'].elicitation,
  );
  proves('2026-07-28/elicitation/declares-capability', () =>
    expect(declared).toEqual([{ url: {} }, { url: {} }]),
  );
  proves('2026-07-28/elicitation/at-least-one-elicitation-mode-supported', () =>
    expect(Object.keys(declared[0])).toEqual(['url']),
  );
});

over(since, 'each action of the user has its own result', async (world) => {
  const { proves } = world;
  const content = { name: 'Ann', age: 7, member: true };
  const properties = { name: { type: 'string' }, age: { type: 'integer' }, member: { type: 'boolean' } };
  const accepted = await ask(world, accepting(content), form(properties));
  const declined = await ask(world, () => ({ action: 'decline', content: { name: 'x' } }), form());
  const cancelled = await ask(world, () => ({ action: 'cancel' }), form());
  proves('2025-06-18/elicitation/action-is-accept-decline-or-cancel', () =>
    expect([accepted, declined, cancelled].map(({ action }) => action)).toEqual([
      'accept',
      'decline',
      'cancel',
    ]),
  );
  proves('2025-06-18/elicitation/accept-carries-content-matching-schema', () =>
    expect(accepted).toEqual({ action: 'accept', content }),
  );
  proves('2025-06-18/elicitation/decline-and-cancel-omit-content', () =>
    expect([declined, cancelled]).toEqual([{ action: 'decline' }, { action: 'cancel' }]),
  );
  proves('2025-06-18/elicitation/decline-means-explicit-refusal', () =>
    expect(declined.action).toBe('decline'),
  );
  proves('2025-06-18/elicitation/cancel-means-dismissal', () => expect(cancelled.action).toBe('cancel'));
  proves('2025-06-18/elicitation/content-values-are-primitive', () =>
    expect(Object.values(accepted.content).map((value) => typeof value)).toEqual([
      'string',
      'number',
      'boolean',
    ]),
  );
  proves('2025-11-25/elicitation/elicitation-content-value-types', () =>
    expect(Object.values(accepted.content).every((value) => typeof value !== 'object')).toBe(true),
  );
  const odd = await ask(world, () => ({ action: 'maybe' }) as never, form());
  expect(odd.error).toBeDefined();
});

over(since, 'content is valid for its form, with the defaults of omitted fields', async (world) => {
  const { proves, revision } = world;
  const fits = async (field: object, value: unknown) =>
    (await ask(world, accepting({ a: value }), form({ a: field }))).error === undefined;
  const text = { type: 'string', minLength: 2, maxLength: 3 };
  const texts = [
    await fits(text, 'a'),
    await fits(text, 'ab'),
    await fits(text, 'abcd'),
    await fits(text, 7),
  ];
  proves('2025-06-18/elicitation/string-constraints-supported', () =>
    expect(texts).toEqual([false, true, false, false]),
  );
  const bounded = { type: 'integer', minimum: 1, maximum: 3 };
  const numbers = [
    await fits(bounded, 0),
    await fits(bounded, 1),
    await fits(bounded, 4),
    await fits(bounded, 1.5),
    await fits({ type: 'number', minimum: 0.5 }, 1),
  ];
  proves('2025-06-18/elicitation/number-and-integer-bounds-supported', () =>
    expect(numbers).toEqual([false, true, false, false, true]),
  );
  const given = await ask(world, accepting({}), form({ sure: { type: 'boolean', default: true } }));
  proves('2025-06-18/elicitation/boolean-default-supported', () =>
    expect(given.content).toEqual({ sure: true }),
  );
  const named = { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] };
  let request: Message;
  await ask(
    world,
    (params) => {
      request = params;
      return { action: 'accept', content: { a: 'r' } };
    },
    form({ a: named }),
  );
  proves('2025-06-18/elicitation/enum-names-supported', () =>
    expect(request.requestedSchema.properties.a).toEqual(named),
  );
  const formats = [
    await fits({ type: 'string', format: 'email' }, 'a@example.com'),
    await fits({ type: 'string', format: 'hostname' }, 'x'),
  ];
  proves('2025-06-18/elicitation/string-formats-limited', () => expect(formats).toEqual([true, false]));
  const validated = () => expect([texts[0], numbers[0]]).toEqual([false, false]);
  if (revision === '2025-06-18') proves('2025-06-18/elicitation/content-validated-against-schema', validated);
  else proves('2025-11-25/elicitation/form-response-validated-by-client', validated);
});

over(modes, 'single and multiple choices of every form are accepted', async (world) => {
  const { proves } = world;
  const titled = [
    { const: 'r', title: 'Red' },
    { const: 'g', title: 'Green' },
  ];
  const fields = {
    plain: { type: 'string', enum: ['r', 'g'] },
    titled: { type: 'string', oneOf: titled },
    many: { type: 'array', items: { type: 'string', enum: ['r', 'g'] } },
    titledMany: { type: 'array', items: { anyOf: titled } },
  };
  const good = { plain: 'r', titled: 'g', many: ['r', 'g'], titledMany: ['r'] };
  const bad = { plain: 'b', titled: 'b', many: ['b'], titledMany: 'r' };
  const accepted = await ask(world, accepting(good), form(fields));
  const refused: unknown[] = [];
  for (const [name, value] of Object.entries(bad))
    refused.push((await ask(world, accepting({ ...good, [name]: value }), form(fields))).error !== undefined);
  proves('2025-11-25/elicitation/enum-forms-supported', () =>
    expect([accepted.content, refused]).toEqual([good, [true, true, true, true]]),
  );
  proves('2025-11-25/elicitation/elicitation-content-value-types', () =>
    expect(accepted.content.many).toEqual(['r', 'g']),
  );
  const defaults = await ask(
    world,
    accepting({}),
    form({
      a: { type: 'string', default: 'x' },
      b: { type: 'integer', default: 7 },
      c: { ...fields.many, default: ['g'] },
    }),
  );
  proves('2025-11-25/elicitation/form-defaults-prefilled', () =>
    expect(defaults.content).toEqual({ a: 'x', b: 7, c: ['g'] }),
  );
});

over(sessions, 'a request during a call is answered before the call', async ({ script, proves }) => {
  const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': undefined } });
  const client = await server.connect({ elicitation: { form: accepting({ name: 'Ann' }) } });
  const call = client.callTool('think');
  const { id } = await server.awaitMessage('tools/call');
  const { result } = await server.ask('nested', 'elicitation/create', form());
  server.say({ id, result: { content: [] } });
  const { content } = await call;
  proves('2025-06-18/elicitation/nested-inside-other-requests', () =>
    expect([result.action, content]).toEqual(['accept', []]),
  );
});

const page = {
  mode: 'url',
  message: 'Sign in',
  url: 'https://example.com/login?state=1',
  elicitationId: 'any id, 1/2 ü',
};

over(modes, 'an elicitation without a mode is a form', async (world) => {
  const { proves, stateless: modern, revision } = world;
  const asked: string[] = [];
  const answering = (mode: string) => () => {
    asked.push(mode);
    return { action: 'accept', content: mode === 'form' ? { name: 'Ann' } : undefined } as never;
  };
  const both = { form: answering('form'), url: answering('url') };
  const pageOf = revision === '2025-11-25' ? page : { ...page, elicitationId: undefined };
  const [bare, formed, opened] = [
    await ask(world, both, form()),
    await ask(world, both, form(undefined, { mode: 'form' })),
    await ask(world, both, pageOf),
  ];
  proves('2025-11-25/elicitation/missing-mode-treated-as-form', () =>
    expect([asked, bare.content]).toEqual([['form', 'form', 'url'], { name: 'Ann' }]),
  );
  proves('2025-11-25/elicitation/url-accept-omits-content', () =>
    expect(opened).toEqual({ action: 'accept' }),
  );
  proves('2025-11-25/elicitation/url-accept-means-consent-not-completion', () =>
    expect('content' in opened).toBe(false),
  );
  proves('2025-11-25/elicitation/empty-elicitation-capability-means-form', () =>
    expect(formed.action).toBe('accept'),
  );
  const undeclared = [
    await ask(world, { form: answering('form') }, pageOf),
    await ask(world, { url: answering('url') }, form()),
  ];
  const refusals = undeclared.map(({ error }) => (modern ? error instanceof AnswerError : error?.code));
  if (!modern)
    proves('2025-11-25/elicitation/undeclared-mode-answered-32602', () =>
      expect(refusals).toEqual([-32602, -32602]),
    );
  expect(refusals).toEqual(modern ? [true, true] : [-32602, -32602]);
});

over(modes, 'a URL is passed to the user and not fetched by the client', async (world) => {
  const { proves, revision } = world;
  const real = globalThis.fetch;
  const fetched: unknown[] = [];
  globalThis.fetch = async (target) => {
    fetched.push(target);
    return new Response('');
  };
  try {
    const requests: Message[] = [];
    const pageOf = revision === '2025-11-25' ? page : { ...page, elicitationId: undefined };
    const declined = await ask(
      world,
      {
        url: (params) => {
          requests.push(params);
          return { action: 'decline' };
        },
      },
      pageOf,
    );
    proves('2025-11-25/elicitation/elicitation-url-not-prefetched', () => expect(fetched).toEqual([]));
    proves('2025-11-25/elicitation/elicitation-url-opened-only-with-consent', () =>
      expect([declined, requests[0].url, fetched]).toEqual([{ action: 'decline' }, page.url, []]),
    );
    if (revision === '2025-11-25')
      proves('2025-11-25/elicitation/elicitation-id-is-opaque', () =>
        expect(requests[0].elicitationId).toBe('any id, 1/2 ü'),
      );
  } finally {
    globalThis.fetch = real;
  }
});

over(['2025-11-25'], 'completions of unknown URL elicitations are ignored', async ({ script, proves }) => {
  const server = script({ capabilities: { tools: {} }, answers: { 'tools/list': { tools: [] } } });
  const client = await server.connect({ elicitation: { url: () => ({ action: 'accept' }) } });
  await server.ask(1, 'elicitation/create', page);
  for (const elicitationId of ['unknown', page.elicitationId, page.elicitationId])
    server.say({ method: 'notifications/elicitation/complete', params: { elicitationId } });
  const tools = await client.listTools();
  proves('2025-11-25/elicitation/unknown-elicitation-complete-ignored', () =>
    expect([tools, server.faults]).toEqual([[], []]),
  );
});

over(
  stateless,
  'the outcome of a URL elicitation is learned by a repeated call',
  async ({ script, proves }) => {
    const asking = {
      resultType: 'input_required',
      inputRequests: { q: { method: 'elicitation/create', params: { ...page, elicitationId: undefined } } },
      requestState: 's',
    };
    const server: Script = script({
      capabilities: { tools: {} },
      answers: {
        'tools/call': ({ params }) =>
          params.inputResponses === undefined
            ? asking
            : server.done({ content: [{ type: 'text', text: 'signed in' }] }),
      },
    });
    const client = await server.connect({ elicitation: { url: () => ({ action: 'accept' }) } });
    const { content } = await client.callTool('login', { a: 1 });
    proves('2026-07-28/elicitation/url-outcome-learned-by-retry', () => {
      expect(content).toEqual([{ type: 'text', text: 'signed in' }]);
      expect(server.all('tools/call')[1].params).toMatchObject({
        name: 'login',
        arguments: { a: 1 },
        inputResponses: { q: { action: 'accept' } },
      });
    });
  },
);

over(sessions, 'the number of concurrent elicitations is bounded', async ({ script, proves }) => {
  let open = 0;
  const server = script();
  await server.connect({
    roots: () => [],
    elicitation: {
      form: () => {
        open += 1;
        return new Promise<never>(() => {});
      },
    },
  });
  for (let id = 0; id < 50; id++) server.say({ id, method: 'elicitation/create', params: form() });
  await server.ask('fence', 'roots/list');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  proves('2025-06-18/elicitation/rate-limited', () => expect([open > 0, open <= 8]).toEqual([true, true]));
});
