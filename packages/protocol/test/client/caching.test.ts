import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Channel, type Client, type ClientOptions, connect, ResultCache } from '../../src/client.ts';
import type { Message } from '../wire/message.ts';
import { type Act, complete, oldServer, type Scripted, scripted } from './scripted.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = (message: Message) => object | undefined;

/** Returns a stateless server that responds with `answer`, and counts the requests. */
function server(answer: Answer): Scripted & { asked(method?: string): number } {
  const made = scripted((message, act) => {
    const result = answer(message);
    if (message.method === 'subscriptions/listen') acknowledge(message, act);
    else if (message.id !== undefined && result !== undefined)
      act.say({ id: message.id, result: complete(result) });
  });
  return Object.assign(made, {
    asked: (method?: string) =>
      made.heard.filter((one) => method === undefined || one.method === method).length,
  });
}

const tag = ({ id }: Message): object => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
const acknowledge = (message: Message, act: Act): void =>
  act.say({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: message.params.notifications, ...tag(message) },
  });

function open(to: Pick<Scripted, 'transport'>, options: Partial<ClientOptions> = {}): Promise<Client> {
  return connect(to.transport, {
    name: 'tester',
    version: '1.0.0',
    era: { pinned: '2026-07-28' },
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

const minute = { ttlMs: 60_000, cacheScope: 'private' };
const text = (words: string): object => ({ contents: [{ uri: 'memo://a', text: words }] });

/** The response to each cacheable method, and a client's request for it. */
const kinds: [method: string, result: object, ask: (client: Client) => Promise<unknown>][] = [
  ['tools/list', { tools: [{ name: 'a', inputSchema: { type: 'object' } }] }, (client) => client.listTools()],
  ['prompts/list', { prompts: [{ name: 'a' }] }, (client) => client.listPrompts()],
  ['resources/list', { resources: [{ name: 'a', uri: 'memo://a' }] }, (client) => client.listResources()],
  [
    'resources/templates/list',
    { resourceTemplates: [{ name: 'a', uriTemplate: 'memo://{a}' }] },
    (client) => client.listResourceTemplates(),
  ],
  ['resources/read', text('one'), (client) => client.readResource('memo://a')],
  [
    'server/discover',
    { supportedVersions: ['2026-07-28'], capabilities: { tools: {}, prompts: {}, resources: {} } },
    (client) => client.discover(),
  ],
];

describe.each(kinds)('%s', (method, result, ask) => {
  test('is not requested again while it is fresh, and is requested again later', async () => {
    const one = server(() => ({ ...result, ...minute }));
    const client = await open(one);
    const first = await ask(client);
    vi.advanceTimersByTime(59_999);
    expect(await ask(client)).toEqual(first);
    expect(one.asked(method)).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await ask(client)).toEqual(first);
    expect(one.asked(method)).toBe(2);
  });

  test.each([
    ['no ttlMs', {}],
    ['a ttlMs of 0', { ttlMs: 0, cacheScope: 'public' }],
    ['a negative ttlMs', { ttlMs: -1, cacheScope: 'private' }],
  ])('is requested each time with %s', async (_name, hints) => {
    const one = server(() => ({ ...result, ...hints }));
    const client = await open(one);
    await ask(client);
    await ask(client);
    expect(one.asked(method)).toBe(2);
  });

  test('is requested once by concurrent callers, and each gets its own copy', async () => {
    const held: Message[] = [];
    const one = server((message) => void held.push(message));
    const client = await open(one);
    const waiting = Promise.all([ask(client), ask(client), ask(client)]);
    const { id } = await one.hears((message) => message.method === method);
    one.act.say({ id, result: complete({ ...result, ...minute }) });
    const answers = await waiting;
    expect(held).toHaveLength(1);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[1]).not.toBe(answers[0]);
  });
});

test('with `fresh` it is requested, and the new result is cached', async () => {
  let count = 0;
  const one = server(() => ({ ...text(`reading ${++count}`), ...minute }));
  const client = await open(one);
  await client.readResource('memo://a');
  expect(await client.readResource('memo://a', { fresh: true })).toMatchObject(text('reading 2'));
  expect(await client.readResource('memo://a')).toMatchObject(text('reading 2'));
  expect(count).toBe(2);
});

test('a client without a cache sends each request', async () => {
  const one = server(() => ({ ...text('one'), ...minute }));
  const client = await open(one, { cache: false });
  await client.readResource('memo://a');
  await client.readResource('memo://a');
  expect(one.asked()).toBe(2);
});

test('a result is not used for another method, other params, or a request with more members', async () => {
  const one = server(({ method }) =>
    method === 'resources/read' ? { ...text('one'), ...minute } : { resources: [], ...minute },
  );
  const client = await open(one);
  await client.readResource('memo://a');
  await client.readResource('memo://b');
  await client.listResources();
  for (let i = 0; i < 2; i++)
    await client.request('resources/read', { uri: 'memo://a', _meta: { 'example.com/tenant': 'b' } });
  expect(one.asked()).toBe(5);
});

test('changes of a caller to a result are not visible to the next', async () => {
  const one = server(() => ({ tools: [{ name: 'a', inputSchema: { type: 'object' } }], ...minute }));
  const client = await open(one);
  for (let i = 0; i < 3; i++) {
    const [tool] = await client.listTools();
    expect(tool!.name).toBe('a');
    tool!.name = 'changed';
  }
});

test('concurrent callers of an uncacheable request each send it, and do not wait the next time', async () => {
  const one = server(() => undefined);
  const client = await open(one);
  const first = client.readResource('memo://a');
  const second = client.readResource('memo://a');
  const { id } = await one.hears(({ method }) => method === 'resources/read');
  one.act.say({ id, result: complete({ ...text('first'), ttlMs: 0 }) });
  expect(await first).toMatchObject(text('first'));
  const other = await one.hears((message) => message.method === 'resources/read' && message.id !== id);
  const third = client.readResource('memo://a');
  const last = await one.hears(({ id: own }) => own !== id && own !== other.id);
  for (const asked of [other, last])
    one.act.say({ id: asked.id, result: complete({ ...text('own'), ttlMs: 0 }) });
  expect([await second, await third]).toMatchObject([text('own'), text('own')]);
});

test('a caller that gives up does not affect others with the same request', async () => {
  const one = server(() => undefined);
  const client = await open(one);
  const controller = new AbortController();
  const impatient = client.readResource('memo://a', { signal: controller.signal });
  const patient = client.readResource('memo://a');
  const { id } = await one.hears(({ method }) => method === 'resources/read');
  controller.abort();
  await expect(impatient).rejects.toMatchObject({ reason: 'cancelled' });
  const again = await one.hears((message) => message.method === 'resources/read' && message.id !== id);
  one.act.say({ id: again.id, result: complete({ ...text('one'), ...minute }) });
  expect(await patient).toMatchObject(text('one'));
});

test('a caller that waits for the same request gives up alone', async () => {
  const one = server(() => undefined);
  const client = await open(one);
  const controller = new AbortController();
  const patient = client.readResource('memo://a');
  const impatient = client.readResource('memo://a', { signal: controller.signal });
  const { id } = await one.hears(({ method }) => method === 'resources/read');
  controller.abort();
  await expect(impatient).rejects.toMatchObject({ reason: 'cancelled' });
  one.act.say({ id, result: complete({ ...text('one'), ...minute }) });
  expect(await patient).toMatchObject(text('one'));
  expect(one.asked('resources/read')).toBe(1);
});

describe('a change that the server reports', () => {
  const lists = ['tools', 'prompts', 'resources'] as const;
  const everything = server(({ method }) => ({
    ...kinds.find(([name]) => name === method)?.[1],
    ...minute,
  }));

  test.each(lists)('of the list of %s makes that list stale, and no other', async (list) => {
    const client = await open(everything);
    const subscription = await client.onListChanged(list, () => {});
    const [request] = everything.heard.filter(({ method }) => method === 'subscriptions/listen').slice(-1);
    for (const [, , ask] of kinds) await ask(client);
    const before = everything.heard.length;
    everything.act.say({ method: `notifications/${list}/list_changed`, params: tag(request) });
    // a change arrives before the response to a later request
    await client.readResource('memo://fence');
    for (const [, , ask] of kinds) await ask(client);
    const again = everything.heard.slice(before + 1).map(({ method }) => method);
    expect(again).toEqual(
      list === 'resources' ? ['resources/list', 'resources/templates/list'] : [`${list}/list`],
    );
    await subscription.close();
  });

  test('of a resource makes its contents stale, and those above and below it', async () => {
    const client = await open(everything);
    await client.subscribe('memo://days/monday', () => {});
    const [request] = everything.heard.filter(({ method }) => method === 'subscriptions/listen').slice(-1);
    const uris = ['memo://days', 'memo://days/monday', 'memo://days/monday/noon', 'memo://days/mond'];
    for (const uri of uris) await client.readResource(uri);
    const before = everything.heard.length;
    everything.act.say({
      method: 'notifications/resources/updated',
      params: { uri: 'memo://days/monday', ...tag(request) },
    });
    await client.readResource('memo://fence');
    for (const uri of uris) await client.readResource(uri);
    expect(everything.heard.slice(before + 1).map(({ params }) => params.uri)).toEqual(uris.slice(0, 3));
  });

  test('during a request prevents its result from being cached or shared', async () => {
    const one = server(() => undefined);
    const client = await open(one);
    await client.onListChanged('tools', () => {});
    const [listen] = one.heard;
    const early = client.listTools();
    const first = await one.hears(({ method }) => method === 'tools/list');
    one.act.say({ method: 'notifications/tools/list_changed', params: tag(listen) });
    const fence = client.readResource('memo://fence');
    const { id } = await one.hears(({ method }) => method === 'resources/read');
    one.act.say({ id, result: complete(text('fence')) });
    await fence;
    const late = client.listTools();
    const second = await one.hears((message) => message.method === 'tools/list' && message.id !== first.id);
    const tools = (name: string): object => ({
      tools: [{ name, inputSchema: { type: 'object' } }],
      ...minute,
    });
    one.act.say({ id: second.id, result: complete(tools('after')) });
    one.act.say({ id: first.id, result: complete(tools('before')) });
    expect((await early).map(({ name }) => name)).toEqual(['before']);
    expect((await late).map(({ name }) => name)).toEqual(['after']);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['after']);
  });
});

