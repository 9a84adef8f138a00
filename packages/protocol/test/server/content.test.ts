import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  allRevisions,
  type ContentBlock,
  createServer,
  prompt,
  reply,
  resource,
  tool,
} from '../../src/index.ts';
import { talkTo, textOf } from './talk.ts';

const annotations = { audience: ['user' as const], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };
const _meta = { 'example.com/own': 1 };
const text = { type: 'text', text: 'text', annotations, _meta } satisfies ContentBlock;
const image = {
  type: 'image',
  data: 'AA==',
  mimeType: 'image/png',
  annotations,
  _meta,
} satisfies ContentBlock;
const audio = {
  type: 'audio',
  data: 'AQ==',
  mimeType: 'audio/wav',
  annotations,
  _meta,
} satisfies ContentBlock;
const link = {
  type: 'resource_link',
  uri: 'memo://a',
  name: 'a',
  title: 'A',
  description: 'd',
  annotations,
  _meta,
} satisfies ContentBlock;
const bare = { type: 'resource_link', uri: 'memo://b', name: 'b' } satisfies ContentBlock;
const embedded = {
  type: 'resource',
  resource: { uri: 'memo://a', mimeType: 'text/plain', text: 'x', _meta },
  annotations,
  _meta,
} satisfies ContentBlock;
const binary = { type: 'resource', resource: { uri: 'memo://b', blob: 'AA==' } } satisfies ContentBlock;
const all: ContentBlock[] = [text, image, audio, link, bare, embedded, binary];

const server = createServer({
  name: 'content',
  version: '1.0.0',
  tools: [
    tool({ name: 'all', description: 'd', input: z.object({}), run: () => reply({ content: all, _meta }) }),
    tool({ name: 'blocks', description: 'd', input: z.object({}), run: () => [text] }),
    tool({
      name: 'sum',
      description: 'd',
      input: z.object({}),
      output: z.object({ sum: z.number() }),
      render: ({ sum }) => `the sum is ${sum}`,
      run: () => ({ sum: 3 }),
    }),
    tool({
      name: 'plain',
      description: 'd',
      input: z.object({}),
      output: z.object({ a: z.string() }),
      run: () => ({ a: 'ä' }),
    }),
    tool({
      name: 'both',
      description: 'd',
      input: z.object({}),
      output: z.object({ sum: z.number() }),
      run: () => reply({ structured: { sum: 3 }, content: [image], isError: false, _meta }),
    }),
    tool({
      name: 'rendered',
      description: 'd',
      input: z.object({}),
      output: z.object({ sum: z.number() }),
      render: ({ sum }) => [{ type: 'text', text: `sum: ${sum}` }],
      run: () => reply({ structured: { sum: 3 } }),
    }),
    tool({ name: 'silent', description: 'd', input: z.object({}), run: () => undefined }),
    tool({ name: 'shape', description: 'd', input: z.object({}), run: () => ({ a: 1 }) }),
  ],
  prompts: [
    prompt({
      name: 'all',
      description: 'd',
      get: () => all.map((content) => ({ role: 'assistant' as const, content })),
    }),
    prompt({ name: 'one', get: () => 'go' }),
  ],
  resources: [
    resource({ uri: 'memo://text', name: 't', mimeType: 'text/plain', read: () => 'x' }),
    resource({ uri: 'memo://bytes', name: 'b', read: () => new Uint8Array([0, 1, 255]) }),
    resource({ uri: 'memo://view', name: 'v', read: () => new Uint8Array([9, 1, 2, 9]).subarray(1, 3) }),
    resource({
      uri: 'memo://more',
      name: 'm',
      read: async () => [
        { uri: 'memo://1', text: 'a', _meta },
        { uri: 'memo://2', blob: 'AA==' },
      ],
    }),
  ],
});

const shapeless = createServer({
  name: 'shapeless',
  version: '1.0.0',
  tools: [
    tool({
      name: 'list',
      description: 'd',
      input: z.object({}),
      output: z.array(z.number()),
      run: () => [1, 2],
    }),
    tool({ name: 'number', description: 'd', input: z.object({}), output: z.number(), run: () => 5 }),
    tool({
      name: 'sum',
      description: 'd',
      input: z.object({}),
      output: z.object({ sum: z.number() }),
      run: () => ({ sum: 3 }),
    }),
  ],
});

