import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Change,
  type Client,
  type ClientOptions,
  childProcess,
  connect,
  streams,
} from '../../src/client.ts';
import { serveMemory } from '../../src/testing.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import type { Message } from '../wire/message.ts';
import { type Program, program } from '../wire/program.ts';
import { type Act, complete, oldServer, type Scripted, scripted, welcome } from './scripted.ts';

afterEach(() => {
  vi.useRealTimers();
});

const eras = { handshake: 'handshake', stateless: { pinned: '2026-07-28' } } as const;
const each = describe.each(Object.keys(eras) as (keyof typeof eras)[]);

/** Resolves with the next reason of a reopening, or of the end. */
class Watch {
  readonly reopened: string[] = [];
  readonly closed: string[] = [];
  readonly faults: string[] = [];
  #waiting: (() => void)[] = [];

  readonly options: Partial<ClientOptions> = {
    onReopen: (reason) => this.#add(this.reopened, reason),
    onClose: (reason) => this.#add(this.closed, reason),
    onError: ({ message }) => this.faults.push(message),
  };

  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #add(list: string[], reason: string): void {
    list.push(reason);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Returns a server in memory whose connections a test can break, while the server continues. */
function breakable(): { stage: Stage; transport: ReturnType<typeof streams>; drop(): void; opened: number } {
  const stage = new Stage();
  const server = fixtureServer(stage);
  let end: ReturnType<typeof serveMemory> | undefined;
  const made = {
    stage,
    opened: 0,
    transport: streams(() => {
      made.opened += 1;
      end = serveMemory(server);
      return end;
    }),
    drop: () => void end?.input.destroy(),
  };
  return made;
}

async function open(
  to: { transport: Scripted['transport'] },
  era: keyof typeof eras,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; watch: Watch }> {
  const watch = new Watch();
  const client = await connect(to.transport, {
    name: 'tester',
    version: '1.0.0',
    era: eras[era],
    reopen: true,
    ...watch.options,
    ...options,
  });
  return { client, watch };
}

each('a connection of the %s era that was lost', (era) => {
  test('is reopened, and the next request gets its response', async () => {
    const server = breakable();
    const { client, watch } = await open(server, era);
    await client.listTools();
    server.drop();
    await watch.until(() => watch.reopened.length === 1);
    const { structuredContent } = await client.callTool('add', { a: 1, b: 2 });
    expect(structuredContent).toEqual({ sum: 3 });
    expect([server.opened, watch.reopened, watch.closed]).toEqual([
      2,
      ['the server closed the connection'],
      [],
    ]);
    await client.close();
  });

  test('fails the open calls, and calls no tool twice', async () => {
    const server = breakable();
    const { client, watch } = await open(server, era);
    const call = client.callTool('hold');
    await client.listTools({ fresh: true });
    server.drop();
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', reason: 'closed' });
    await watch.until(() => watch.reopened.length === 1);
    await client.listTools({ fresh: true });
    expect(server.stage.aborted).toHaveLength(1);
    await client.close();
  });

  test('keeps subscriptions: every subscribed change is reported, and later changes too', async () => {
    const server = breakable();
    const { client, watch } = await open(server, era);
    const heard: Change[] = [];
    const subscription = await client.subscribe(
      { toolsListChanged: true, resourceSubscriptions: ['memo://today'] },
      (change) => heard.push(change),
    );
    server.drop();
    await vi.waitUntil(() => heard.length >= 2, { timeout: 120_000 });
    expect(heard).toEqual([
      { kind: 'list', list: 'tools' },
      { kind: 'resource', uri: 'memo://today' },
    ]);
    expect(server.stage.watchers('memo://today')).toBe(1);
    server.stage.touch('memo://today');
    await client.callTool('echo', { text: 'fence' });
    expect(heard.slice(2)).toEqual([{ kind: 'resource', uri: 'memo://today' }]);
    expect(watch.faults).toEqual([]);
    await subscription.close();
    await client.close();
    expect(await subscription.ended).toBeUndefined();
  });

  test('is not reopened once the client is closed', async () => {
    const server = breakable();
    const { client, watch } = await open(server, era);
    server.drop();
    await client.close();
    await expect(client.listTools()).rejects.toMatchObject({ reason: 'closed' });
    expect(watch.reopened).toEqual([]);
    expect(server.opened).toBeLessThanOrEqual(2);
  });

  test('ends for a client without the option', async () => {
    const server = breakable();
    const { client, watch } = await open(server, era, { reopen: false });
    const subscription = await client.subscribe('memo://today', () => {});
    server.drop();
    expect(await subscription.ended).toMatchObject({ reason: 'closed' });
    await expect(client.callTool('add', { a: 1, b: 2 })).rejects.toMatchObject({ reason: 'closed' });
    expect([server.opened, watch.closed.length]).toEqual([1, 1]);
  });
});

test('cached results of the previous server are not used', async () => {
  const server = scripted(({ id, method }, act, { starts }) => {
    if (method === 'prompts/list')
      act.say({
        id,
        result: complete({ prompts: [{ name: `start ${starts}` }], ttlMs: 60_000, cacheScope: 'public' }),
      });
  });
  const { client, watch } = await open(server, 'stateless');
  await client.listPrompts();
  server.act.end();
  await watch.until(() => watch.reopened.length === 1);
  expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['start 2']);
});

