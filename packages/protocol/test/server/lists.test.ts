import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  allRevisions,
  createServer,
  prompt,
  resource,
  type Server,
  type ServerOptions,
  template,
  tool,
} from '../../src/index.ts';
import type { Message } from '../wire/message.ts';
import { type Talk, talkTo, textOf } from './talk.ts';

const nothing = z.object({});
const icons = [{ src: 'data:image/png;base64,AA==' }];
const annotations = { priority: 1, lastModified: '2026-01-01T00:00:00Z' };
const _meta = { 'example.com/own': 1 };

function listing(count: number, options: Partial<ServerOptions<unknown>> = {}): Server {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const server = createServer({
    name: 'lists',
    version: '1.0.0',
    pageSize: 2,
    tools: numbers.map((n) =>
      tool({ name: `t${n}`, description: 'd', input: nothing, run: () => `ran t${n}` }),
    ),
    prompts: numbers.map((n) => prompt({ name: `p${n}`, get: () => 'go' })),
    resources: [
      ...numbers.map((n) => resource({ uri: `memo://r${n}`, name: `r${n}`, read: () => 'x' })),
      ...numbers.map((n) => template({ uriTemplate: `memo://x${n}/{a}`, name: `x${n}`, read: () => 'x' })),
    ],
    ...options,
  });
  return server;
}

const lists = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
] as const;