test('each page of a list is cached separately, and requested again with its own cursor', async () => {
  const one = server(({ params }) =>
    params.cursor === undefined
      ? { prompts: [{ name: 'a' }], nextCursor: 'two', ...minute }
      : { prompts: [{ name: 'b' }], ttlMs: 1000, cacheScope: 'private' },
  );
  const client = await open(one);
  await client.listPrompts();
  vi.advanceTimersByTime(1000);
  expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(one.heard.map(({ params }) => params.cursor)).toEqual([undefined, 'two', 'two']);
});

test('a cursor that the server no longer knows discards the pages before it and starts again', async () => {
  let generation = 'old';
  const one = scripted(({ id, params }, act) => {
    if (params.cursor !== undefined && params.cursor !== generation)
      act.say({ id, error: { code: -32602, message: 'unknown cursor' } });
    else if (params.cursor === undefined)
      act.say({
        id,
        result: complete({ prompts: [{ name: generation }], nextCursor: generation, ...minute }),
      });
    else act.say({ id, result: complete({ prompts: [], ttlMs: 0, cacheScope: 'private' }) });
  });
  const client = await open(one);
  expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['old']);
  generation = 'new';
  expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['new']);
});

test('a server that knows none of its own cursors is an error after two attempts', async () => {
  const one = scripted(({ id, params }, act) => {
    if (params.cursor !== undefined) act.say({ id, error: { code: -32602, message: 'unknown cursor' } });
    else act.say({ id, result: complete({ prompts: [], nextCursor: 'x' }) });
  });
  const client = await open(one);
  await expect(client.listPrompts()).rejects.toMatchObject({ code: -32602 });
  expect(one.heard).toHaveLength(4);
});

