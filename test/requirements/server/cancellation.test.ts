import { createServer, roots, timed, tool } from '@rootbound/protocol';
import { expect, vi } from 'vitest';
import * as z from 'zod';
import { all, handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { everything, person, tour } from './tour.ts';
import { over, shakeHands } from './world.ts';

over(all, 'a cancelled call is aborted, dropped and not answered', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  const id = talk.start('tools/call', { name: 'hold', arguments: { text: 'held' } }, { progressToken: 'p' });
  talk.notify('notifications/cancelled', { requestId: id, reason: 'changed my mind' });
  await talk.settled();
  proves('2024-11-05/cancellation/receiver-stops-processing', () => expect(stage.aborted).toEqual(['held']));
  proves('2024-11-05/cancellation/either-side-can-cancel', () => expect(stage.aborted).toHaveLength(1));
  proves('2026-07-28/cancellation/cancelled-work-stops-soon', () => expect(stage.aborted).toContain('held'));
  stage.release();
  await talk.settled();
  const received = talk.heard.filter((message) => message.id === id || message.params?.progressToken === 'p');
  proves('2024-11-05/cancellation/no-response-to-cancelled-request', () => expect(received).toEqual([]));
  proves('2026-07-28/cancellation/no-further-messages-for-cancelled-request', () => {
    expect(received).toEqual([]);
    expect(talk.heard.filter(({ method }) => method === 'notifications/message')).toEqual([]);
  });
  // the id can be used again, so nothing is kept of the cancelled request
  const again = await talk.ask(talk.line(id, 'tools/call', { name: 'echo', arguments: { text: 'again' } }));
  proves('2024-11-05/cancellation/receiver-frees-resources', () =>
    expect(again.result.content[0].text).toBe('again'),
  );
});

over(all, 'a cancellation needs no reason', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  const [plain, withId] = ['plain', 'told'].map((text) =>
    talk.start('tools/call', { name: 'hold', arguments: { text } }),
  );
  talk.notify('notifications/cancelled', { requestId: plain });
  talk.notify('notifications/cancelled', { requestId: withId, reason: 'enough' });
  await talk.settled();
  proves('2024-11-05/cancellation/reason-is-optional', () =>
    expect(stage.aborted).toEqual(['plain', 'told']),
  );
  proves('2024-11-05/cancellation/notification-names-request-id', () =>
    expect(stage.ran).toEqual(['hold plain', 'hold told']),
  );
});

over(all, 'a late or invalid cancellation has no effect', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  const { id } = await talk.call('echo', { text: 'done' });
  const held = talk.start('tools/call', { name: 'hold', arguments: { text: 'held' } });
  talk.notify('notifications/cancelled', { requestId: id });
  const finished = await talk.settled();
  proves('2024-11-05/cancellation/completed-request-ignored', () =>
    expect([finished, stage.aborted]).toEqual([[], []]),
  );
  proves('2024-11-05/cancellation/late-arrival-races-handled', () => expect(finished).toHaveLength(0));
  talk.notify('notifications/cancelled', { requestId: 'nobody' });
  const unknown = await talk.settled();
  proves('2024-11-05/cancellation/unknown-request-id-ignored', () =>
    expect([unknown, stage.aborted]).toEqual([[], []]),
  );
  talk.notify('notifications/cancelled');
  talk.notify('notifications/cancelled', {});
  talk.notify('notifications/cancelled', { requestId: { id: held } });
  const malformed = await talk.settled();
  proves('2024-11-05/cancellation/malformed-notification-ignored', () =>
    expect([malformed, stage.aborted]).toEqual([[], []]),
  );
  stage.release();
  expect((await talk.answer(held)).result.content[0].text).toBe('held');
});

over(handshake, 'requests of a cancelled call are cancelled, and no others', async ({ open, proves }) => {
  const talk = await open(undefined, { capabilities: everything });
  talk.reply((await talk.awaitMessage('roots/list')).id, { roots: [] });
  await talk.settleCall('think', {}, person);
  const id = talk.start('tools/call', { name: 'think', arguments: {} });
  const question = await talk.awaitMessage('sampling/createMessage');
  talk.notify('notifications/cancelled', { requestId: id, reason: 'never mind' });
  const cancelled = await talk.awaitMessage('notifications/cancelled');
  await talk.settled();
  const named = talk.heard
    .filter(({ method }) => method === 'notifications/cancelled')
    .map(({ params }) => params.requestId);
  proves('2024-11-05/cancellation/only-own-direction-requests', () => expect(named).toEqual([question.id]));
  proves('2024-11-05/cancellation/only-in-progress-requests', () => expect(named).toHaveLength(1));
  proves('2024-11-05/cancellation/request-should-be-in-flight-schema', () =>
    expect(cancelled.params.requestId).toBe(question.id),
  );
  proves('2024-11-05/cancellation/notification-names-request-id', () =>
    expect(cancelled.params.requestId).toBe(question.id),
  );
  proves('2024-11-05/cancellation/either-side-can-cancel', () =>
    expect(cancelled.params.reason).toBeTypeOf('string'),
  );
  talk.reply(question.id, person(question));
  const late = await talk.settled();
  proves('2024-11-05/cancellation/sender-ignores-late-response', () => expect(late).toEqual([]));
});

