import { AnswerError, type ClientOptions, chooseModel, RpcError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import type { Script } from './script.ts';
import { over, type World } from './world.ts';

type Sampling = NonNullable<ClientOptions['sampling']>;
const text = (value: string) => ({ type: 'text', text: value });
const sampled = { role: 'assistant', model: 'tiny', content: { type: 'text', text: 'because' } } as const;
const question = { messages: [{ role: 'user', content: text('Why?') }], maxTokens: 9 };

/** Asks the model with the method of the era; returns the answer, or the error. */
async function ask(
  { script, stateless: modern }: World,
  sampling: Sampling | undefined,
  params: object = question,
): Promise<Message> {
  const options = sampling === undefined ? {} : { sampling };
  if (!modern) {
    const server = script();
    await server.connect(options);
    const { result, error } = await server.ask(1, 'sampling/createMessage', params);
    return result ?? { error };
  }
  const asking = {
    resultType: 'input_required',
    inputRequests: { q: { method: 'sampling/createMessage', params } },
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

over(handshake, 'a client with sampling declares it', async ({ script, proves, revision }) => {
  const server = script();
  await server.connect({ sampling: { createMessage: () => sampled, tools: true, context: true } });
  const { sampling } = server.heard[0].params.capabilities;
  proves('2024-11-05/sampling/declares-capability', () => expect(sampling).toBeTypeOf('object'));
  proves('2025-11-25/sampling/sampling-tools-capability-declared', () =>
    expect(sampling.tools).toEqual(revision === '2025-11-25' ? {} : undefined),
  );
});

over(stateless, 'a client with sampling declares it in each request', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/list': () => server.done({ tools: [] }) },
  });
  await (await server.connect({ sampling: { createMessage: () => sampled, tools: true } })).listTools();
  const declared = server.heard.map(
    ({ params }) => params._meta['io.modelcontextprotocol/clientCapabilities'].sampling,
  );
  proves('2026-07-28/sampling/declares-capability', () =>
    expect(declared).toEqual([{ tools: {} }, { tools: {} }]),
  );
  proves('2026-07-28/sampling/sampling-tools-capability-declared', () =>
    expect(declared[0].tools).toEqual({}),
  );
});

over(all, 'the model gets the request of the server, and its answer is returned', async (world) => {
  const { proves, revision } = world;
  const seen: Message[] = [];
  const modern = revision >= '2025-03-26';
  const params = {
    ...question,
    messages: [
      { role: 'user', content: text('Why?') },
      { role: 'assistant', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } },
      ...(modern ? [{ role: 'user', content: { type: 'audio', data: 'AA==', mimeType: 'audio/wav' } }] : []),
    ],
    metadata: { vendor: { trace: 1 } },
    modelPreferences: { hints: [{ name: 'tiny' }], costPriority: 1 },
    stopSequences: ['.'],
  };
  const answer = await ask(
    world,
    (asked) => {
      seen.push(asked);
      return { ...sampled, stopReason: 'ownReason' };
    },
    params,
  );
  const [asked] = seen;
  proves('2024-11-05/sampling/result-has-role-content-and-model', () =>
    expect(answer).toMatchObject(sampled),
  );
  proves('2024-11-05/sampling/stop-reason-is-optional-open-string', () =>
    expect(answer.stopReason).toBe('ownReason'),
  );
  proves('2024-11-05/sampling/text-content-supported', () =>
    expect(asked.messages[0].content).toEqual(text('Why?')),
  );
  proves('2024-11-05/sampling/message-content-is-one-block', () =>
    expect(Array.isArray(answer.content)).toBe(false),
  );
  proves('2025-11-25/sampling/message-content-is-block-or-array', () =>
    expect(answer.content.type).toBe('text'),
  );
  proves('2024-11-05/sampling/image-content-supported', () =>
    expect(asked.messages[1].content.mimeType).toBe('image/png'),
  );
  if (modern)
    proves('2025-03-26/sampling/audio-content-supported', () =>
      expect(asked.messages[2].content.mimeType).toBe('audio/wav'),
    );
  proves('2024-11-05/sampling/max-tokens-is-an-upper-bound', () => expect(asked.maxTokens).toBe(9));
  proves('2024-11-05/sampling/metadata-passed-through', () =>
    expect(asked.metadata).toEqual({ vendor: { trace: 1 } }),
  );
  proves('2024-11-05/sampling/model-hints-respected', () =>
    expect(asked.modelPreferences.hints).toEqual([{ name: 'tiny' }]),
  );
  proves('2024-11-05/sampling/client-selects-model', () => expect(answer.model).toBe('tiny'));
});