async function pages(talk: Talk, method: string, member: string): Promise<string[][]> {
  const all: string[][] = [];
  let cursor: string | undefined;
  do {
    const { result } = await talk.request(method, cursor === undefined ? {} : { cursor });
    all.push(result[member].map(({ name }: Message) => name));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return all;
}

describe.each(allRevisions)('%s', (revision) => {
  test.each(lists)('%s has pages of the configured size', async (method, member) => {
    const sizes = async (count: number): Promise<number[]> => {
      const all = await pages(await talkTo(listing(count), revision), method, member);
      expect(new Set(all.flat()).size).toBe(count);
      return all.map((page) => page.length);
    };
    expect([
      await sizes(0),
      await sizes(1),
      await sizes(2),
      await sizes(3),
      await sizes(4),
      await sizes(5),
    ]).toEqual([[0], [1], [2], [2, 1], [2, 2], [2, 2, 1]]);
  });

  test('a cursor of another list is refused, and the error names the list', async () => {
    const talk = await talkTo(listing(5), revision);
    const { result } = await talk.request('prompts/list');
    const foreign: unknown[] = ['', 'x', '0', '2', ' ', Buffer.from('tools/list:2').toString('base64url')];
    for (const cursor of [...foreign, result.nextCursor, 5, null, {}, ['x']]) {
      const { error } = await talk.request('tools/list', { cursor });
      expect(error).toEqual({
        code: -32602,
        message: 'cursor is not one that tools/list returned; start again without it',
      });
    }
  });

  test('a tool that is not listed is on no page, and can be called', async () => {
    const tools = ['a', 'former', 'b', 'c'].map((name) =>
      tool({
        name,
        description: 'd',
        input: z.object({ n: z.number() }),
        ...(name === 'former' && { listed: false }),
        run: ({ n }) => `ran ${name} ${n}`,
      }),
    );
    const offered = createServer({ name: 'lists', version: '1.0.0', pageSize: 2, tools });
    const talk = await talkTo(offered, revision);
    expect(await pages(talk, 'tools/list', 'tools')).toEqual([['a', 'b'], ['c']]);
    expect(textOf(await talk.call('former', { n: 1 }))).toBe('ran former 1');
    const wrong = await talk.call('former', { n: 'x' });
    expect(wrong.error ?? wrong.result.isError).toBeTruthy();
    const refused = createServer({ ...offered.options, offers: ({ listed }) => listed !== false });
    expect((await (await talkTo(refused, revision)).call('former', { n: 1 })).error.code).toBe(-32602);
  });

  test('entries have exactly the members of the revision', async () => {
    const server = createServer({
      name: 'lists',
      version: '1.0.0',
      tools: [
        tool({
          name: 'all',
          title: 'All',
          description: 'Has everything.',
          input: z.object({ a: z.string() }),
          output: z.object({ b: z.number() }),
          annotations: { readOnlyHint: true },
          icons,
          _meta,
          run: () => ({ b: 1 }),
        }),
      ],
      prompts: [
        prompt({
          name: 'all',
          title: 'All',
          description: 'Has everything.',
          arguments: [{ name: 'a', title: 'A', description: 'One.', required: true, complete: () => [] }],
          icons,
          _meta,
          get: () => 'go',
        }),
      ],
      resources: [
        resource({
          uri: 'memo://a',
          name: 'all',
          title: 'All',
          size: 3,
          mimeType: 'text/plain',
          icons,
          annotations,
          _meta,
          read: () => 'x',
        }),
        template({
          uriTemplate: 'memo://{a}',
          name: 'all',
          title: 'All',
          description: 'd',
          icons,
          annotations,
          _meta,
          complete: { a: () => [] },
          read: () => 'x',
        }),
      ],
      listResources: () => [{ uri: 'memo://more', name: 'all', title: 'More', icons, annotations, _meta }],
    });
    const talk = await talkTo(server, revision);
    const first = async (method: string, member: string, index = 0): Promise<Message> =>
      (await talk.request(method)).result[member][index];
    const structured = revision >= '2025-06-18' ? { title: 'All', _meta } : {};
    const pictured = revision >= '2025-11-25' ? { icons } : {};
    const annotated = { annotations: revision >= '2025-06-18' ? annotations : { priority: 1 } };
    const listed = await first('tools/list', 'tools');
    const hints = {
      '2024-11-05': {},
      '2025-03-26': { annotations: { title: 'All', readOnlyHint: true } },
    }[revision as string] ?? { annotations: { readOnlyHint: true } };
    const output =
      revision >= '2025-06-18' ? { outputSchema: expect.objectContaining({ type: 'object' }) } : {};
    expect(listed).toEqual({
      name: 'all',
      description: 'Has everything.',
      inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      ...hints,
      ...output,
      ...structured,
      ...pictured,
    });
    const titled = revision >= '2025-06-18' ? { title: 'A' } : {};
    expect(await first('prompts/list', 'prompts')).toEqual({
      name: 'all',
      description: 'Has everything.',
      arguments: [{ name: 'a', description: 'One.', required: true, ...titled }],
      ...structured,
      ...pictured,
    });
    expect(await first('resources/list', 'resources')).toEqual({
      uri: 'memo://a',
      name: 'all',
      size: 3,
      mimeType: 'text/plain',
      ...annotated,
      ...structured,
      ...pictured,
    });
    expect(await first('resources/list', 'resources', 1)).toEqual({
      uri: 'memo://more',
      name: 'all',
      ...annotated,
      ...structured,
      ...pictured,
      ...(revision >= '2025-06-18' && { title: 'More' }),
    });
    expect(await first('resources/templates/list', 'resourceTemplates')).toEqual({
      uriTemplate: 'memo://{a}',
      name: 'all',
      description: 'd',
      ...annotated,
      ...structured,
      ...pictured,
    });
  });

  test('a tool that is not offered is neither listed nor known', async () => {
    const server = listing(3, { pageSize: 10, offers: ({ name }) => name !== 't1' });
    const talk = await talkTo(server, revision);
    expect(await pages(talk, 'tools/list', 'tools')).toEqual([['t0', 't2']]);
    expect((await talk.call('t1')).error).toEqual({
      code: -32602,
      message: 'unknown tool "t1"; tools/list names them',
    });
    expect(textOf(await talk.call('t2'))).toBe('ran t2');
  });

  test('a tool that is no longer offered is unknown, also if it was called before', async () => {
    let hidden = '';
    const server = listing(2, { offers: ({ name }) => name !== hidden, listChanges: { tools: true } });
    const talk = await talkTo(server, revision);
    expect(textOf(await talk.call('t1'))).toBe('ran t1');
    hidden = 't1';
    server.listChanged('tools');
    expect(await pages(talk, 'tools/list', 'tools')).toEqual([['t0']]);
    expect((await talk.call('t1')).error?.code).toBe(-32602);
    hidden = '';
    server.listChanged('tools');
    expect(textOf(await talk.call('t1'))).toBe('ran t1');
  });

  test('an item that is not listed can be used, and is listed once that changes', async () => {
    let hidden = true;
    const server = createServer({
      ...listing(2).options,
      prompts: ['p0', 'p1'].map((name) => prompt({ name, get: () => `got ${name}` })),
      isListed: (list, name) => !hidden || name !== { tools: 't0', prompts: 'p1' }[list],
      listChanges: { tools: true, prompts: true },
    });
    const talk = await talkTo(server, revision);
    expect(await pages(talk, 'tools/list', 'tools')).toEqual([['t1']]);
    expect(await pages(talk, 'prompts/list', 'prompts')).toEqual([['p0']]);
    expect(textOf(await talk.call('t0'))).toBe('ran t0');
    const { messages } = (await talk.request('prompts/get', { name: 'p1' })).result;
    expect(messages[0].content.text).toBe('got p1');
    hidden = false;
    expect((await pages(talk, 'tools/list', 'tools')).flat()).toEqual(['t0', 't1']);
    expect((await pages(talk, 'prompts/list', 'prompts')).flat()).toEqual(['p0', 'p1']);
  });

  test('changes of a list reach the clients that support them', async () => {
    const server = listing(1, { listChanges: { tools: true, prompts: true } });
    const talk = await talkTo(server, revision);
    const methods: string[] = [];
    if (talk.stateless) {
      const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
      talk.wire.say(talk.line('l', 'subscriptions/listen', { notifications }));
      const { params } = await talk.wire.next();
      expect(params.notifications).toEqual({ toolsListChanged: true, promptsListChanged: true });
    } else {
      await talk.request('ping');
    }
    for (const list of ['resources', 'prompts', 'tools'] as const) server.listChanged(list);
    for (let i = 0; i < 2; i++) methods.push((await talk.wire.next()).method);
    expect(methods).toEqual(['notifications/prompts/list_changed', 'notifications/tools/list_changed']);
    expect((await talk.request('tools/list')).result.tools.length).toBe(1);
  });

  test('the names of object members are not names of tools', async () => {
    const talk = await talkTo(listing(1), revision);
    for (const name of ['', 'constructor', '__proto__', 'toString', 't0 ', 'T0', '../t0']) {
      expect((await talk.call(name)).error?.code).toBe(-32602);
      expect((await talk.request('prompts/get', { name })).error?.code).toBe(-32602);
    }
    for (const name of [undefined, null, 5, {}, ['t0']]) {
      expect((await talk.request('tools/call', { name })).error?.code).toBe(-32602);
      expect((await talk.request('prompts/get', { name })).error?.code).toBe(-32602);
    }
  });
});

test('the dialect of a schema is listed if its author sets it, with every keyword', async () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const keywords = { allOf: [{ required: ['a'] }], if: { required: ['b'] }, else: { required: ['a'] } };
  const point = z.object({ x: z.number() }).meta({ id: 'point', $anchor: 'here' });
  const talk = await talkTo(
    createServer({
      name: 'schemas',
      version: '1.0.0',
      tools: [
        tool({ name: 'plain', description: 'd', input: nothing, run: () => '' }),
        tool({
          name: 'named',
          description: 'd',
          input: z
            .strictObject({ a: point, b: z.string() })
            .partial()
            .meta({ $schema, ...keywords }),
          run: () => '',
        }),
      ],
    }),
    '2026-07-28',
  );
  const { result } = await talk.request('tools/list', {});
  const [plain, named] = result.tools.map((listed: Message) => listed.inputSchema);
  expect(plain).toEqual({ type: 'object', properties: {} });
  expect(named).toEqual({
    $schema,
    type: 'object',
    properties: { a: { $ref: '#/$defs/point' }, b: { type: 'string' } },
    additionalProperties: false,
    ...keywords,
    $defs: {
      point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], $anchor: 'here' },
    },
  });
});

