import type { RpcError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { all, between, handshake, stateless } from '../revisions.ts';
import { over } from './world.ts';

const capabilities = { resources: { subscribe: true, listChanged: true } };
const tag = 'io.modelcontextprotocol/subscriptionId';

over(all, 'several contents of one resource reach the caller', async ({ script, proves }) => {
  const contents = [
    { uri: 'memo://a', text: 'x' },
    { uri: 'memo://a/b', blob: 'AA==' },
  ];
  const server = script({ capabilities, answers: { 'resources/read': () => server.done({ contents }) } });
  const read = await (await server.connect()).readResource('memo://a');
  proves('2024-11-05/resources/read-contents-may-hold-several-items', () =>
    expect(read.contents).toEqual(contents),
  );
});

over(all, 'annotations of resources and content reach the caller', async ({ script, proves, revision }) => {
  const modern = revision >= '2025-06-18';
  const annotations = {
    audience: ['user', 'assistant'],
    priority: 1,
    ...(modern && { lastModified: '2026-01-01T00:00:00Z' }),
  };
  const server = script({
    capabilities: { ...capabilities, tools: {} },
    answers: {
      'resources/list': () =>
        server.done({
          resources: [
            { uri: 'memo://a', name: 'a', annotations },
            { uri: 'memo://b', name: 'b' },
          ],
        }),
      'tools/call': () => server.done({ content: [{ type: 'text', text: 'x', annotations }] }),
    },
  });
  const client = await server.connect();
  const [a, b] = await client.listResources();
  const { content } = await client.callTool('x');
  proves('2024-11-05/resources/annotation-audience-values', () =>
    expect(a?.annotations?.audience).toEqual(['user', 'assistant']),
  );
  proves('2024-11-05/resources/annotation-priority-range', () => expect(a?.annotations?.priority).toBe(1));
  const everywhere = () =>
    expect([a?.annotations, b?.annotations, (content[0] as { annotations?: object }).annotations]).toEqual([
      annotations,
      undefined,
      annotations,
    ]);
  proves('2024-11-05/resources/annotations-on-resources-and-content', everywhere);
  if (modern) {
    proves('2025-06-18/resources/annotations-on-resources-and-content', everywhere);
    proves('2025-06-18/resources/annotation-last-modified-is-iso-8601', () =>
      expect(Date.parse(a?.annotations?.lastModified ?? '')).toBe(Date.UTC(2026, 0, 1)),
    );
  }
  const wrong = script({
    capabilities,
    answers: {
      'resources/list': () =>
        wrong.done({ resources: [{ uri: 'memo://a', name: 'a', annotations: { priority: 2 } }] }),
    },
  });
  const refused = await (await wrong.connect()).listResources().catch((error: Error) => error.message);
  expect(refused).toContain('priority');
});

over(handshake, 'a resource is subscribed to, notified and unsubscribed', async ({ script, proves }) => {
  let version = 0;
  const server = script({
    capabilities,
    answers: {
      'resources/subscribe': {},
      'resources/unsubscribe': {},
      'resources/read': () => ({ contents: [{ uri: 'memo://a', text: `v${++version}` }] }),
    },
  });
  const client = await server.connect();
  const heard: string[] = [];
  const subscription = await client.subscribe('memo://a', (change) =>
    heard.push(change.kind === 'resource' ? change.uri : ''),
  );
  server.say({ method: 'notifications/resources/updated', params: { uri: 'memo://a' } });
  server.say({ method: 'notifications/resources/updated', params: { uri: 'memo://a/part' } });
  server.say({ method: 'notifications/resources/updated', params: { uri: 'memo://other' } });
  const first = await client.readResource('memo://a');
  const second = await client.readResource('memo://a');
  await subscription.close();
  proves('2024-11-05/resources/client-rereads-after-updated', () =>
    expect([first, second].map(({ contents }) => (contents[0] as { text: string }).text)).toEqual([
      'v1',
      'v2',
    ]),
  );
  proves('2024-11-05/resources/updated-uri-may-be-sub-resource', () =>
    expect(heard).toEqual(['memo://a', 'memo://a/part']),
  );
  const asked = server.heard.map(({ method }) => method).filter((method) => method?.includes('subscribe'));
  proves('2024-11-05/resources/unsubscribe-follows-subscribe', () =>
    expect(asked).toEqual(['resources/subscribe', 'resources/unsubscribe']),
  );
});

over(stateless, 'an update invalidates cached content', async ({ script, proves }) => {
  let version = 0;
  const server = script({
    capabilities,
    answers: {
      'subscriptions/listen': undefined,
      'resources/read': () =>
        server.done({ ttlMs: 60_000, contents: [{ uri: 'memo://a', text: `v${++version}` }] }),
    },
  });
  const client = await server.connect();
  const heard: string[] = [];
  let notify = (): void => {};
  const twice = new Promise<void>((resolve) => {
    notify = resolve;
  });
  const subscribing = client.subscribe('memo://a', (change) => {
    heard.push(change.kind === 'resource' ? change.uri : '');
    if (heard.length === 2) notify();
  });
  const { id, params } = await server.awaitMessage('subscriptions/listen');
  const _meta = { [tag]: id };
  server.say({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: params.notifications, _meta },
  });
  const subscription = await subscribing;
  const textOf = async () => ((await client.readResource('memo://a')).contents[0] as { text: string }).text;
  const before = [await textOf(), await textOf()];
  server.say({ method: 'notifications/resources/updated', params: { uri: 'memo://a', _meta } });
  server.say({ method: 'notifications/resources/updated', params: { uri: 'memo://a/part', _meta } });
  await twice;
  const after = await textOf();
  proves('2026-07-28/resources/client-rereads-after-updated', () =>
    expect([before, after]).toEqual([['v1', 'v1'], 'v2']),
  );
  proves('2026-07-28/resources/updated-uri-may-be-sub-resource', () =>
    expect(heard).toEqual(['memo://a', 'memo://a/part']),
  );
  await subscription.close();
});

over(
  stateless,
  'both codes for a missing resource reach the caller, and an https URI is passed on unchanged',
  async ({ script, proves }) => {
    const server = script({
      capabilities,
      answers: {
        'resources/read': ({ params }) => ({
          error: {
            code: params.uri === 'memo://old' ? -32002 : -32602,
            message: 'Resource not found',
            data: { uri: params.uri },
          },
        }),
        'resources/list': () => server.done({ resources: [{ uri: 'https://example.com/a', name: 'a' }] }),
      },
    });
    const client = await server.connect();
    const codes: unknown[] = [];
    for (const uri of ['memo://old', 'memo://new'])
      codes.push(await client.readResource(uri).catch((error: RpcError) => [error.code, error.data]));
    proves('2026-07-28/resources/client-accepts-32002-as-not-found', () =>
      expect(codes).toEqual([
        [-32002, { uri: 'memo://old' }],
        [-32602, { uri: 'memo://new' }],
      ]),
    );
    const [listed] = await client.listResources();
    proves('2026-07-28/resources/https-resource-may-be-fetched-directly', () =>
      expect(listed?.uri).toBe('https://example.com/a'),
    );
  },
);

over(between('2025-06-18'), 'the display name is the title, or else the name', async ({ script }) => {
  const server = script({
    capabilities,
    answers: {
      'resources/list': () => server.done({ resources: [{ uri: 'memo://a', name: 'a', title: 'A' }] }),
    },
  });
  const [a] = await (await server.connect()).listResources();
  expect(a?.title).toBe('A');
});