over(all, 'hints select the model in their order, before priorities', ({ proves }) => {
  const models = [
    { name: 'Claude-Large-2', intelligence: 1, cheapness: 0.1 },
    { name: 'claude-small-1', intelligence: 0.2, cheapness: 0.9 },
    { name: 'other-fast', speed: 1, cheapness: 1 },
  ];
  const choose = (preferences: Parameters<typeof chooseModel>[1]) => chooseModel(models, preferences)?.name;
  proves('2024-11-05/sampling/hint-matches-as-substring', () =>
    expect(choose({ hints: [{ name: 'small' }] })).toBe('claude-small-1'),
  );
  proves('2024-11-05/sampling/hints-evaluated-in-order', () => {
    expect(choose({ hints: [{ name: 'none' }, { name: 'fast' }, { name: 'small' }] })).toBe('other-fast');
    expect(choose({ hints: [{ name: 'small' }, { name: 'fast' }] })).toBe('claude-small-1');
  });
  proves('2024-11-05/sampling/hints-outrank-priorities', () => {
    expect(choose({ hints: [{ name: 'large' }], costPriority: 1, speedPriority: 1 })).toBe('Claude-Large-2');
    expect(choose({ hints: [{ name: 'claude' }], costPriority: 1 })).toBe('claude-small-1');
  });
  expect([
    choose({ costPriority: 1 }),
    choose({ intelligencePriority: 1 }),
    choose({}),
    chooseModel([]),
  ]).toEqual(['other-fast', 'Claude-Large-2', 'Claude-Large-2', undefined]);
});

over(handshake, 'a request during a call is answered before the call', async ({ script, proves }) => {
  const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': undefined } });
  const client = await server.connect({ sampling: () => sampled });
  const call = client.callTool('think');
  const { id } = await server.awaitMessage('tools/call');
  const { result } = await server.ask('nested', 'sampling/createMessage', question);
  server.say({ id, result: { content: [] } });
  const { content } = await call;
  proves('2024-11-05/sampling/nested-inside-other-requests', () =>
    expect([result.model, content]).toEqual(['tiny', []]),
  );
});

over(
  handshake,
  'a failure is an error response without internal details, a rejection by the user has its own code',
  async (world) => {
    const { proves } = world;
    const failed = await ask(world, () => Promise.reject(new Error('key sk-secret is wrong')));
    proves('2024-11-05/sampling/failures-returned-as-errors', () => expect(failed.error.code).toBe(-32603));
    proves('2024-11-05/sampling/sensitive-data-handled', () =>
      expect(JSON.stringify(failed)).not.toContain('sk-secret'),
    );
    const rejected = await ask(world, () =>
      Promise.reject(new RpcError(-1, 'User rejected sampling request')),
    );
    proves('2024-11-05/sampling/user-rejection-error', () =>
      expect(rejected.error).toEqual({ code: -1, message: 'User rejected sampling request' }),
    );
  },
);

