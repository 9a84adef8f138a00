import { type Channel, type ChannelEvents, connect, type Transport } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { validateMessage } from '../../schema/validate.ts';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { answers, capable, everything, tour } from './tour.ts';
import { over } from './world.ts';

over(all, 'requests and notifications are valid by the schema', async (world) => {
  const { heard } = await tour(world);
  const { proves, revision } = world;
  proves('2024-11-05/base/base-protocol-supported', () => {
    const forms = new Set(
      heard.map(({ method, id }) =>
        method === undefined ? 'response' : id === undefined ? 'notification' : 'request',
      ),
    );
    expect(forms).toEqual(new Set(['request', 'notification', ...(world.stateless ? [] : ['response'])]));
  });
  proves('2024-11-05/base/schema-is-source-of-truth', () => {
    for (const message of heard) expect(() => validateMessage(revision, 'client', message)).not.toThrow();
  });
});

over(handshake, 'a client has one session with one server', async ({ script, proves }) => {
  const server = script({ capabilities: capable, answers: answers((result) => result) });
  const client = await server.connect(everything());
  await client.listTools();
  await client.ping();
  proves('2024-11-05/base/one-stateful-session-per-server', () =>
    expect([server.starts, server.all('initialize').length]).toEqual([1, 1]),
  );
  proves('2024-11-05/base/client-handles-negotiation', () =>
    expect([client.revision, client.capabilities]).toEqual([server.revision, capable]),
  );
  const { result } = await server.ask(1, 'roots/list');
  proves('2024-11-05/base/client-routes-messages-bidirectionally', () => {
    expect(result.roots).toHaveLength(1);
    expect(server.all('tools/list')).toHaveLength(1);
  });
});

over(all, 'notifications reach the subscribers', async ({ script, proves, stateless: modern }) => {
  const server = script({ capabilities: capable, answers: answers((result) => server.done(result)) });
  const client = await server.connect();
  const heard: string[] = [];
  const subscribing = client.subscribe(
    { toolsListChanged: true, resourceSubscriptions: ['memo://a'] },
    (change) => heard.push(change.kind === 'list' ? change.list : change.uri),
  );
  const listen = modern ? await server.awaitMessage('subscriptions/listen') : undefined;
  const _meta = listen && { 'io.modelcontextprotocol/subscriptionId': listen.id };
  if (listen !== undefined) {
    server.say({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: listen.params.notifications, _meta },
    });
  }
  const subscription = await subscribing;
  server.say({ method: 'notifications/tools/list_changed', params: { _meta } });
  server.say({ method: 'notifications/prompts/list_changed' });
  server.say({ method: 'notifications/resources/updated', params: { uri: 'memo://a', _meta } });
  await client.listTools();
  await subscription.close();
  proves('2024-11-05/base/client-manages-subscriptions-and-notifications', () =>
    expect(heard).toEqual(['tools', 'memo://a']),
  );
});

/** A custom transport that passes messages as objects. */
function custom(revision: string): Transport & { sent: Message[] } {
  const sent: Message[] = [];
  const open = async (): Promise<Channel> => {
    let events: ChannelEvents | undefined;
    return {
      start: (own) => {
        events = own;
      },
      send: (text) => {
        const message: Message = JSON.parse(
          typeof text === 'string' ? text : Buffer.concat(text.map((piece) => Buffer.from(piece))).toString(),
        );
        sent.push(message);
        const serverInfo = { name: 's', version: '1' };
        const result = {
          initialize: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo },
          'server/discover': {
            resultType: 'complete',
            supportedVersions: [revision],
            capabilities: { tools: {} },
            ttlMs: 0,
            cacheScope: 'private',
          },
          'tools/list': { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
        }[String(message.method)];
        if (message.id !== undefined)
          queueMicrotask(() => events?.message(JSON.stringify({ jsonrpc: '2.0', id: message.id, result })));
      },
      drained: () => undefined,
      close: async () => {},
    };
  };
  return { sent, open };
}

over(
  all,
  'a custom transport carries the same messages',
  async ({ proves, revision, stateless: modern, script }) => {
    const transport = custom(revision);
    const client = await connect(transport, script().clientOptions());
    await client.listTools();
    const { sent } = transport;
    proves('2024-11-05/base/custom-transport-keeps-message-format', () => {
      for (const message of sent) expect(() => validateMessage(revision, 'client', message)).not.toThrow();
      expect(sent.length).toBeGreaterThan(1);
    });
    proves('2024-11-05/base/custom-transport-keeps-lifecycle', () =>
      expect(sent.map(({ method }) => method)).toEqual([
        ...(modern ? ['server/discover'] : ['initialize', 'notifications/initialized']),
        'tools/list',
      ]),
    );
    proves('2026-07-28/base/custom-transport-keeps-message-patterns', () =>
      expect(sent.map(({ method }) => method)).toContain('tools/list'),
    );
    if (modern) {
      proves('2026-07-28/base/custom-transport-keeps-per-request-metadata', () =>
        expect(sent.map(({ params }) => params._meta['io.modelcontextprotocol/protocolVersion'])).toEqual([
          revision,
          revision,
        ]),
      );
    }
    await client.close();
  },
);

