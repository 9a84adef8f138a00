import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Client,
  type ClientOptions,
  connect,
  type HttpClientOptions,
  http,
  sse,
  type Transport,
} from '../../src/client.ts';
import {
  Hooks,
  listen,
  load,
  loadModern,
  loadOldest,
  type ModernContext,
  type SdkName,
  serverOf,
  serveSse,
  serveStreamable,
} from './official.ts';

interface Used {
  client: Client;
  faults: string[];
}

async function use(transport: Transport, options: Partial<ClientOptions> = {}): Promise<Used> {
  const faults: string[] = [];
  const client = await connect(transport, {
    name: 'tester',
    version: '1.0.0',
    roots: () => [{ uri: 'file:///a' }],
    onError: ({ message }) => faults.push(message),
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, faults };
}

const quick: HttpClientOptions = { reconnect: { delay: 1 } };
const textResult = (text: string): object => ({ content: [{ type: 'text', text }] });
const names: SdkName[] = ['sdk-2025-03-26', 'sdk-2025-06-18', 'sdk-2025-11-25'];
const newest = {
  'sdk-2025-03-26': '2025-03-26',
  'sdk-2025-06-18': '2025-06-18',
  'sdk-2025-11-25': '2025-11-25',
};

describe.each(names)('with a server of the official %s', (name) => {
  const sdk = load(name);

  test.each([
    ['sessions and streams', {}],
    ['sessions and JSON', { json: true }],
    ['sessions and kept events', { events: true }],
    ['no sessions', { sessionless: true }],
  ])('a client negotiates, lists, calls and closes: %s', async (_what, options) => {
    const { url } = await serveStreamable(sdk, new Hooks(), options);
    const { client, faults } = await use(http(url, quick));
    expect([client.revision, client.serverInfo?.name]).toEqual([newest[name], 'official']);
    expect((await client.listTools()).map((tool) => tool.name)).toContain('add');
    const calls = Array.from({ length: 30 }, (_, a) => client.callTool('add', { a, b: 1 }));
    expect(await Promise.all(calls)).toEqual(calls.map((_, a) => textResult(String(a + 1))));
    expect((await client.readResource('memo://a')).contents).toEqual([{ uri: 'memo://a', text: 'a' }]);
    await client.close();
    expect(faults).toEqual([]);
  });

  test('a call reports progress, asks the client and can be cancelled', async () => {
    const hooks = new Hooks();
    const { url } = await serveStreamable(sdk, hooks);
    const { client, faults } = await use(http(url, quick));
    const steps: number[] = [];
    const onProgress = ({ progress }: { progress: number }): number => steps.push(progress);
    expect(await client.callTool('steps', { n: 5 }, { onProgress })).toEqual(textResult('done'));
    expect(steps).toEqual([1, 2, 3, 4, 5]);
    expect(await client.callTool('ask', { n: 1 })).toEqual(textResult('{"roots":[{"uri":"file:///a"}]}'));
    const controller = new AbortController();
    const held = client.callTool('hold', { n: 1 }, { signal: controller.signal });
    // the server has the call once it responds to a later one on the same connection
    await client.callTool('add', { a: 1, b: 1 });
    controller.abort();
    await expect(held).rejects.toMatchObject({ reason: 'cancelled' });
    while (hooks.aborted.length === 0) await client.ping();
    expect(faults).toEqual([]);
  });

  test('messages that the server sends on its own arrive', async () => {
    const hooks = new Hooks();
    const { url } = await serveStreamable(sdk, hooks);
    const { client } = await use(http(url, quick));
    const logs: unknown[] = [];
    client.onLog(({ data }) => logs.push(data));
    const say = (): Promise<void> =>
      hooks.servers.at(-1)!.server.notification({
        method: 'notifications/message',
        params: { level: 'info', data: 'x' },
      });
    // messages before there is a stream are lost
    while (logs.length === 0) {
      await say();
      await client.ping();
    }
    expect(new Set(logs)).toEqual(new Set(['x']));
  });

  test('a server that has lost the session gets the log level and subscriptions again', async () => {
    const hooks = new Hooks();
    const { url, forget } = await serveStreamable(sdk, hooks);
    const { client } = await use(http(url, quick), { era: 'handshake' });
    let changed = 0;
    await client.subscribe('memo://a', () => {
      changed += 1;
    });
    forget();
    const calls = await Promise.all([1, 2, 3].map((b) => client.callTool('add', { a: 1, b })));
    expect(calls).toEqual([textResult('2'), textResult('3'), textResult('4')]);
    while (hooks.subscribed.length < 2) await client.ping();
    await client.ping();
    expect([hooks.servers.length, hooks.subscribed, changed]).toEqual([2, ['memo://a', 'memo://a'], 1]);
  });

  test('a client without options finds its old transport', async () => {
    const url = await serveSse(sdk, () => serverOf(sdk, new Hooks()));
    for (const transport of [sse, http]) {
      const { client, faults } = await use(transport(url));
      expect(await client.callTool('add', { a: 1, b: 2 })).toEqual(textResult('3'));
      expect(await client.callTool('ask', { n: 1 })).toEqual(textResult('{"roots":[{"uri":"file:///a"}]}'));
      expect(faults).toEqual([]);
    }
  });
});

test('a call of the official sdk-2025-11-25 whose stream it closes temporarily gets one response', async () => {
  const hooks = new Hooks();
  const { url } = await serveStreamable(load('sdk-2025-11-25'), hooks, { events: true });
  const { client, faults } = await use(http(url, quick));
  const calls = [
    client.callTool('release', { n: 1 }),
    client.callTool('count', { n: 1 }),
    client.callTool('release', { n: 2 }),
  ];
  const late = textResult('after the stream was closed');
  expect(await Promise.all(calls)).toEqual([late, textResult('1'), late]);
  expect([hooks.count, faults]).toEqual([1, []]);
});

test.each([
  ['known', sse],
  ['unknown', http],
])('a server of the official sdk-2024-11-05 responds when its transport is %s', async (_what, transport) => {
  const { Sse, server } = loadOldest();
  const url = await serveSse({ Sse }, server);
  const { client, faults } = await use(transport(url), { revision: '2024-11-05' });
  expect([client.revision, await client.callTool('add', { a: 1, b: 2 })]).toEqual([
    '2024-11-05',
    textResult('3'),
  ]);
  expect(faults).toEqual([]);
});

describe('with a server of the official SDK of the stateless era', () => {
  const modern = loadModern();

  async function serve(
    aborted: unknown[] = [],
  ): Promise<{ url: string; notify: Record<string, (...args: unknown[]) => void> }> {
    const { McpServer, createMcpHandler, toNodeHandler, z } = modern;
    const handler = createMcpHandler(() => {
      const server = new McpServer(
        { name: 'modern', version: '1.0.0' },
        { capabilities: { tools: { listChanged: true } } },
      );
      const region = z.string().meta({ 'x-mcp-header': 'Region' });
      server.registerTool(
        'where',
        { inputSchema: z.object({ region }) },
        ({ region: at }: { region: string }) => textResult(at),
      );
      server.registerTool(
        'steps',
        { inputSchema: z.object({}) },
        async (_args, { mcpReq }: ModernContext) => {
          const { progressToken } = mcpReq._meta;
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
          return textResult('done');
        },
      );
      server.registerTool(
        'hold',
        { inputSchema: z.object({}) },
        (_args, { mcpReq }: ModernContext) =>
          new Promise((resolve) => {
            mcpReq.signal.addEventListener('abort', () => {
              aborted.push(1);
              resolve(textResult('aborted'));
            });
          }),
      );
      return server;
    });
    const node = modern.toNodeHandler(handler);
    void toNodeHandler;
    return { url: `${await listen(node)}/mcp`, notify: handler.notify };
  }

  test('a client finds the era, and arguments in headers are accepted', async () => {
    const { url } = await serve();
    const { client, faults } = await use(http(url, quick));
    expect([client.revision, client.serverInfo?.name]).toEqual(['2026-07-28', 'modern']);
    // not listed yet: the server refuses the call, and the client lists the tools
    expect(await client.callTool('where', { region: 'schön =?base64?x?= ' })).toMatchObject(
      textResult('schön =?base64?x?= '),
    );
    for (const region of ['eu', ' x', 'a\nb', '', '=?base64?eA==?=', '😀']) {
      expect(await client.callTool('where', { region })).toMatchObject(textResult(region));
    }
    expect(faults).toEqual([]);
  });

  test('a call reports progress, and is cancelled when its stream is closed', async () => {
    const aborted: unknown[] = [];
    const { url } = await serve(aborted);
    const { client } = await use(http(url, quick), { era: { pinned: '2026-07-28' } });
    let steps = 0;
    const onProgress = (): number => (steps += 1);
    expect(await client.callTool('steps', {}, { onProgress })).toMatchObject(textResult('done'));
    expect(steps).toBe(1);
    const controller = new AbortController();
    const held = client.callTool('hold', {}, { signal: controller.signal });
    await client.listTools();
    controller.abort();
    await expect(held).rejects.toMatchObject({ reason: 'cancelled' });
    while (aborted.length === 0) await client.listTools({ fresh: true });
  });

  test('a subscription reports changes', async () => {
    const { url, notify } = await serve();
    const { client } = await use(http(url, quick));
    const changed = new Promise<void>((resolve) => {
      void client.onListChanged('tools', resolve).then(() => notify.toolsChanged?.());
    });
    await changed;
  });

  test('a client of the handshake era is served too', async () => {
    const { url } = await serve();
    const { client, faults } = await use(http(url, quick), { era: 'handshake' });
    expect(await client.callTool('where', { region: 'eu' })).toEqual(textResult('eu'));
    expect([client.revision, faults]).toEqual(['2025-11-25', []]);
  });
});