test('a cursor with any changed character is refused', async () => {
  const talk = await talkTo(listing(5), '2025-11-25');
  const { nextCursor } = (await talk.request('tools/list')).result;
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const accepted: string[] = [];
  for (let at = 0; at < nextCursor.length; at++) {
    for (const letter of letters) {
      if (letter === nextCursor[at]) continue;
      const cursor = nextCursor.slice(0, at) + letter + nextCursor.slice(at + 1);
      if ((await talk.request('tools/list', { cursor })).error?.code !== -32602) accepted.push(cursor);
    }
  }
  for (const cursor of [`${nextCursor}=`, `${nextCursor} `, `${nextCursor}!`]) {
    if ((await talk.request('tools/list', { cursor })).error?.code !== -32602) accepted.push(cursor);
  }
  expect(accepted).toEqual([]);
});

test('a cursor stays valid when earlier items are removed', async () => {
  let names = ['a', 'b', 'c', 'd'];
  const server = listing(0, { listResources: () => names.map((name) => ({ uri: `memo://${name}`, name })) });
  const talk = await talkTo(server, '2025-11-25');
  const { nextCursor } = (await talk.request('resources/list')).result;
  names = ['a', 'b'];
  expect((await talk.request('resources/list', { cursor: nextCursor })).result).toEqual({ resources: [] });
});