over(between('2025-11-25'), 'icons of every kind reach the caller', async ({ script, proves }) => {
  const icon = (mimeType: string, more: object = {}) => ({
    src: `data:${mimeType};base64,AA==`,
    mimeType,
    ...more,
  });
  const icons = [
    icon('image/png', { sizes: ['48x48'] }),
    icon('image/jpeg'),
    icon('image/jpg'),
    icon('image/svg+xml', { sizes: ['any'] }),
    icon('image/webp', { theme: 'dark' }),
  ];
  const tool = { name: 'a', inputSchema: { type: 'object' }, icons };
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/list': () => server.done({ tools: [tool] }) },
  });
  const [received] = await (await server.connect()).listTools();
  const kinds = received?.icons?.map(({ mimeType }) => mimeType);
  proves('2025-11-25/base/icon-renderer-supports-png', () => expect(kinds).toContain('image/png'));
  proves('2025-11-25/base/icon-renderer-supports-jpeg', () =>
    expect(kinds).toEqual(expect.arrayContaining(['image/jpeg', 'image/jpg'])),
  );
  proves('2025-11-25/base/icon-renderer-supports-svg', () => expect(kinds).toContain('image/svg+xml'));
  proves('2025-11-25/base/icon-renderer-supports-webp', () => expect(kinds).toContain('image/webp'));
  proves('2025-11-25/base/icon-without-sizes-or-theme-fits-all', () =>
    expect(received?.icons).toEqual(icons),
  );
});

over(stateless, 'versioning and the three patterns work', async ({ script, proves }) => {
  let calls = 0;
  const server = script({
    capabilities: capable,
    answers: {
      ...answers((result) => server.done(result)),
      'tools/call': () => {
        calls += 1;
        if (calls > 1) return server.done({ content: [] });
        return {
          resultType: 'input_required',
          inputRequests: { a: { method: 'roots/list' } },
          requestState: 's',
        };
      },
    },
  });
  const client = await server.connect(everything());
  proves('2026-07-28/base/versioning-supported', () => {
    expect(server.heard[0].method).toBe('server/discover');
    expect(client.revision).toBe('2026-07-28');
  });
  const { content } = await client.callTool('asks');
  await client.listTools();
  const listening = client.onListChanged('tools', () => {});
  const { id } = await server.awaitMessage('subscriptions/listen');
  server.say({
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: { toolsListChanged: true },
      _meta: { 'io.modelcontextprotocol/subscriptionId': id },
    },
  });
  const subscription = await listening;
  proves('2026-07-28/base/message-patterns-supported', () => {
    expect([content, server.all('tools/call').length, server.all('tools/list').length]).toEqual([[], 2, 1]);
    expect(subscription.acknowledged).toEqual({ toolsListChanged: true });
  });
});

over(stateless, 'requests and notifications go to the server, and no responses', async (world) => {
  const server = await tour(world);
  server.say({ id: 'question', method: 'roots/list' });
  server.say({ id: 'ping', method: 'ping' });
  await server.close();
  const { proves } = world;
  const responses = server.heard.filter(({ method }) => method === undefined);
  proves('2026-07-28/base/client-sends-no-responses', () => expect(responses).toEqual([]));
  proves('2026-07-28/base/no-other-message-direction', () => {
    expect(responses).toEqual([]);
    expect(server.faults.map(({ message }) => message).join()).toContain('the server sent a request');
  });
  proves('2026-07-28/base/binding-delivers-client-requests-and-notifications', () =>
    expect([server.all('tools/list').length, server.all('notifications/cancelled').length]).toEqual([
      2,
      expect.any(Number),
    ]),
  );
  proves('2026-07-28/base/one-server-per-client', () => expect(server.starts).toBe(1));
  proves('2026-07-28/base/extensions-are-opt-in', () =>
    expect(
      server.heard
        .map(({ params }) => params._meta?.['io.modelcontextprotocol/clientCapabilities']?.extensions)
        .filter(Boolean),
    ).toEqual([]),
  );
});

over(stateless, 'answers and notifications of the server arrive', async ({ script, proves }) => {
  const heard: string[] = [];
  const server = script({ capabilities: capable, answers: answers((result) => server.done(result)) });
  const client = await server.connect({ onNotification: (method) => heard.push(method) });
  server.say({ method: 'notifications/message', params: { level: 'error', data: 'x' } });
  const tools = await client.listTools();
  proves('2026-07-28/base/binding-delivers-server-responses-and-notifications', () =>
    expect([tools.length, heard]).toEqual([1, ['notifications/message']]),
  );
  proves('2026-07-28/base/byte-stream-transport-reuses-stdio-framing', () =>
    expect(server.lines.every((line) => JSON.parse(line).jsonrpc === '2.0')).toBe(true),
  );
});