test('an open list or read is sent once more, a call is not', async () => {
  const server = oldServer({ tools: {}, resources: {} }, ({ id, method }, act) => {
    if (server.starts === 1) {
      if (method === 'tools/list') act.end();
      return;
    }
    if (method === 'resources/read') act.say({ id, result: { contents: [] } });
    if (method === 'tools/list') act.say({ id, result: { tools: [] } });
    if (method === 'tools/call') act.say({ id, result: { content: [] } });
  });
  const { client } = await open(server, 'handshake');
  const call = client.callTool('erase');
  const read = client.readResource('memo://a');
  const list = client.listTools();
  await expect(call).rejects.toMatchObject({ reason: 'closed' });
  expect([await read, await list]).toEqual([{ contents: [] }, []]);
  expect(server.heard.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
});

test('a read at which the server always dies is sent twice, not endlessly', async () => {
  const server = oldServer({ resources: {} }, ({ method }, act) => {
    if (method === 'resources/read') act.end();
  });
  const { client } = await open(server, 'handshake');
  await expect(client.readResource('memo://a')).rejects.toMatchObject({ reason: 'closed' });
  expect(server.heard.filter(({ method }) => method === 'resources/read')).toHaveLength(2);
});

test('a handshake is repeated with the same revision, log level and subscriptions', async () => {
  const server = scripted((message, act) => {
    welcome(message, act, { logging: {}, resources: { subscribe: true } }, '2025-06-18');
    const { id, method } = message;
    if (method === 'logging/setLevel' || method === 'resources/subscribe') act.say({ id, result: {} });
  });
  const { client, watch } = await open(server, 'handshake', { logLevel: 'warning' });
  await client.subscribe('memo://a', () => {});
  const before = server.heard.length;
  server.act.end();
  await watch.until(() => watch.reopened.length === 1);
  await vi.waitUntil(() => server.heard.length >= before + 4, { timeout: 120_000 });
  const again = server.heard.slice(before);
  expect(new Set(again.map(({ method }) => method))).toEqual(
    new Set(['initialize', 'logging/setLevel', 'notifications/initialized', 'resources/subscribe']),
  );
  expect(again[0].params.protocolVersion).toBe('2025-06-18');
  expect(again.find(({ method }) => method === 'logging/setLevel').params).toEqual({ level: 'warning' });
});

test('a server that exits at every handshake is given up after the attempts, and everybody gets the reason', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const server = scripted((message, act) => {
    if (server.starts === 1) welcome(message, act, { tools: {}, resources: { subscribe: true } });
    else act.end();
    if (message.method === 'resources/subscribe') act.say({ id: message.id, result: {} });
  });
  const { client, watch } = await open(server, 'handshake', { reopen: { attempts: 3, delay: 1000 } });
  const subscription = await client.subscribe('memo://a', () => {});
  server.act.end();
  const waiting = client.callTool('x');
  const refused = expect(waiting).rejects.toMatchObject({ reason: 'closed' });
  const starts: number[] = [];
  for (const wait of [999, 1, 1999, 1]) {
    await vi.advanceTimersByTimeAsync(wait);
    starts.push(server.starts);
  }
  await refused;
  expect(starts).toEqual([2, 3, 3, 4]);
  expect(watch.closed).toHaveLength(1);
  expect(watch.closed[0]).toMatch(
    /^the server closed the connection; reopening failed 3 times, last: the server closed/,
  );
  expect(await subscription.ended).toMatchObject({ reason: 'closed' });
  await expect(client.listTools()).rejects.toMatchObject({ reason: 'closed' });
});

test('a server that dies at each new subscription is not restarted endlessly', async () => {
  const server = oldServer({ resources: { subscribe: true } }, ({ id, method }, act) => {
    if (method !== 'resources/subscribe') return;
    if (server.starts === 1) act.say({ id, result: {} });
    else act.end();
  });
  const { client, watch } = await open(server, 'handshake', { reopen: { attempts: 4, delay: 0 } });
  await client.subscribe('memo://a', () => {});
  server.act.end();
  await watch.until(() => watch.closed.length === 1);
  expect(server.starts).toBe(5);
});