test('a result that depends on input responses is not cached', async () => {
  const one = server(({ params }) =>
    params.inputResponses === undefined
      ? {
          resultType: 'input_required',
          inputRequests: { who: { method: 'roots/list' } },
          requestState: 'sealed',
          ...minute,
        }
      : { ...text('yours'), ...minute },
  );
  const client = await open(one, { roots: () => [] });
  for (let i = 0; i < 2; i++) expect(await client.readResource('memo://a')).toMatchObject(text('yours'));
  expect(one.asked('resources/read')).toBe(4);
});

test('a handshake server, which has no cache hints, gets each request', async () => {
  const one = oldServer({ prompts: {} }, ({ id, method }, act) => {
    if (method === 'prompts/list') act.say({ id, result: { prompts: [], ...minute } });
  });
  const client = await open(one, { era: 'handshake' });
  await client.listPrompts();
  await client.listPrompts();
  expect(one.heard.filter(({ method }) => method === 'prompts/list')).toHaveLength(2);
});

describe('a cache of several clients', () => {
  const scoped = (cacheScope: string) => server(() => ({ ...text('one'), ttlMs: 60_000, cacheScope }));

  test('shares public results', async () => {
    const one = scoped('public');
    const cache = new ResultCache();
    for (const client of [await open(one, { cache }), await open(one, { cache })])
      await client.readResource('memo://a');
    expect(one.asked()).toBe(1);
  });

  test.each(['private', undefined])('never shares %s results', async (cacheScope) => {
    const one = scoped(cacheScope!);
    const cache = new ResultCache();
    for (const client of [await open(one, { cache }), await open(one, { cache })])
      await client.readResource('memo://a');
    expect(one.asked()).toBe(2);
  });

  test('shares nothing between clients that declare different capabilities', async () => {
    const one = scoped('public');
    const cache = new ResultCache();
    await (await open(one, { cache })).readResource('memo://a');
    await (await open(one, { cache, roots: () => [] })).readResource('memo://a');
    expect(one.asked()).toBe(2);
  });
});

