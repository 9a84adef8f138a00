import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { connect, streams } from '../../src/client.ts';
import {
  createServer,
  prompt,
  reply,
  resource,
  type ServerOptions,
  template,
  tool,
} from '../../src/index.ts';
import { serveMemory } from '../../src/testing.ts';

const server = { name: 'memos', version: '1.0.0' };
const text = { uri: 'memo://a', name: 'a', read: () => 'water the plants' };
const png = { src: 'data:image/png;base64,AA==' };

const bad: [options: object, message: string][] = [
  [{ name: '' }, 'name must be a non-empty string'],
  [{ name: undefined }, 'name must be a non-empty string'],
  [{ version: 1 }, 'version must be a non-empty string'],
  [{ instructions: ['add'] }, 'instructions must be a string'],
  [{ websiteUrl: 'javascript:alert(1)' }, 'websiteUrl must be an http: or https: URL'],
  [{ pageSize: 0 }, 'pageSize must be an integer of at least 1'],
  [{ pageSize: -1 }, 'pageSize must be an integer of at least 1'],
  [{ pageSize: 1.5 }, 'pageSize must be an integer of at least 1'],
  [{ pageSize: Number.POSITIVE_INFINITY }, 'pageSize must be an integer of at least 1'],
  [{ stateKey: new Uint8Array(31) }, 'stateKey must have 32 bytes'],
  [{ listHints: { ttlMs: -1, cacheScope: 'public' } }, 'listHints.ttlMs must be an integer of at least 0'],
  [{ listHints: { ttlMs: 0.5, cacheScope: 'public' } }, 'listHints.ttlMs must be an integer of at least 0'],
  [{ listHints: { ttlMs: 1, cacheScope: 'shared' } }, 'listHints.cacheScope must be public or private'],
  [
    { icons: [{ src: 'file:///etc/icon.png' }] },
    'icons of the server: src must be an https: or data:image/ URI',
  ],
  [{ resources: [resource({ ...text, name: '' })] }, 'name of resource memo://a must be a non-empty string'],
  [
    { resources: [resource({ ...text, size: -1 })] },
    'size of resource memo://a must be an integer of at least 0',
  ],
  [
    { resources: [resource({ ...text, annotations: { priority: 2 } })] },
    'annotations.priority of resource memo://a must be between 0 and 1',
  ],
  [
    {
      resources: [
        template({
          uriTemplate: 'memo://{a}',
          name: 'a',
          read: text.read,
          annotations: { audience: ['model' as never] },
        }),
      ],
    },
    'annotations.audience of resource memo://{a} must list user, assistant or both',
  ],
  [
    { resources: [resource({ ...text, annotations: { lastModified: 'yesterday' } })] },
    'annotations.lastModified of resource memo://a must be a time such as 2025-01-12T15:00:58Z',
  ],
  [
    { resources: [resource({ ...text, icons: [{ ...png, sizes: ['big'] }] })] },
    'icons of resource memo://a: sizes must be a list of sizes such as 48x48, or any',
  ],
  [{ resources: [resource(text), resource(text)] }, 'two resources have the uri memo://a'],
  [
    { prompts: [prompt({ name: 'p', get: () => '', icons: [{ ...png, theme: 'pink' as never }] })] },
    'icons of prompt p: theme must be light or dark',
  ],
  [
    { prompts: [prompt({ name: 'p', get: () => '', arguments: [{ name: 'a' }, { name: 'a' }] })] },
    'two arguments of prompt p have the name a',
  ],
  [{ prompts: [prompt({ name: '', get: () => '' })] }, 'name of a prompt must be a non-empty string'],
];

test.each(bad)('%j is refused in one line', (options, message) => {
  expect(() => createServer({ ...server, ...options } as ServerOptions<unknown>)).toThrow(
    new TypeError(message),
  );
});

test('options at their limits are accepted', () => {
  const icons = [{ src: 'https://example.com/a.svg', sizes: ['any', '48x48'], theme: 'dark' as const }, png];
  createServer({
    ...server,
    icons,
    websiteUrl: 'http://example.com',
    pageSize: 1,
    listHints: { ttlMs: 0, cacheScope: 'public' },
    stateKey: new Uint8Array(32),
    resources: [
      resource({
        ...text,
        size: 0,
        icons,
        annotations: { audience: ['user', 'assistant'], priority: 0, lastModified: '2025-01-12' },
      }),
    ],
    prompts: [prompt({ name: 'p', get: () => '', icons, arguments: [{ name: 'a' }, { name: 'b' }] })],
  });
});