test('two tools with one name are refused when the server is created, with the name', () => {
  const twice = tool({ name: 'twice', description: 'd', input: nothing, run: () => '' });
  const make = () => createServer({ name: 'x', version: '1', tools: [twice, { ...twice }] });
  expect(make).toThrow(TypeError);
  expect(make).toThrow(/two tools .*twice/);
});

test('two prompts with one name and two resources with one URI are refused when the server is created', () => {
  const go = prompt({ name: 'go', get: () => '' });
  const memo = resource({ uri: 'memo://a', name: 'a', read: () => '' });
  expect(() => createServer({ name: 'x', version: '1', prompts: [go, { ...go }] })).toThrow(/go/);
  expect(() => createServer({ name: 'x', version: '1', resources: [memo, { ...memo }] })).toThrow(
    /memo:\/\/a/,
  );
});

test.each(['', 'a b', 'ä', 'a/b', 'a\n', 'x'.repeat(129), 'a{', '💥'])(
  '%j cannot be the name of a tool',
  (name) => {
    expect(() => tool({ name, description: 'd', input: nothing, run: () => '' })).toThrow(TypeError);
    expect(() => tool({ name, description: 'd', input: nothing, run: () => '' })).toThrow(
      /must be 1 to 128 of/,
    );
  },
);

test.each(['a', 'A-b_c.9', 'x'.repeat(128)])('%j can be the name of a tool', async (name) => {
  const tools = [tool({ name, description: 'd', input: nothing, run: () => 'ran' })];
  const talk = await talkTo(createServer({ name: 'x', version: '1', tools }), '2025-11-25');
  expect(textOf(await talk.call(name))).toBe('ran');
});

test.each(['memo://{a', 'memo://{a}}', 'memo://{?q}', 'memo://{/a}', 'memo://{a,b}', 'memo://{a*}'])(
  'a template %j that cannot be matched is refused when the server is created',
  (uriTemplate) => {
    const make = () =>
      createServer({
        name: 'x',
        version: '1',
        resources: [template({ uriTemplate, name: 'x', read: () => '' })],
      });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(uriTemplate);
  },
);

test.each([
  ['memo://a/b', { name: 'a' }],
  ['memo://%C3%A4%20x/b', { name: 'ä x' }],
  ['memo:///b', { name: '' }],
  ['memo://a/c/b', undefined],
  ['memo://%ff/b', { name: '%ff' }],
  ['memo://%zz/b', undefined],
  ['xmemo://a/b', undefined],
  ['memo://a/b\n', undefined],
  ['memo://a/bX', undefined],
  ['file://a/b/c', { path: 'a/b/c' }],
  ['file://', { path: '' }],
  ['dot.dot://x', { rest: 'x' }],
  ['dotXdot://x', undefined],
])('the URI %j has the variables %j', async (uri, wanted) => {
  const read = (_uri: string, _context: unknown, variables: object): string => JSON.stringify(variables);
  const templates = ['memo://{name}/b', 'file://{+path}', 'dot.dot://{rest}'];
  const resources = templates.map((uriTemplate) => template({ uriTemplate, name: 'x', read }));
  const server = createServer({ name: 'x', version: '1', resources });
  const { result } = await (await talkTo(server, '2025-11-25')).request('resources/read', { uri });
  expect(result === undefined ? undefined : JSON.parse(result.contents[0].text)).toEqual(wanted);
});