test('a client that is closed between two attempts makes no further one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const server = scripted((message, act) => {
    if (server.starts === 1) welcome(message, act, { tools: {} });
    else act.end();
  });
  const { client, watch } = await open(server, 'handshake', { reopen: { attempts: 5, delay: 1000 } });
  server.act.end();
  await vi.waitUntil(() => server.heard.filter(({ method }) => method === 'initialize').length === 2, {
    timeout: 120_000,
  });
  const waiting = client.listTools();
  const refused = expect(waiting).rejects.toMatchObject({
    reason: 'closed',
    message: 'the client was closed',
  });
  await client.close();
  await refused;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([server.starts, watch.closed, watch.reopened]).toEqual([2, ['the client was closed'], []]);
});

test('a response confirms a connection, so that the attempts are counted again', async () => {
  const server = breakable();
  const { client, watch } = await open(server, 'handshake', { reopen: { attempts: 1 } });
  for (let i = 0; i < 4; i++) {
    server.drop();
    await watch.until(() => watch.reopened.length === i + 1);
    await client.callTool('add', { a: 1, b: i });
  }
  expect(server.opened).toBe(5);
  await client.close();
});

test('a server that comes back in another era is not used', async () => {
  const server = scripted((message, act) => {
    if (server.starts === 1 && message.method === 'server/discover')
      act.say({
        id: message.id,
        result: complete({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
      });
    else if (message.method === 'server/discover')
      act.say({ id: message.id, error: { code: -32601, message: 'no' } });
    welcome(message, act, { tools: {} });
  });
  const watch = new Watch();
  await connect(server.transport, {
    name: 'tester',
    version: '1.0.0',
    reopen: { attempts: 1 },
    ...watch.options,
  });
  server.act.end();
  await watch.until(() => watch.closed.length === 1);
  expect(watch.closed[0]).toContain('the server came back with 2025-11-25, which belongs to another era');
});

test.each([
  [{ attempts: 0 }, 'reopen.attempts must be an integer of at least 1'],
  [{ attempts: 1.5 }, 'reopen.attempts must be an integer of at least 1'],
  [{ delay: -1 }, 'reopen.delay must be at least 0 (milliseconds)'],
])('the option %j is refused', async (reopen, message) => {
  await expect(connect(breakable().transport, { name: 'a', version: '1', reopen })).rejects.toThrow(message);
});

describe('a process', () => {
  let built: Program;
  beforeAll(async () => {
    built = await program('../client/mortal.ts');
  });
  afterAll(() => built.remove());

  test.each(Object.keys(eras) as (keyof typeof eras)[])(
    'that is killed is started again, and its subscribers of the %s era are notified',
    async (era) => {
      const transport = childProcess({ command: process.execPath, args: [built.path], stderr: 'ignore' });
      const { client, watch } = await open({ transport }, era);
      const heard: Change[] = [];
      await client.onListChanged('tools', () => heard.push({ kind: 'list', list: 'tools' }));
      const pid = async (): Promise<number> =>
        Number((await client.callTool('pid')).content.map((block) => (block as { text: string }).text)[0]);
      const first = await pid();
      const open_ = client.callTool('hold');
      process.kill(first, 'SIGKILL');
      await expect(open_).rejects.toThrow('ended by SIGKILL');
      expect(await pid()).not.toBe(first);
      await vi.waitUntil(() => heard.length > 0, { timeout: 120_000 });
      expect(watch.reopened).toHaveLength(1);
      await client.close();
    },
  );
});

test('a subscription that is closed while the connection is down stays closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const discovery = complete({ supportedVersions: ['2026-07-28'], capabilities: { resources: {} } });
  const server = scripted((message, act) => {
    if (server.starts > 1) act.end();
    else if (message.method === 'server/discover') act.say({ id: message.id, result: discovery });
    else if (message.method === 'subscriptions/listen') acknowledged(message, act);
  });
  const watch = new Watch();
  const client = await connect(server.transport, {
    name: 'tester',
    version: '1.0.0',
    reopen: { attempts: 3, delay: 1000 },
    ...watch.options,
  });
  const subscription = await client.subscribe('memo://a', () => {});
  server.act.end();
  // the probe of the first attempt, and the handshake after it
  await vi.waitUntil(() => server.starts === 3, { timeout: 120_000 });
  await subscription.close();
  expect(await subscription.ended).toBeUndefined();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(watch.closed).toHaveLength(1);
  expect(server.heard.filter(({ method }) => method === 'subscriptions/listen')).toHaveLength(1);
});

function acknowledged({ id, params }: Message, act: Act): void {
  act.say({
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: params.notifications,
      _meta: { 'io.modelcontextprotocol/subscriptionId': id },
    },
  });
}
