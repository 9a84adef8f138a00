import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type ClientOptions, type CreateMessageRequestParams, connect, streams } from '../../src/client.ts';
import { createServer, sample, tool } from '../../src/index.ts';
import { allRevisions, type Revision, revisions } from '../../src/protocol/revisions.ts';
import type { CreateMessageResult } from '../../src/protocol/types.ts';
import { serveMemory } from '../../src/testing.ts';
import { Tap } from '../client/tap.ts';

const textBlock = (text: string) => ({ type: 'text' as const, text });
const use = { type: 'tool_use' as const, id: 'u1', name: 'look', input: {} };
const found = { type: 'tool_result' as const, toolUseId: 'u1', content: [textBlock('found')] };
const look = { name: 'look', inputSchema: { type: 'object' as const } };
const user = (content: CreateMessageRequestParams['messages'][number]['content']) => ({
  role: 'user' as const,
  content,
});
const answer: CreateMessageResult = { role: 'assistant', content: textBlock('three'), model: 'm' };

/**
 * Returns the result of a tool that asks the client's model; all messages are checked against the official
 * schema.
 */
async function ask(
  revision: Revision,
  params: CreateMessageRequestParams,
  sampling: ClientOptions['sampling'],
): Promise<{ text: string; wire: CreateMessageRequestParams | undefined; faults: unknown[] }> {
  const server = createServer({
    name: 'thinker',
    version: '1.0.0',
    tools: [
      tool({
        name: 'think',
        description: 'Thinks.',
        input: z.object({}),
        ask: async (_args, ask) => (await ask({ thought: sample(params) })).thought,
        run: (_args, { answers }) => JSON.stringify(answers.content),
      }),
    ],
  });
  const tap = new Tap(
    streams(() => serveMemory(server)),
    revision,
  );
  const era: Partial<ClientOptions> =
    revisions[revision].era === 'stateless' ? { era: { pinned: revision } } : { era: 'handshake', revision };
  const client = await connect(tap, {
    name: 'tester',
    version: '1.0.0',
    ...era,
    onError: () => {},
    ...(sampling !== undefined && { sampling }),
  });
  const text = await client.callTool('think').then(
    ({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')).join(),
    ({ message }: Error) => message,
  );
  await client.close();
  const asked = tap.heard
    .map(({ method, params: own, result }) =>
      method === 'sampling/createMessage' ? own : result?.inputRequests?.thought?.params,
    )
    .find((one) => one !== undefined);
  return { text, wire: asked, faults: tap.faults };
}

const newer = allRevisions.filter((revision) => revisions[revision].icons);
const older = allRevisions.filter((revision) => !revisions[revision].icons);

describe.each(newer)('%s', (revision) => {
  test.each<[string, Partial<CreateMessageRequestParams>]>([
    ['tools', { tools: [look] }],
    ['a choice of tools', { toolChoice: { mode: 'auto' } }],
    [
      'uses of tools',
      { messages: [user(textBlock('a')), { role: 'assistant', content: [use] }, user([found])] },
    ],
  ])('a question with %s is sent only to a client that supports it', async (_name, more) => {
    const params = { messages: [user(textBlock('a'))], maxTokens: 9, ...more };
    const refused = await ask(revision, params, () => answer);
    expect([refused.text, refused.wire]).toEqual([
      expect.stringContaining('this call needs the client capability sampling'),
      undefined,
    ]);
    const taken = await ask(revision, params, { createMessage: () => answer, tools: true });
    expect([taken.text, taken.faults]).toEqual([JSON.stringify(textBlock('three')), []]);
  });

  test.each([
    ['none', use, 'the model used a tool, which toolChoice forbids'],
    ['required', textBlock('no'), 'the model used no tool, which toolChoice requires'],
  ] as const)('a model that violates the choice %s is an error', async (mode, content, words) => {
    const faults: string[] = [];
    const params = { messages: [user(textBlock('a'))], maxTokens: 9, tools: [look], toolChoice: { mode } };
    const { text } = await ask(revision, params, {
      createMessage: () => ({ ...answer, content }),
      tools: true,
    });
    faults.push(text);
    expect(text).not.toContain('"type"');
    if (revision === '2026-07-28') expect(faults.join()).toContain(words);
  });

  test('several blocks of one message and several tool uses are kept', async () => {
    const params = { messages: [user([textBlock('a'), textBlock('b')])], maxTokens: 9, tools: [look] };
    const uses = [use, { ...use, id: 'u2' }];
    const { text, wire, faults } = await ask(revision, params, {
      createMessage: () => ({ ...answer, content: uses, stopReason: 'toolUse' }),
      tools: true,
    });
    expect([JSON.parse(text), wire?.messages, faults]).toEqual([uses, params.messages, []]);
  });
});

describe.each(older)('%s', (revision) => {
  test('several blocks of one message become messages of one block each', async () => {
    const params = { messages: [user([textBlock('a'), textBlock('b')]), user(textBlock('c'))], maxTokens: 9 };
    const { text, wire, faults } = await ask(revision, params, () => answer);
    expect(wire?.messages).toEqual([user(textBlock('a')), user(textBlock('b')), user(textBlock('c'))]);
    expect([JSON.parse(text), faults]).toEqual([textBlock('three'), []]);
  });

  test('tools are never requested', async () => {
    const params = { messages: [user(textBlock('a'))], maxTokens: 9, tools: [look] };
    const { text, wire } = await ask(revision, params, { createMessage: () => answer, tools: true });
    expect([text, wire]).toEqual([
      expect.stringContaining('needs the client capability sampling'),
      undefined,
    ]);
  });

  test('audio is sent only if the revision has it', async () => {
    const sound = { type: 'audio' as const, data: 'UklGRg==', mimeType: 'audio/wav' };
    const { text, wire, faults } = await ask(
      revision,
      { messages: [user(sound)], maxTokens: 9 },
      () => answer,
    );
    if (revision === '2024-11-05')
      expect([text, wire]).toEqual([expect.stringContaining('this client does not accept audio'), undefined]);
    else expect([wire?.messages, faults]).toEqual([[user(sound)], []]);
  });
});

describe.each(allRevisions)('%s', (revision) => {
  test.each([true, false])('context is shared only by a provider that supports it (%s)', async (context) => {
    let given: CreateMessageRequestParams['includeContext'] = 'none';
    const params = { messages: [user(textBlock('a'))], maxTokens: 9, includeContext: 'thisServer' as const };
    const createMessage = (asked: CreateMessageRequestParams): CreateMessageResult => {
      given = asked.includeContext;
      return answer;
    };
    const { wire, faults } = await ask(revision, params, { createMessage, context });
    const declared = revisions[revision].icons;
    expect([given, wire?.includeContext, faults]).toEqual([
      context ? 'thisServer' : undefined,
      context || !declared ? 'thisServer' : undefined,
      [],
    ]);
  });
});

test.each<[string, CreateMessageRequestParams['messages']]>([
  ['has no result', [{ role: 'assistant', content: use }]],
  ['is answered late', [{ role: 'assistant', content: use }, user(textBlock('wait')), user(found)]],
  ['is answered among other things', [{ role: 'assistant', content: use }, user([found, textBlock('b')])]],
  [
    'is answered by the model',
    [
      { role: 'assistant', content: use },
      { role: 'assistant', content: found },
    ],
  ],
  ['was never made', [user(found)]],
])('a conversation in which a tool use %s is refused before it is sent', (_name, messages) => {
  expect(() => sample({ messages, maxTokens: 9 })).toThrow(TypeError);
});
