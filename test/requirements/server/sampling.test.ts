import type { Server } from '@rootbound/protocol';
import { createServer, sample, tool } from '@rootbound/protocol';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { person, tour } from './tour.ts';
import { over } from './world.ts';

const sampling = { sampling: {} };
const later = tool({ name: 'later', description: 'Answers.', input: z.object({}), run: () => 'now' });

type SampleParams = Parameters<typeof sample>[0];
type Block = Exclude<SampleParams['messages'][number]['content'], unknown[]>;
const text = (value: string) => ({ type: 'text' as const, text: value });

/** Creates a server with one tool that sends this sampling request. */
function asking(params: () => SampleParams): Server {
  const think = tool({
    name: 'think',
    description: 'Asks.',
    input: z.object({}),
    ask: async (_args, ask) => (await ask({ sampled: sample(params()) })).sampled,
    run: (_args, { answers }) => JSON.stringify(answers),
  });
  return createServer({ name: 's', version: '1', onError: () => {}, tools: [think, later] });
}

over(all, 'sampling is used only if the client declared it', async ({ open, proves, stateless: modern }) => {
  const talk = await open(undefined, { capabilities: sampling });
  const { questions, answer } = await talk.settleCall('think', {}, person);
  const [{ method, params }] = questions;
  const silent = await open();
  const refused = await silent.call('think');
  proves('2024-11-05/sampling/request-requires-client-capability', () => {
    expect(method).toBe('sampling/createMessage');
    expect(
      silent.heard.filter((message) => message.method === method || message.result?.inputRequests),
    ).toEqual([]);
    expect(modern ? refused.error.code : refused.result.isError).toEqual(modern ? -32021 : true);
  });
  proves('2024-11-05/sampling/request-has-messages-and-max-tokens', () =>
    expect([params.messages, params.maxTokens]).toEqual([[{ role: 'user', content: text('Why?') }], 9]),
  );
  proves('2026-07-28/sampling/sampling-message-has-role', () =>
    expect(params.messages.map(({ role }: Message) => role)).toEqual(['user']),
  );
  proves('2026-07-28/sampling/sampling-message-has-content', () =>
    expect(params.messages[0].content).toEqual(text('Why?')),
  );
  proves('2024-11-05/sampling/priorities-are-normalized', () => {
    const { costPriority, speedPriority, intelligencePriority } = params.modelPreferences;
    expect(
      [costPriority, speedPriority, intelligencePriority].every((value) => 0 <= value && value <= 1),
    ).toBe(true);
  });
  proves('2024-11-05/sampling/message-content-is-one-block', () =>
    expect(Array.isArray(params.messages[0].content)).toBe(false),
  );
  proves('2025-11-25/sampling/message-content-is-block-or-array', () =>
    expect(params.messages[0].content.type).toBe('text'),
  );
  proves('2024-11-05/sampling/text-content-supported', () =>
    expect(JSON.parse(answer.result.content[0].text).content).toEqual(text('because')),
  );
});

over(all, 'pictures and sounds can be in requests and answers', async ({ open, proves, revision }) => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
  const audio = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' } as const;
  const content = revision === '2024-11-05' ? [image] : [image, audio];
  const seen: unknown[] = [];
  const reported: unknown[] = [];
  for (const block of content) {
    const server = asking(() => ({ messages: [{ role: 'user', content: block }], maxTokens: 1 }));
    const talk = await open(server, { capabilities: sampling });
    const { answer } = await talk.settleCall('think', {}, ({ params }) => {
      seen.push(params.messages[0].content);
      return { role: 'assistant', model: 'm', content: block };
    });
    reported.push(JSON.parse(answer.result.content[0].text).content);
  }
  proves('2024-11-05/sampling/image-content-supported', () =>
    expect([seen[0], reported[0]]).toEqual([image, image]),
  );
  if (revision !== '2024-11-05')
    proves('2025-03-26/sampling/audio-content-supported', () =>
      expect([seen[1], reported[1]]).toEqual([audio, audio]),
    );
});

over(
  all,
  'an invalid answer fails the call, and the conversation is not revealed elsewhere',
  async ({ open, proves, stateless: modern }) => {
    const stage = new Stage();
    const server = fixture(stage);
    const [talk, other] = [
      await open(server, { capabilities: sampling }),
      await open(server, { capabilities: sampling }),
    ];
    const wrong: unknown[] = [];
    for (const bad of [
      {},
      { role: 'assistant' },
      { role: 'assistant', model: 'm' },
      { role: 'assistant', model: 'm', content: 'text' },
    ]) {
      const { answer } = await talk.settleCall('think', {}, () => bad);
      wrong.push(answer.error?.code ?? answer.result.isError);
    }
    proves('2024-11-05/sampling/message-content-validated', () =>
      expect(wrong).toEqual(wrong.map(() => -32602)),
    );
    await talk.settleCall('think', { text: 'my secret' }, () => ({
      role: 'assistant',
      model: 'm',
      content: text('hidden'),
    }));
    await other.settled();
    const elsewhere = [
      ...other.lines,
      ...talk.lines.filter((line) => line.includes('notifications/')),
    ].join();
    proves('2024-11-05/sampling/sensitive-data-handled', () => {
      expect(elsewhere).not.toMatch(/my secret|hidden/);
      expect(stage.faults.map(String).join()).not.toMatch(/my secret|hidden/);
    });
    expect(modern).toBe(talk.heard.some(({ result }) => result?.resultType === 'input_required'));
  },
);