over(
  handshake,
  'a request that the client does not answer times out and is cancelled',
  async ({ raw, proves }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const talk = raw();
      await shakeHands(talk, { roots: {} });
      talk.notify('notifications/initialized');
      const question = await talk.awaitMessage('roots/list');
      await vi.advanceTimersByTimeAsync(11_000);
      await talk.settled();
      const cancelled = talk.heard.find(({ method }) => method === 'notifications/cancelled');
      proves('2024-11-05/lifecycle/all-requests-have-timeouts', () =>
        expect(cancelled?.params.requestId).toBe(question.id),
      );
      proves('2025-03-26/lifecycle/timeout-sends-cancellation', () =>
        expect(cancelled?.params.requestId).toBe(question.id),
      );
      proves('2025-03-26/lifecycle/timeout-stops-waiting', () =>
        expect(cancelled?.params.reason).toContain('no response within'),
      );
      proves('2025-03-26/lifecycle/handles-request-timeouts', () =>
        expect(cancelled.method).toBe('notifications/cancelled'),
      );
      talk.reply(question.id, { roots: [{ uri: 'file:///late' }] });
      const alive = await talk.request('ping');
      expect(alive.result).toEqual({});
    } finally {
      vi.useRealTimers();
    }
  },
);

over(
  stateless,
  'the end of a subscription is notified with the id of its request, and nothing else is cancelled',
  async ({ open, proves }) => {
    const talk = await open();
    await talk.call('echo', { text: 'x' });
    const id = talk.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await talk.awaitMessage('notifications/subscriptions/acknowledged');
    const received = await talk.finish();
    const cancelled = received.filter(({ method }) => method === 'notifications/cancelled');
    proves('2026-07-28/cancellation/subscription-teardown-sends-cancelled', () =>
      expect(cancelled.map(({ params }) => params.requestId)).toEqual([id]),
    );
    proves('2026-07-28/cancellation/server-cancels-only-subscriptions', () =>
      expect(cancelled).toHaveLength(1),
    );
    proves('2026-07-28/cancellation/only-in-progress-requests', () =>
      expect(cancelled[0].params.requestId).toBe(id),
    );
    proves('2026-07-28/cancellation/cancel-names-the-request-id', () =>
      expect(cancelled[0].params).toHaveProperty('requestId', id),
    );
    proves('2026-07-28/cancellation/reason-is-optional', () =>
      expect(cancelled[0].params.reason).toBeTypeOf('string'),
    );
  },
);

over(all, 'the reason of a cancellation reaches the handler', async ({ open, proves }) => {
  const reasons: string[] = [];
  const hold = tool({
    name: 'hold',
    description: 'Waits.',
    input: z.object({}),
    run: (_args, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push((signal.reason as Error).message);
          reject(signal.reason as Error);
        });
      }),
  });
  const later = tool({ name: 'later', description: 'Answers.', input: z.object({}), run: () => 'now' });
  const talk = await open(createServer({ name: 's', version: '1', tools: [hold, later] }));
  const id = talk.start('tools/call', { name: 'hold', arguments: {} });
  talk.notify('notifications/cancelled', { requestId: id, reason: 'the user pressed escape' });
  await talk.settled();
  proves('2024-11-05/cancellation/reasons-logged', () =>
    expect(reasons).toEqual(['the user pressed escape']),
  );
});

over(
  handshake,
  'a request to the client has its own timeout, whatever the progress',
  async ({ open, proves }) => {
    const where = tool({
      name: 'where',
      description: 'Asks.',
      input: z.object({}),
      ask: async (_args, ask) => (await ask({ folders: timed(roots(), 500) })).folders,
      run: () => 'x',
    });
    const talk = await open(createServer({ name: 's', version: '1', tools: [where] }), {
      capabilities: everything,
    });
    talk.reply((await talk.awaitMessage('roots/list')).id, { roots: [] });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const call = talk.start('tools/call', { name: 'where', arguments: {} });
      const question = await talk.awaitMessage('roots/list');
      await vi.advanceTimersByTimeAsync(400);
      talk.notify('notifications/progress', { progressToken: question.id, progress: 1 });
      await vi.advanceTimersByTimeAsync(101);
      const { result } = await talk.answer(call);
      proves('2025-03-26/lifecycle/timeouts-configurable-per-request', () =>
        expect(result.content[0].text).toContain('had no response within 500 ms'),
      );
      proves('2025-03-26/lifecycle/maximum-timeout-enforced', () => expect(result.isError).toBe(true));
    } finally {
      vi.useRealTimers();
    }
  },
);

over(stateless, 'the server sends no requests, so none can wait without a timeout', async (world) => {
  const { heard } = await tour(world);
  const { proves } = world;
  const sent = heard.filter(({ id, method }) => id !== undefined && method !== undefined);
  proves('2026-07-28/cancellation/all-requests-have-timeouts', () => expect(sent).toEqual([]));
  proves('2026-07-28/cancellation/timeout-stops-waiting', () => expect(sent).toEqual([]));
  proves('2026-07-28/cancellation/timeouts-configurable-per-request', () => expect(sent).toEqual([]));
  proves('2026-07-28/cancellation/maximum-timeout-enforced', () => expect(sent).toEqual([]));
});