describe('when the credentials change', () => {
  /** Returns a client whose requests have the credentials `credentials.current`. */
  async function withCredentials(
    one: Scripted,
  ): Promise<{ client: Client; credentials: { current: string } }> {
    const credentials = { current: 'ada' };
    const transport = {
      async open(): Promise<Channel> {
        const channel = await one.transport.open();
        Object.defineProperty(channel, 'credentials', { get: () => credentials.current });
        return channel;
      },
    };
    return { client: await open({ transport }), credentials };
  }

  test('private results are requested again, and the earlier ones are used when the credentials come back', async () => {
    const one = server(() => ({ ...text('one'), ...minute }));
    const { client, credentials } = await withCredentials(one);
    for (const who of ['ada', 'bob', 'ada', 'bob']) {
      credentials.current = who;
      await client.readResource('memo://a');
    }
    expect(one.asked()).toBe(2);
  });

  test('during a request, its result is not cached', async () => {
    const one = server(() => undefined);
    const { client, credentials } = await withCredentials(one);
    const reading = client.readResource('memo://a');
    const { id } = await one.hears(() => true);
    credentials.current = 'bob';
    one.act.say({ id, result: complete({ ...text('of ada'), ...minute }) });
    await reading;
    const known = [id];
    for (const who of ['bob', 'ada']) {
      credentials.current = who;
      const again = client.readResource('memo://a');
      const asked = await one.hears((message) => !known.includes(message.id));
      known.push(asked.id);
      one.act.say({ id: asked.id, result: complete({ ...text(`of ${who}`), ...minute }) });
      expect(await again).toMatchObject(text(`of ${who}`));
    }
  });

  test('public results are used for both', async () => {
    const one = server(() => ({ ...text('one'), ttlMs: 60_000, cacheScope: 'public' }));
    const { client, credentials } = await withCredentials(one);
    await client.readResource('memo://a');
    credentials.current = 'bob';
    await client.readResource('memo://a');
    expect(one.asked()).toBe(1);
  });
});

describe('the limits of a cache', () => {
  test('drop the least recently used first', async () => {
    const one = server(() => ({ ...text('one'), ...minute }));
    const cache = new ResultCache({ maxEntries: 2 });
    const client = await open(one, { cache });
    for (const uri of ['a', 'b', 'a', 'c']) await client.readResource(`memo://${uri}`);
    expect([cache.size, one.asked()]).toEqual([2, 3]);
    await client.readResource('memo://a');
    expect(one.asked()).toBe(3);
    await client.readResource('memo://b');
    expect(one.asked()).toBe(4);
  });

  test('store nothing that is larger than the limit, and never more in total', async () => {
    const one = server(({ params }) => ({
      ...text(params.uri.endsWith('big') ? 'x'.repeat(2000) : 'y'.repeat(500)),
      ...minute,
    }));
    const cache = new ResultCache({ maxSize: 2000 });
    const client = await open(one, { cache });
    for (const uri of ['a', 'b', 'c', 'd', 'big']) await client.readResource(`memo://${uri}`);
    expect(cache.size).toBeLessThanOrEqual(3);
    expect(cache.size).toBeGreaterThan(0);
    await client.readResource('memo://big');
    expect(one.asked()).toBe(6);
  });

  test.each([{ maxEntries: 0 }, { maxSize: -1 }, { maxEntries: Number.NaN }])('%j are refused', (options) => {
    expect(() => new ResultCache(options)).toThrow('maxEntries and maxSize must be greater than 0');
  });
});

test('a clock that was set back makes nothing fresh', async () => {
  const one = server(() => ({ ...text('one'), ...minute }));
  const client = await open(one);
  await client.readResource('memo://a');
  vi.setSystemTime(Date.now() - 1);
  await client.readResource('memo://a');
  expect(one.asked()).toBe(2);
});