const weather = { name: 'weather', inputSchema: { type: 'object' } } as const;
const use = (id: string): Block => ({ type: 'tool_use', id, name: 'weather', input: {} });
const result = (toolUseId: string): Block => ({ type: 'tool_result', toolUseId, content: [text('sunny')] });
type Messages = SampleParams['messages'];

over(
  between('2025-11-25'),
  'tools are offered to clients that declare them',
  async ({ open, proves, stateless: modern }) => {
    const params = () => ({
      messages: [{ role: 'user' as const, content: text('x') }],
      maxTokens: 1,
      tools: [weather],
    });
    const talk = await open(asking(params), { capabilities: { sampling: { tools: {} } } });
    const answered = { role: 'assistant', model: 'm', stopReason: 'toolUse', content: [use('1'), use('2')] };
    const { questions, answer } = await talk.settleCall('think', {}, () => answered);
    const plain = await open(asking(params), { capabilities: sampling });
    const refused = await plain.call('think');
    proves('2025-11-25/sampling/no-sampling-tools-without-capability', () => {
      expect(questions[0].params.tools).toEqual([weather]);
      expect(plain.heard.filter(({ method }) => method === 'sampling/createMessage')).toEqual([]);
      expect(modern ? refused.error.data : refused.result.isError).toEqual(
        modern ? { requiredCapabilities: { sampling: { tools: {} } } } : true,
      );
    });
    proves('2025-11-25/sampling/parallel-tool-use-as-array', () =>
      expect(JSON.parse(answer.result.content[0].text).content).toEqual([use('1'), use('2')]),
    );
    proves('2026-07-28/sampling/sampling-tools-scoped-to-request', () =>
      expect(questions[0].params.tools[0].name).toBe('weather'),
    );
  },
);

over(
  between('2025-11-25'),
  'a conversation with tools is sent only if each tool use has its result',
  async ({ open, proves }) => {
    const asked = async (messages: Messages) => {
      const talk = await open(
        asking(() => ({ messages, maxTokens: 1, tools: [weather] })),
        { capabilities: { sampling: { tools: {} } } },
      );
      const { questions, answer } = await talk.settleCall('think', {}, person);
      return questions.length > 0 ? 'asked' : answer.result.isError;
    };
    const start: Messages = [
      { role: 'user', content: text('x') },
      { role: 'assistant', content: [use('1'), use('2')] },
    ];
    const good = await asked([...start, { role: 'user', content: [result('2'), result('1')] }]);
    const mixed = await asked([...start, { role: 'user', content: [result('1'), result('2'), text('y')] }]);
    proves('2025-11-25/sampling/tool-result-message-has-only-tool-results', () =>
      expect([good, mixed]).toEqual(['asked', true]),
    );
    const missing = [
      await asked([...start, { role: 'user', content: [result('1')] }]),
      await asked([...start, { role: 'user', content: text('y') }]),
      await asked(start),
    ];
    proves('2025-11-25/sampling/tool-use-followed-by-matching-tool-results', () =>
      expect(missing).toEqual([true, true, true]),
    );
    proves('2025-11-25/sampling/tool-use-answered-with-tool-results', () =>
      expect([good, ...missing]).toEqual(['asked', true, true, true]),
    );
    const foreign = await asked([{ role: 'user', content: [result('9')] }]);
    proves('2025-11-25/sampling/tool-result-id-matches-earlier-tool-use', () => expect(foreign).toBe(true));
  },
);

over(
  all,
  'context of servers is requested only from clients that declare it',
  async ({ open, proves, revision }) => {
    const params = () => ({
      messages: [{ role: 'user' as const, content: text('x') }],
      maxTokens: 1,
      includeContext: 'thisServer' as const,
    });
    const contextFor = async (capability: object) => {
      const talk = await open(asking(params), { capabilities: { sampling: capability } });
      return (await talk.settleCall('think', {}, person)).questions[0].params.includeContext;
    };
    const [without, withContext] = [await contextFor({}), await contextFor({ context: {} })];
    const modern = revision >= '2025-11-25';
    proves('2025-11-25/sampling/include-context-needs-capability', () =>
      expect([without, withContext]).toEqual([modern ? undefined : 'thisServer', 'thisServer']),
    );
    proves('2025-11-25/sampling/include-context-values-avoided', () =>
      expect(without).toBe(modern ? undefined : 'thisServer'),
    );
    proves('2024-11-05/sampling/include-context-values', () =>
      expect(['none', 'thisServer', 'allServers']).toContain(withContext),
    );
  },
);

over(stateless, 'sampling is used only inside a result', async (world) => {
  const { heard } = await tour(world);
  const inside = heard
    .flatMap(({ result: held }) => Object.values(held?.inputRequests ?? {}) as Message[])
    .map(({ method }) => method);
  world.proves('2026-07-28/sampling/sampling-requested-as-input-request', () => {
    expect(inside).toContain('sampling/createMessage');
    expect(heard.filter(({ method }) => method === 'sampling/createMessage')).toEqual([]);
  });
});

over(handshake, 'a declined request is returned to the tool, not thrown', async ({ open }) => {
  const talk = await open(undefined, { capabilities: sampling });
  const { answer } = await talk.settleCall('think', {}, () => ({
    error: { code: -1, message: 'User rejected sampling request' },
  }));
  expect(answer.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('User rejected sampling request') }],
  });
});