over(all, 'invalid requests and answers are refused', async (world) => {
  const { proves, revision } = world;
  const never = (): never => expect.unreachable('the model is not asked');
  const questions: unknown[] = [];
  for (const params of [
    {},
    { messages: [{ role: 'system', content: text('x') }], maxTokens: 1 },
    { messages: [{ role: 'user', content: { type: 'image' } }], maxTokens: 1 },
    { messages: [] },
  ])
    questions.push((await ask(world, never, params)).error !== undefined);
  const answers: unknown[] = [];
  for (const bad of [{}, { ...sampled, role: 'system' }, { ...sampled, content: 'text' }])
    answers.push((await ask(world, () => bad as never)).error !== undefined);
  proves('2024-11-05/sampling/message-content-validated', () =>
    expect([questions, answers]).toEqual([
      [true, true, true, true],
      [true, true, true],
    ]),
  );
  expect(revision).toBeDefined();
});

const weather = { name: 'weather', inputSchema: { type: 'object' } };
const use = (id: string, more: object = {}) => ({
  type: 'tool_use',
  id,
  name: 'weather',
  input: {},
  ...more,
});
const result = (toolUseId: string, more: object = {}) => ({
  type: 'tool_result',
  toolUseId,
  content: [text('sunny')],
  ...more,
});
const isRefused = (answer: Message): unknown =>
  answer.error instanceof AnswerError ? 'refused' : answer.error?.code;

over(between('2025-11-25'), 'tools are accepted only by a client that declared them', async (world) => {
  const { proves, stateless: modern } = world;
  const refusal = modern ? 'refused' : -32602;
  const tools = await ask(world, () => sampled, { ...question, tools: [weather] });
  proves('2025-11-25/sampling/undeclared-sampling-tools-answered-with-error', () =>
    expect(isRefused(tools)).toBe(refusal),
  );
  const choice = await ask(world, () => sampled, { ...question, toolChoice: { mode: 'auto' } });
  proves('2025-11-25/sampling/undeclared-tool-choice-answered-with-error', () =>
    expect(isRefused(choice)).toBe(refusal),
  );
  const seen: Message[] = [];
  const used = { role: 'assistant', model: 'tiny', stopReason: 'toolUse', content: [use('1'), use('2')] };
  const answer = await ask(
    world,
    {
      tools: true,
      createMessage: (params) => {
        seen.push(params);
        return used as never;
      },
    },
    { ...question, tools: [weather] },
  );
  proves('2025-11-25/sampling/parallel-tool-use-as-array', () =>
    expect(answer.content).toEqual([use('1'), use('2')]),
  );
  proves('2025-11-25/sampling/tool-choice-defaults-to-auto', () =>
    expect([seen[0].toolChoice, answer.stopReason]).toEqual([undefined, 'toolUse']),
  );
});

over(between('2025-11-25'), 'a model follows toolChoice', async (world) => {
  const { proves } = world;
  const answering = (content: unknown) => ({
    tools: true,
    createMessage: () => ({ role: 'assistant', model: 'm', content }) as never,
  });
  const asked = (mode: string) => ({ ...question, tools: [weather], toolChoice: { mode } });
  const [used, plain] = [answering([use('1')]), answering(text('x'))];
  const required = [await ask(world, plain, asked('required')), await ask(world, used, asked('required'))];
  proves('2025-11-25/sampling/tool-choice-required-forces-tool-use', () =>
    expect(required.map(({ error }) => error !== undefined)).toEqual([true, false]),
  );
  const none = [await ask(world, used, asked('none')), await ask(world, plain, asked('none'))];
  proves('2025-11-25/sampling/tool-choice-none-forbids-tools', () =>
    expect(none.map(({ error }) => error !== undefined)).toEqual([true, false]),
  );
});