/** The same before 2025-06-18, when annotations had no date and content had no `_meta`. */
function olderContent(revision: string): ContentBlock[] {
  const marks = { annotations: { audience: ['user'], priority: 0.5 } };
  const { annotations: _a, _meta: _m, ...plainText } = text;
  return [
    { ...plainText, ...marks },
    { type: 'image', data: 'AA==', mimeType: 'image/png', ...marks },
    revision === '2025-03-26'
      ? { type: 'audio', data: 'AQ==', mimeType: 'audio/wav', ...marks }
      : {
          type: 'resource',
          resource: { uri: expect.stringMatching(/^audio:/), mimeType: 'audio/wav', blob: 'AQ==' },
        },
    { type: 'text', text: 'A: memo://a' },
    { type: 'text', text: 'b: memo://b' },
    { type: 'resource', resource: { uri: 'memo://a', mimeType: 'text/plain', text: 'x' }, ...marks },
    binary,
  ] as ContentBlock[];
}

describe.each(allRevisions)('%s', (revision) => {
  const later = revision >= '2025-06-18';
  const open = () => talkTo(server, revision);
  const stamped = revision === '2026-07-28';
  test('every type of content arrives in the form of the revision', async () => {
    const talk = await open();
    const { result } = await talk.call('all');
    const kinds = result.content.map(({ type }: ContentBlock) => type);
    expect(kinds).toEqual((later ? all : olderContent(revision)).map(({ type }) => type));
    expect(result._meta).toMatchObject(_meta);
    if (later) expect(result.content).toEqual(all);
    const { messages, description } = (await talk.request('prompts/get', { name: 'all' })).result;
    expect(messages.map(({ content }: { content: ContentBlock }) => content)).toEqual(result.content);
    expect([description, messages[0].role]).toEqual(['d', 'assistant']);
  });

  test('a structured result has structured content only if the revision has it', async () => {
    const talk = await open();
    const { result } = await talk.call('sum');
    expect(result.structuredContent).toEqual(later ? { sum: 3 } : undefined);
    expect(result.content).toEqual([{ type: 'text', text: 'the sum is 3' }]);
    expect('structuredContent' in result).toBe(later);
    expect('isError' in result).toBe(false);
    expect(result.resultType).toBe(stamped ? 'complete' : undefined);
  });

  test('without render the text is the JSON text of the output', async () => {
    expect(textOf(await (await open()).call('plain'))).toBe('{"a":"ä"}');
  });

  test('a reply has its own content, failure and _meta', async () => {
    const talk = await open();
    const { result } = await talk.call('both');
    expect(result.isError).toBe(false);
    expect(result.content[0]).toMatchObject({ type: 'image', data: 'AA==' });
    expect(result.structuredContent).toEqual(later ? { sum: 3 } : undefined);
    expect(result._meta['example.com/own']).toBe(1);
    expect(textOf(await talk.call('rendered'))).toBe('sum: 3');
  });

  test('an output that is not an object is structured only if the revision allows it', async () => {
    const talk = await talkTo(shapeless, revision);
    const list = (await talk.call('list')).result;
    const number = (await talk.call('number')).result;
    expect([list.content[0].text, number.content[0].text]).toEqual(['[1,2]', '5']);
    const wanted = stamped ? [[1, 2], 5] : [undefined, undefined];
    expect([list.structuredContent, number.structuredContent]).toEqual(wanted);
  });

  test('an output that is not an object has a schema only if the revision allows it', async () => {
    const { result } = await (await talkTo(shapeless, revision)).request('tools/list');
    const described = result.tools.filter((listed: object) => 'outputSchema' in listed);
    const wanted = stamped ? ['list', 'number', 'sum'] : later ? ['sum'] : [];
    expect(described.map(({ name }: { name: string }) => name)).toEqual(wanted);
  });

  test('a tool without output returns blocks, nothing, or the JSON text of its result', async () => {
    const talk = await open();
    expect((await talk.call('blocks')).result.content[0]).toMatchObject({ type: 'text', text: 'text' });
    expect((await talk.call('silent')).result.content).toEqual([]);
    expect((await talk.call('shape')).result.content).toEqual([{ type: 'text', text: '{"a":1}' }]);
  });

  test('resources are read as text, bytes or several contents', async () => {
    const talk = await open();
    const read = async (uri: string) => (await talk.request('resources/read', { uri })).result.contents;
    expect(await read('memo://text')).toEqual([{ uri: 'memo://text', mimeType: 'text/plain', text: 'x' }]);
    expect(await read('memo://bytes')).toEqual([{ uri: 'memo://bytes', blob: 'AAH/' }]);
    expect(await read('memo://view')).toEqual([{ uri: 'memo://view', blob: 'AQI=' }]);
    expect(await read('memo://more')).toMatchObject([
      { uri: 'memo://1', text: 'a' },
      { uri: 'memo://2', blob: 'AA==' },
    ]);
  });

  test('a missing resource has the code of its revision and its URI', async () => {
    const { error } = await (await open()).request('resources/read', { uri: 'memo://none' });
    expect(error).toEqual({
      code: stamped ? -32602 : -32002,
      message: 'resource not found',
      data: { uri: 'memo://none' },
    });
  });

  test('a prompt that is a string is a message of the user', async () => {
    const { result } = await (await open()).request('prompts/get', { name: 'one' });
    expect(result.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'go' } }]);
  });

  test('only cacheable results have cache hints, in the stateless era', async () => {
    const talk = await open();
    const hints = async (method: string, params: object = {}) => {
      const { result } = await talk.request(method, params);
      return [result.ttlMs, result.cacheScope];
    };
    const none = [undefined, undefined];
    const lists = stamped ? [60_000, 'private'] : none;
    const volatile = stamped ? [0, 'private'] : none;
    expect(await hints('tools/list')).toEqual(lists);
    expect(await hints('prompts/list')).toEqual(lists);
    expect(await hints('resources/templates/list')).toEqual(lists);
    expect(await hints('resources/list')).toEqual(volatile);
    expect(await hints('resources/read', { uri: 'memo://text' })).toEqual(volatile);
    expect(await hints('tools/call', { name: 'sum', arguments: {} })).toEqual(none);
    expect(await hints('prompts/get', { name: 'one' })).toEqual(none);
    if (stamped) expect(await hints('server/discover')).toEqual(lists);
  });
});

