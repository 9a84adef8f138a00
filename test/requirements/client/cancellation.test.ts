import type { ConnectionError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { all, handshake, stateless } from '../revisions.ts';
import { everything } from './tour.ts';
import { over } from './world.ts';

over(
  all,
  'an aborted call is cancelled by its id, once, and its late response is ignored',
  async ({ script, proves, stateless: modern }) => {
    const server = script({
      capabilities: { tools: {} },
      answers: {
        'tools/call': ({ params }) => (params.name === 'quick' ? server.done({ content: [] }) : undefined),
      },
    });
    const client = await server.connect();
    const done = new AbortController();
    await client.callTool('quick', {}, { signal: done.signal });
    done.abort();
    const controller = new AbortController();
    const call = client
      .callTool('slow', {}, { signal: controller.signal })
      .catch((error: ConnectionError) => error.reason);
    const { id } = await server.hears(({ params }) => params?.name === 'slow');
    controller.abort();
    const { params } = await server.awaitMessage('notifications/cancelled');
    proves('2024-11-05/cancellation/notification-names-request-id', () => expect(params.requestId).toBe(id));
    proves('2024-11-05/cancellation/reason-is-optional', () => expect(params.reason).toBeTypeOf('string'));
    proves('2024-11-05/cancellation/either-side-can-cancel', () =>
      expect(server.all('notifications/cancelled')).toHaveLength(1),
    );
    proves('2026-07-28/cancellation/stdio-cancellation-uses-notification', () =>
      expect(server.heard.at(-1).method).toBe('notifications/cancelled'),
    );
    proves('2026-07-28/cancellation/cancellation-sent-for-unwanted-request', () =>
      expect(params.requestId).toBe(id),
    );
    server.say({ id, result: server.done({ content: [{ type: 'text', text: 'late' }] }) });
    const reason = await call;
    await client.callTool('quick');
    proves('2024-11-05/cancellation/sender-ignores-late-response', () =>
      expect([reason, server.faults]).toEqual(['cancelled', []]),
    );
    proves('2024-11-05/cancellation/late-arrival-races-handled', () =>
      expect(server.all('tools/call')).toHaveLength(3),
    );
    const named = server.all('notifications/cancelled').map((notice) => notice.params.requestId);
    const own = server.all('tools/call').map((call) => call.id);
    proves('2024-11-05/cancellation/only-own-direction-requests', () => expect(own).toContain(named[0]));
    proves('2024-11-05/cancellation/only-in-progress-requests', () => expect(named).toEqual([id]));
    proves('2024-11-05/cancellation/request-should-be-in-flight-schema', () => expect(named).toHaveLength(1));
    expect(modern).toBe(server.all('initialize').length === 0);
  },
);

over(handshake, 'initialize is not cancelled', async ({ script, proves }) => {
  const server = script({ answers: { initialize: undefined } });
  const controller = new AbortController();
  const connecting = server
    .connect({ signal: controller.signal })
    .catch((error: ConnectionError) => error.reason);
  await server.awaitMessage('initialize');
  controller.abort();
  const reason = await connecting;
  proves('2024-11-05/cancellation/initialize-not-cancelled', () => {
    expect(reason).toBe('cancelled');
    expect(server.heard.map(({ method }) => method)).toEqual(['initialize']);
  });
});

over(
  handshake,
  'a request that the server cancels is dropped without a response',
  async ({ script, proves }) => {
    const server = script();
    let aborted: unknown;
    let asked = (): void => {};
    const started = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const createMessage = (_params: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = signal.reason;
          reject(signal.reason as Error);
        });
        asked();
      });
    await server.connect({ ...everything(), sampling: createMessage });
    const question = { messages: [], maxTokens: 1 };
    server.say({ id: 'held', method: 'sampling/createMessage', params: question });
    await started;
    server.say({ method: 'notifications/cancelled', params: { requestId: 'unknown' } });
    server.say({ method: 'notifications/cancelled', params: {} });
    server.say({ method: 'notifications/cancelled', params: { requestId: [1] } });
    await server.ask('first fence', 'ping');
    proves('2024-11-05/cancellation/unknown-request-id-ignored', () => expect(aborted).toBeUndefined());
    proves('2024-11-05/cancellation/malformed-notification-ignored', () =>
      expect([aborted, server.faults]).toEqual([undefined, []]),
    );
    server.say({ method: 'notifications/cancelled', params: { requestId: 'held', reason: 'too slow' } });
    await server.ask('second fence', 'ping');
    proves('2024-11-05/cancellation/receiver-stops-processing', () =>
      expect((aborted as ConnectionError).reason).toBe('cancelled'),
    );
    proves('2024-11-05/cancellation/reasons-logged', () =>
      expect((aborted as Error).message).toBe('too slow'),
    );
    proves('2024-11-05/cancellation/no-response-to-cancelled-request', () =>
      expect(server.heard.filter(({ id }) => id === 'held')).toEqual([]),
    );
    const again = await server.ask('held', 'roots/list');
    proves('2024-11-05/cancellation/receiver-frees-resources', () =>
      expect(again.result.roots).toHaveLength(1),
    );
    server.say({ method: 'notifications/cancelled', params: { requestId: 'held' } });
    const { result } = await server.ask('third fence', 'ping');
    proves('2024-11-05/cancellation/completed-request-ignored', () =>
      expect([result, server.faults]).toEqual([{}, []]),
    );
  },
);

over(
  stateless,
  'a cancellation of the server without a subscription is ignored',
  async ({ script, proves }) => {
    const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => undefined } });
    const client = await server.connect();
    const call = client.callTool('slow');
    const { id } = await server.awaitMessage('tools/call');
    server.say({ method: 'notifications/cancelled', params: { requestId: 'unknown' } });
    server.say({ method: 'notifications/cancelled', params: {} });
    server.say({ method: 'notifications/cancelled', params: { requestId: server.heard[0].id } });
    server.say({ id, result: server.done({ content: [] }) });
    const { content } = await call;
    proves('2026-07-28/cancellation/unknown-request-id-ignored', () =>
      expect([content, server.faults]).toEqual([[], []]),
    );
    proves('2026-07-28/cancellation/malformed-notification-ignored', () => expect(server.faults).toEqual([]));
    proves('2026-07-28/cancellation/completed-request-ignored', () => expect(server.ended).toBe(false));
  },
);

over(stateless, 'the reason of the end of a subscription is reported', async ({ script, proves }) => {
  const heard: unknown[] = [];
  const server = script({
    capabilities: { tools: { listChanged: true } },
    answers: { 'subscriptions/listen': undefined },
  });
  const client = await server.connect({ onNotification: (method, params) => heard.push([method, params]) });
  const opening = client.subscribe({ toolsListChanged: true }, () => {});
  const { id, params } = await server.awaitMessage('subscriptions/listen');
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  server.say({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: params.notifications, _meta },
  });
  const subscription = await opening;
  const cancelled = { requestId: id, reason: 'closing down' };
  server.say({ method: 'notifications/cancelled', params: cancelled });
  await subscription.ended;
  proves('2024-11-05/cancellation/reasons-logged', () =>
    expect(heard.at(-1)).toEqual(['notifications/cancelled', cancelled]),
  );
});
