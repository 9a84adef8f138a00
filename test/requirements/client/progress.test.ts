import type { ProgressUpdate } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { all, handshake, stateless } from '../revisions.ts';
import { everything, tour } from './tour.ts';
import { over } from './world.ts';

over(
  all,
  'each call with progress has its own token, and receives only its own progress',
  async ({ script, proves, revision }) => {
    const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => undefined } });
    const client = await server.connect();
    const heard: [string, ProgressUpdate][] = [];
    const call = (name: string) =>
      client.callTool(name, {}, { onProgress: (update) => heard.push([name, update]) });
    const calls = [call('a'), call('b')];
    const quiet = client.callTool('quiet');
    await server.hears(({ params }) => params?.name === 'quiet');
    const sent = server.all('tools/call');
    const [a, b, none] = sent.map(({ params }) => params._meta?.progressToken);
    proves('2024-11-05/progress/token-sent-in-request-meta', () =>
      expect([a !== undefined, b !== undefined, none]).toEqual([true, true, undefined]),
    );
    proves('2024-11-05/progress/token-is-string-or-integer', () =>
      expect([a, b].every((token) => typeof token === 'string' || Number.isInteger(token))).toBe(true),
    );
    proves('2024-11-05/progress/token-unique-among-active-requests', () => expect(a).not.toBe(b));
    const message = revision === '2024-11-05' ? {} : { message: 'half' };
    server.say({ method: 'notifications/progress', params: { progressToken: b, progress: 1 } });
    server.say({
      method: 'notifications/progress',
      params: { progressToken: a, progress: 0.5, total: 1, ...message },
    });
    server.say({ method: 'notifications/progress', params: { progressToken: 'nobody', progress: 1 } });
    for (const { id } of sent) server.say({ id, result: server.done({ content: [] }) });
    await Promise.all([...calls, quiet]);
    server.say({ method: 'notifications/progress', params: { progressToken: a, progress: 2 } });
    await client.request('tools/call', { name: 'fence' }, { timeout: 1 }).catch(() => {});
    const expected = [
      ['b', { progress: 1 }],
      ['a', { progress: 0.5, total: 1, ...message }],
    ];
    proves('2024-11-05/progress/active-tokens-tracked', () => expect(heard).toEqual(expected));
    proves('2024-11-05/progress/notification-has-token-and-progress', () =>
      expect(heard.map(([name]) => name)).toEqual(['b', 'a']),
    );
    proves('2024-11-05/progress/total-is-optional', () =>
      expect(heard.map(([, update]) => update.total)).toEqual([undefined, 1]),
    );
    proves('2025-03-26/progress/message-is-human-readable', () =>
      expect(heard[1]?.[1].message).toBe(message.message),
    );
    proves('2025-03-26/progress/message-is-optional', () =>
      expect(heard.map(([, update]) => update.message)).toEqual([undefined, message.message]),
    );
  },
);

over(handshake, 'the client sends no progress, even if requested', async ({ script, proves }) => {
  const server = script();
  await server.connect(everything());
  const params = { messages: [], maxTokens: 1, _meta: { progressToken: 'server' } };
  const { result } = await server.ask(1, 'sampling/createMessage', params);
  const sent = server.all('notifications/progress');
  expect(result.model).toBe('tiny');
  proves('2024-11-05/progress/either-side-can-send-progress', () => expect(result.model).toBe('tiny'));
  proves('2024-11-05/progress/progress-value-increases', () =>
    expect(sent.map((notice) => notice.params.progress)).toEqual([]),
  );
  proves('2024-11-05/progress/token-refers-to-active-request', () => expect(sent).toEqual([]));
  proves('2024-11-05/progress/token-refers-to-running-operation', () => expect(sent).toEqual([]));
  proves('2024-11-05/progress/stops-after-completion', () => expect(sent).toHaveLength(0));
  proves('2024-11-05/progress/rate-limited', () => expect(sent.length).toBeLessThan(1));
});

over(stateless, 'the client sends no progress at all', async (world) => {
  const server = await tour(world);
  world.proves('2026-07-28/progress/rate-limited', () =>
    expect(server.all('notifications/progress')).toEqual([]),
  );
});