describe('names in `_meta`', () => {
  const good = [
    'a',
    'a-b_c.d0',
    'example.com/',
    'example.com/a',
    'com.example.mcp/a',
    'mcp/a',
    'e/1',
    'io.modelcontextprotocol/ui',
    'io.modelcontextprotocol/related',
  ];
  const badNames: [name: string, why: string][] = [
    ['', 'must be a name such as example.com/name or name'],
    ['-a', 'must be a name such as example.com/name or name'],
    ['a.', 'must be a name such as example.com/name or name'],
    ['a b', 'must be a name such as example.com/name or name'],
    ['1example.com/a', 'must be a name such as example.com/name or name'],
    ['example-.com/a', 'must be a name such as example.com/name or name'],
    ['example..com/a', 'must be a name such as example.com/name or name'],
    ['a/b/c', 'must be a name such as example.com/name or name'],
    ['/a', 'must be a name such as example.com/name or name'],
    ['dev.mcp/a', 'has a prefix that is reserved for the protocol'],
    ['com.MCP.tools/a', 'has a prefix that is reserved for the protocol'],
    ['org.modelcontextprotocol.api/a', 'has a prefix that is reserved for the protocol'],
    ['io.modelcontextprotocol/serverInfo', 'is set by the protocol itself'],
    ['io.modelcontextprotocol/related-task', 'is set by the protocol itself'],
  ];
  const named = (key: string) => ({
    name: 't',
    description: 'T.',
    input: z.object({}),
    _meta: { [key]: 1 },
    run: () => '',
  });

  test.each(good)('%s is accepted', (key) => {
    expect(tool(named(key)).name).toBe('t');
  });

  test.each(badNames)('%j is refused, because it %s', (key, why) => {
    const words = new TypeError(`_meta of tool t: ${JSON.stringify(key)} ${why}`);
    expect(() => tool(named(key))).toThrow(words);
    const { _meta } = named(key);
    expect(() => createServer({ ...server, resources: [resource({ ...text, _meta })] })).toThrow(why);
    expect(() => createServer({ ...server, prompts: [prompt({ name: 'p', get: () => '', _meta })] })).toThrow(
      why,
    );
  });

  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  test.each([
    ['traceparent', trace],
    ['tracestate', 'rojo=00f067aa0ba902b7'],
    ['baggage', 'user=ada,day=monday'],
  ])('%s is accepted in the form of other standards, and in no other form', async (key, value) => {
    const client = await connect(
      streams(() => serveMemory(createServer(server))),
      { name: 'a', version: '1', era: { pinned: '2026-07-28' } },
    );
    await client.request('server/discover', { _meta: { [key]: value } });
    for (const wrong of [7, 'ü', `${value}\n`])
      await expect(client.request('server/discover', { _meta: { [key]: wrong } })).rejects.toThrow(
        `_meta of params: "${key}" must follow W3C Trace Context and Baggage`,
      );
    await client.close();
  });

  test("are checked in a client's options", async () => {
    const client = await connect(
      streams(() => serveMemory(createServer(server))),
      { name: 'a', version: '1', era: 'handshake' },
    );
    for (const [_meta, words] of [
      [{ 'dev.mcp/a': 1 }, 'has a prefix that is reserved'],
      [{ 'a b': 1 }, 'must be a name'],
      [[], 'must be an object'],
    ] as const)
      await expect(client.request('ping', { _meta })).rejects.toThrow(words);
    await client.request('ping', { _meta: { 'example.com/a': { b: 1 } } });
    await client.close();
  });

  test.each([true, false])(
    'are checked in results if and only if outputs are (%s)',
    async (validateOutput) => {
      const faults: unknown[] = [];
      const answer = tool({
        name: 'answer',
        description: 'Answers.',
        input: z.object({}),
        run: () => reply({ content: 'x', _meta: { 'dev.mcp/a': 1 } }),
      });
      const made = createServer({
        ...server,
        tools: [answer],
        validateOutput,
        onError: (error) => faults.push(error),
      });
      const client = await connect(
        streams(() => serveMemory(made)),
        { name: 'a', version: '1' },
      );
      const { isError, _meta } = await client.callTool('answer');
      expect(isError === true).toBe(validateOutput);
      if (validateOutput) expect(String(faults)).toContain('_meta of the result of answer: "dev.mcp/a"');
      else expect(_meta).toMatchObject({ 'dev.mcp/a': 1 });
      await client.close();
    },
  );
});

test.each([
  'javascript:alert(1)',
  'http://example.com/a.png',
  'file:///a.png',
  'data:text/html,<b>',
  'https://ada:secret@example.com/a.png',
  'a.png',
])('a tool with the icon %s is refused', (src) => {
  expect(() =>
    tool({ name: 't', description: 'T.', input: z.object({}), icons: [{ src }], run: () => '' }),
  ).toThrow('icons of tool t: src must be an https: or data:image/ URI');
});