over(
  between('2025-11-25'),
  'a conversation with tools is complete, and keeps its metadata',
  async (world) => {
    const { proves, stateless: modern } = world;
    const seen: Message[] = [];
    const model = {
      tools: true,
      createMessage: (params: Message) => {
        seen.push(params.messages);
        return sampled;
      },
    };
    const _meta = { 'example.com/cache': 1 };
    const start = [
      { role: 'user', content: text('x') },
      { role: 'assistant', content: [use('1', { _meta }), use('2')] },
    ];
    const talk = async (...messages: object[]) =>
      isRefused(
        await ask(world, model, { messages: [...start, ...messages], maxTokens: 1, tools: [weather] }),
      );
    const good = await talk({ role: 'user', content: [result('1', { _meta }), result('2')] });
    const refusal = modern ? 'refused' : -32602;
    const missing = await talk({ role: 'user', content: [result('1')] });
    const mixed = await talk({ role: 'user', content: [result('1'), result('2'), text('y')] });
    proves('2025-11-25/sampling/missing-tool-result-answered-32602', () =>
      expect([good, missing]).toEqual([undefined, refusal]),
    );
    proves('2025-11-25/sampling/mixed-tool-results-answered-32602', () =>
      expect([good, mixed]).toEqual([undefined, refusal]),
    );
    proves('2025-11-25/sampling/tool-use-meta-preserved', () =>
      expect(seen[0][1].content[0]._meta).toEqual(_meta),
    );
    proves('2025-11-25/sampling/tool-result-meta-preserved', () =>
      expect(seen[0][2].content[0]._meta).toEqual(_meta),
    );
  },
);

over(stateless, 'requests are independent, and a declined one needs no answer', async (world) => {
  const { proves, script } = world;
  const seen: Message[] = [];
  const questions = ['first', 'second'];
  const server: Script = script({
    capabilities: { tools: {} },
    answers: {
      'tools/call': ({ params }) => {
        if (params.inputResponses !== undefined) return server.done({ content: [] });
        const messages = [{ role: 'user', content: text(questions.shift()!) }];
        return {
          resultType: 'input_required',
          inputRequests: { q: { method: 'sampling/createMessage', params: { messages, maxTokens: 1 } } },
        };
      },
    },
  });
  const client = await server.connect({
    sampling: (params) => {
      seen.push(params.messages);
      return sampled;
    },
  });
  await client.callTool('a');
  await client.callTool('b');
  proves('2026-07-28/sampling/sampling-messages-not-retained', () =>
    expect(seen.map((messages) => messages.map(({ content }: Message) => content.text))).toEqual([
      ['first'],
      ['second'],
    ]),
  );
  const declined = await ask(world, () => Promise.reject(new Error('the user said no')));
  proves('2026-07-28/sampling/declined-sampling-needs-no-reply', () =>
    expect(String(declined.error)).toContain('the user said no'),
  );
  proves('2026-07-28/sampling/sensitive-data-handled', () =>
    expect(server.lines.join()).not.toContain('the user said no'),
  );
});

over(stateless, 'endless requests are given up', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: {
      'tools/call': () => ({
        resultType: 'input_required',
        inputRequests: { q: { method: 'sampling/createMessage', params: question } },
      }),
    },
  });
  let asked = 0;
  const client = await server.connect({
    sampling: () => {
      asked += 1;
      return sampled;
    },
  });
  const error = await client.callTool('a').catch((reason: unknown) => reason);
  proves('2026-07-28/sampling/tool-loops-have-iteration-limits', () => {
    expect(String(error)).toContain('requires input after 10 rounds');
    expect(asked).toBeLessThanOrEqual(10);
  });
});

over(all, 'the number of concurrent sampling requests is bounded', async (world) => {
  const { proves, script, stateless: modern } = world;
  let open = 0;
  const sampling = () => {
    open += 1;
    return new Promise<never>(() => {});
  };
  const inputRequests = Object.fromEntries(
    Array.from({ length: 50 }, (_, key) => [
      `q${key}`,
      { method: 'sampling/createMessage', params: question },
    ]),
  );
  const server: Script = script({
    capabilities: { tools: {} },
    answers: { 'tools/call': () => ({ resultType: 'input_required', inputRequests }) },
  });
  const client = await server.connect({ sampling, roots: () => [] });
  if (modern) client.callTool('a').catch(() => {});
  else
    for (const id of Object.keys(inputRequests))
      server.say({ id, method: 'sampling/createMessage', params: question });
  if (!modern) await server.ask('fence', 'roots/list');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  proves('2024-11-05/sampling/rate-limited', () => expect([open > 0, open <= 8]).toEqual([true, true]));
});