test('cache hints of lists are the configured ones', async () => {
  const hinted = createServer({
    name: 'x',
    version: '1',
    tools: [],
    listHints: { ttlMs: 5, cacheScope: 'public' },
  });
  const { result } = await (await talkTo(hinted, '2026-07-28')).request('tools/list');
  expect([result.ttlMs, result.cacheScope]).toEqual([5, 'public']);
});

test.each(allRevisions)('%s: a resource has its own cache hints, if the era has them', async (revision) => {
  const contents = [{ uri: 'memo://kept', text: 'kept' }];
  const kept = resource({
    uri: 'memo://kept',
    name: 'kept',
    read: () => ({ contents, ttlMs: 60_000, cacheScope: 'public' }),
  });
  const talk = await talkTo(createServer({ name: 'x', version: '1', resources: [kept] }), revision);
  const { result } = await talk.request('resources/read', { uri: 'memo://kept' });
  const { ttlMs, cacheScope } = result;
  const stamped = revision === '2026-07-28';
  expect(result.contents).toEqual(contents);
  expect([ttlMs, cacheScope]).toEqual(stamped ? [60_000, 'public'] : [undefined, undefined]);
});

test.each(['2024-11-05', '2025-03-26'] as const)(
  '%s: later members of annotations and contents are left out',
  async (revision) => {
    expect((await (await talkTo(server, revision)).call('all')).result.content).toEqual(
      olderContent(revision),
    );
  },
);
