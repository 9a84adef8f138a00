import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { over } from './world.ts';

const progressOf = (messages: Message[]): Message[] =>
  messages.filter(({ method }) => method === 'notifications/progress');

over(all, 'progress has the token of its request and rises', async ({ open, proves, revision }) => {
  const talk = await open();
  await talk.call('steps', { values: [1, 5, 5, 3, 7] }, { progressToken: 'first' });
  const quick = progressOf(talk.heard);
  proves('2024-11-05/progress/rate-limited', () =>
    expect(quick.map(({ params }) => params.progress)).toEqual([1]),
  );
  // a value that reaches its total is sent at once
  await talk.call('steps', { values: [2, 9, 9, 4], total: 9 }, { progressToken: 7 });
  const [first, last, ...more] = progressOf(talk.heard).slice(1);
  proves('2024-11-05/progress/token-sent-in-request-meta', () => expect(first.params.progressToken).toBe(7));
  proves('2024-11-05/progress/notification-has-token-and-progress', () =>
    expect([first, last].map(({ params }) => [params.progressToken, params.progress])).toEqual([
      [7, 2],
      [7, 9],
    ]),
  );
  proves('2024-11-05/progress/progress-value-increases', () =>
    expect([last.params.progress > first.params.progress, more]).toEqual([true, []]),
  );
  proves('2024-11-05/progress/total-is-optional', () =>
    expect([quick[0].params.total, last.params.total]).toEqual([undefined, 9]),
  );
  const message = revision === '2024-11-05' ? undefined : 'at 9';
  proves('2025-03-26/progress/message-is-optional', () => expect(last.params.message).toBe(message));
  proves('2025-03-26/progress/message-is-human-readable', () => expect(last.params.message).toBe(message));
});

over(all, 'progress is sent only if requested, and only while the request runs', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  await talk.call('steps', { values: [1, 2], total: 2 });
  const unasked = progressOf(talk.heard);
  proves('2024-11-05/progress/token-refers-to-active-request', () => expect(unasked).toEqual([]));
  const held = talk.start('tools/call', { name: 'hold', arguments: {} }, { progressToken: 'held' });
  await talk.settled();
  talk.notify('notifications/cancelled', { requestId: held });
  await talk.settled();
  stage.release();
  await talk.settled();
  proves('2024-11-05/progress/token-refers-to-running-operation', () =>
    expect(progressOf(talk.heard)).toEqual([]),
  );
});

over(all, 'progress ends with the call', async ({ open, proves }) => {
  const talk = await open();
  await talk.call('steps', { values: [1, 2], total: 2 }, { progressToken: 'a' });
  await talk.settled();
  const methods = talk.heard.map(
    ({ method, result }) => method ?? (result?.content?.[0]?.text === 'done' ? 'answer' : 'other'),
  );
  proves('2024-11-05/progress/stops-after-completion', () =>
    expect(methods.lastIndexOf('notifications/progress')).toBeLessThan(methods.indexOf('answer')),
  );
});

over(all, 'concurrent calls have separate tokens', async ({ open, proves }) => {
  const talk = await open();
  const ids = ['a', 'b'].map((progressToken) =>
    talk.start('tools/call', { name: 'steps', arguments: { values: [3], total: 3 } }, { progressToken }),
  );
  for (const id of ids) await talk.answer(id);
  proves('2024-11-05/progress/active-tokens-tracked', () =>
    expect(progressOf(talk.heard).map(({ params }) => params.progressToken)).toEqual(['a', 'b']),
  );
});

over(all, 'a token that is neither string nor integer is refused', async ({ open, proves }) => {
  const talk = await open();
  const answers = [
    await talk.call('echo', { text: 'x' }, { progressToken: 1.5 }),
    await talk.call('echo', { text: 'x' }, { progressToken: {} }),
  ];
  proves('2024-11-05/progress/token-is-string-or-integer', () =>
    expect(answers.map(({ error }) => error?.code)).toEqual([-32602, -32602]),
  );
});

over(handshake, 'the server receives progress as well as sending it', async ({ open, proves }) => {
  const talk = await open();
  talk.notify('notifications/progress', { progressToken: 1, progress: 1 });
  const received = await talk.settled();
  await talk.call('steps', { values: [1], total: 1 }, { progressToken: 'own' });
  proves('2024-11-05/progress/either-side-can-send-progress', () =>
    expect([received, progressOf(talk.heard).length]).toEqual([[], 1]),
  );
  proves('2024-11-05/progress/token-is-string-or-integer', () =>
    expect(progressOf(talk.heard)[0].params.progressToken).toBe('own'),
  );
});

over(
  between('2024-11-05', '2025-11-25'),
  'the server requests no progress, so it uses no token twice',
  async ({ open, proves }) => {
    const talk = await open(undefined, { capabilities: { sampling: {} } });
    await talk.settleCall('think', {}, () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'x' },
    }));
    const asked = talk.heard.filter(({ method }) => method === 'sampling/createMessage');
    proves('2024-11-05/progress/token-unique-among-active-requests', () =>
      expect(asked.map(({ params }) => params._meta?.progressToken)).toEqual([undefined]),
    );
  },
);

over(stateless, 'progress of a client is ignored', async ({ open, proves }) => {
  const talk = await open();
  talk.notify('notifications/progress', { progressToken: 1, progress: 1 });
  const received = await talk.settled();
  await talk.call('steps', { values: [1], total: 1 }, { progressToken: 'own' });
  proves('2026-07-28/progress/only-the-server-sends-progress', () =>
    expect([received.length, progressOf(talk.heard).length]).toEqual([0, 1]),
  );
});
