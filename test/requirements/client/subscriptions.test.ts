import { expect } from 'vitest';
import { stateless } from '../revisions.ts';
import type { Script } from './script.ts';
import { over } from './world.ts';

const tag = 'io.modelcontextprotocol/subscriptionId';
const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };

function acknowledge(server: Script, id: unknown, notifications: object): void {
  server.say({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications, _meta: { [tag]: id } },
  });
}

over(
  stateless,
  'a stream is requested with a filter, identified by its id, and ended by a cancellation',
  async ({ script, proves }) => {
    const server = script({
      capabilities,
      answers: { 'subscriptions/listen': undefined, 'tools/list': () => server.done({ tools: [] }) },
    });
    const client = await server.connect();
    const heard: string[] = [];
    const wanted = { toolsListChanged: true, resourceSubscriptions: ['memo://a', 'memo://b'] };
    const opening = [
      client.subscribe(wanted, () => heard.push('first')),
      client.subscribe({ toolsListChanged: true }, () => heard.push('second')),
    ];
    await server.hears(({ params }) => params?.notifications && !params.notifications.resourceSubscriptions);
    const [first, second] = server.all('subscriptions/listen');
    proves('2026-07-28/subscriptions/listen-request-has-notifications-filter', () =>
      expect(first.params.notifications).toEqual(wanted),
    );
    proves('2026-07-28/subscriptions/filter-fields', () =>
      expect(second.params.notifications).toEqual({ toolsListChanged: true }),
    );
    acknowledge(server, second.id, { toolsListChanged: true });
    acknowledge(server, first.id, { resourceSubscriptions: ['memo://a'] });
    const [one, other] = await Promise.all(opening);
    proves('2026-07-28/subscriptions/client-checks-acknowledged-filter', () => {
      expect([one?.acknowledged, other?.acknowledged]).toEqual([
        { resourceSubscriptions: ['memo://a'] },
        { toolsListChanged: true },
      ]);
    });
    server.say({ method: 'notifications/tools/list_changed', params: { _meta: { [tag]: second.id } } });
    server.say({
      method: 'notifications/resources/updated',
      params: { uri: 'memo://a', _meta: { [tag]: first.id } },
    });
    server.say({ method: 'notifications/tools/list_changed', params: { _meta: { [tag]: 'nobody' } } });
    await client.listTools();
    proves('2026-07-28/subscriptions/stdio-notifications-correlated-by-subscription-id', () =>
      expect(heard).toEqual(['second', 'first']),
    );
    await one?.close();
    const cancelled = await server.awaitMessage('notifications/cancelled');
    proves('2026-07-28/subscriptions/stdio-subscription-ended-by-cancelled', () =>
      expect(cancelled.params.requestId).toBe(first.id),
    );
    const refused = client.subscribe('memo://b', () => {}).catch((error: Error) => error.message);
    const third = await server.hears(
      ({ params }) => params?.notifications?.resourceSubscriptions?.[0] === 'memo://b',
    );
    acknowledge(server, third.id, {});
    expect(await refused).toContain('does not report changes of memo://b');
  },
);

over(stateless, 'after a lost connection the stream is requested again', async ({ script, proves }) => {
  const server = script({
    capabilities,
    answers: { 'subscriptions/listen': undefined, 'tools/list': () => server.done({ tools: [] }) },
  });
  const client = await server.connect({ reopen: { delay: 1 } });
  const heard: string[] = [];
  const opening = client.subscribe({ toolsListChanged: true }, () => heard.push('changed'));
  const first = await server.awaitMessage('subscriptions/listen');
  acknowledge(server, first.id, { toolsListChanged: true });
  const subscription = await opening;
  server.end();
  await client.listTools();
  const again = await server.hears(
    (message) => message.method === 'subscriptions/listen' && message !== first,
  );
  proves('2026-07-28/subscriptions/stdio-reconnect-resends-listen', () => {
    expect(server.starts).toBe(2);
    expect(again.params.notifications).toEqual({ toolsListChanged: true });
  });
  acknowledge(server, again.id, { toolsListChanged: true });
  await subscription.close();
});
