import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import type { Talk } from './talk.ts';
import { over } from './world.ts';

const tag = 'io.modelcontextprotocol/subscriptionId';
const filter = { toolsListChanged: true, resourceSubscriptions: ['memo://today'] };

/** Opens a stream and returns its id and acknowledgement. */
async function listen(talk: Talk, notifications: object): Promise<{ id: number; agreed: Message }> {
  const id = talk.start('subscriptions/listen', { notifications });
  const { params } = await talk.awaitMessage('notifications/subscriptions/acknowledged');
  return { id, agreed: params };
}

over(
  stateless,
  'a stream begins with its acknowledgement, and every message has its id',
  async ({ open, proves }) => {
    const stage = new Stage();
    const server = fixture(stage, {
      // changes during the start of the watch are notified after the acknowledgement
      watch: async (uri, _context, changed) => {
        changed();
        await new Promise((resolve) => setImmediate(resolve));
        server.listChanged('tools');
        return stage.watch(uri, changed);
      },
    });
    const talk = await open(server);
    const { id, agreed } = await listen(talk, filter);
    await talk.awaitMessage('notifications/resources/updated');
    server.listChanged('tools');
    await talk.awaitMessage('notifications/tools/list_changed');
    const tagged = talk.heard.filter(({ params }) => params?._meta?.[tag] === id);
    proves('2026-07-28/subscriptions/acknowledged-is-first-subscription-message', () =>
      expect(tagged[0].method).toBe('notifications/subscriptions/acknowledged'),
    );
    proves('2026-07-28/subscriptions/nothing-sent-before-acknowledged', () =>
      expect(talk.heard[0].method).toBe('notifications/subscriptions/acknowledged'),
    );
    proves('2026-07-28/subscriptions/listen-notifications-carry-subscription-id', () =>
      expect(tagged).toHaveLength(talk.heard.length),
    );
    proves('2026-07-28/subscriptions/subscription-id-is-listen-request-id', () =>
      expect(agreed._meta[tag]).toBe(id),
    );
  },
);

over(stateless, 'a string id stays a string', async ({ open, proves }) => {
  const talk = await open();
  talk.say(talk.line('7', 'subscriptions/listen', { notifications: {} }));
  const { params } = await talk.awaitMessage('notifications/subscriptions/acknowledged');
  proves('2026-07-28/subscriptions/subscription-id-is-listen-request-id', () =>
    expect(params._meta[tag]).toBe('7'),
  );
});

over(stateless, 'only requested and supported changes are notified', async ({ open, proves }) => {
  const stage = new Stage();
  const server = fixture(stage, { listChanges: { tools: true, resources: true } });
  const talk = await open(server);
  const { agreed } = await listen(talk, {
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: ['memo://today', 'other://x'],
  });
  proves('2026-07-28/subscriptions/acknowledgment-lists-honored-subset', () =>
    expect(agreed.notifications).toEqual({ toolsListChanged: true, resourceSubscriptions: ['memo://today'] }),
  );
  server.listChanged('prompts');
  server.listChanged('resources');
  stage.touch('memo://bytes');
  const unasked = await talk.settled();
  proves('2026-07-28/subscriptions/only-requested-notification-types-sent', () =>
    expect(unasked).toEqual([]),
  );
  proves('2026-07-28/subscriptions/omitted-filter-field-means-no-subscription', () =>
    expect(unasked.filter(({ method }) => method === 'notifications/resources/list_changed')).toEqual([]),
  );
  const silent = await open(server);
  await listen(silent, {});
  server.listChanged('tools');
  stage.touch('memo://today');
  const nothing = await silent.settled();
  proves('2026-07-28/subscriptions/resource-updates-need-a-listen-stream', () => expect(nothing).toEqual([]));
});

over(stateless, 'an invalid filter is refused', async ({ open }) => {
  const talk = await open();
  const codes: unknown[] = [];
  for (const notifications of [
    undefined,
    [],
    { toolsListChanged: 'yes' },
    { resourceSubscriptions: 'memo://today' },
    { resourceSubscriptions: [7] },
  ])
    codes.push((await talk.request('subscriptions/listen', { notifications })).error?.code);
  expect(codes).toEqual(codes.map(() => -32602));
});

over(stateless, 'a cancelled stream ends, the others continue', async ({ open, proves }) => {
  const stage = new Stage();
  const server = fixture(stage);
  const talk = await open(server);
  const [first, second] = [await listen(talk, filter), await listen(talk, filter)];
  talk.notify('notifications/cancelled', { requestId: first.id });
  await talk.settled();
  server.listChanged('tools');
  stage.touch('memo://today');
  const received = await talk.settled();
  proves('2026-07-28/stateless/listen-state-scoped-to-its-request', () =>
    expect(received.map(({ params }) => params._meta[tag])).toEqual([second.id, second.id]),
  );
  expect(stage.watchers('memo://today')).toBe(1);
});

over(stateless, 'the server answers the request of a stream that it ends', async ({ open, proves }) => {
  const stage = new Stage();
  const server = fixture(stage);
  const talk = await open(server);
  const { id } = await listen(talk, filter);
  const received = await talk.finish();
  const answer = received.find((message) => message.id === id && message.method === undefined);
  proves('2026-07-28/subscriptions/server-teardown-sends-listen-result', () =>
    expect(answer?.result).toBeDefined(),
  );
  proves('2026-07-28/subscriptions/closing-result-carries-subscription-id', () =>
    expect([answer.result.resultType, answer.result._meta[tag]]).toEqual(['complete', id]),
  );
  const again = await open(server);
  server.listChanged('tools');
  const nothing = await again.settled();
  proves('2026-07-28/subscriptions/no-subscription-state-across-reconnections', () =>
    expect([nothing, stage.watchers('memo://today')]).toEqual([[], 0]),
  );
});
