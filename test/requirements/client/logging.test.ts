import { expect } from 'vitest';
import { all, handshake } from '../revisions.ts';
import { over } from './world.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

over(
  all,
  'log messages of every level reach the listeners, malformed ones do not',
  async ({ script, proves, stateless: modern }) => {
    const server = script({
      capabilities: { logging: {}, tools: {} },
      answers: { 'tools/list': () => server.done({ tools: [] }), 'logging/setLevel': {} },
    });
    const client = await server.connect();
    const heard: string[] = [];
    const stop = client.onLog(({ level, data, logger }) =>
      heard.push(`${level} ${JSON.stringify(data)} ${logger}`),
    );
    for (const level of levels)
      server.say({ method: 'notifications/message', params: { level, data: { n: 1 }, logger: 'l' } });
    server.say({ method: 'notifications/message', params: { level: 'loud', data: 'x' } });
    server.say({ method: 'notifications/message', params: { level: 'info' } });
    server.say({ method: 'notifications/message', params: { data: 'x' } });
    await client.listTools();
    proves('2024-11-05/logging/levels-are-the-rfc-5424-set', () =>
      expect(heard).toEqual(levels.map((level) => `${level} {"n":1} l`)),
    );
    proves('2024-11-05/logging/data-fields-validated', () => expect(heard).toHaveLength(8));
    stop();
    server.say({ method: 'notifications/message', params: { level: 'info', data: 'late' } });
    await client.listTools({ fresh: true });
    proves('2024-11-05/logging/log-access-controlled', () =>
      expect([heard.length, server.faults]).toEqual([8, []]),
    );
    await expect(client.setLogLevel('loud' as never)).rejects.toThrow('is not a log level');
    await client.setLogLevel('error');
    await client.listTools({ fresh: true });
    const level = modern
      ? server.heard.at(-1).params._meta['io.modelcontextprotocol/logLevel']
      : server.all('logging/setLevel')[0].params.level;
    expect(level).toBe('error');
  },
);

over(handshake, 'log messages before initialized are received', async ({ script, proves }) => {
  const server = script({
    answers: {
      initialize: ({ params }) => {
        server.say({ method: 'notifications/message', params: { level: 'info', data: 'starting' } });
        return {
          protocolVersion: params.protocolVersion,
          capabilities: { logging: {} },
          serverInfo: { name: 's', version: '1' },
        };
      },
    },
  });
  const heard: unknown[] = [];
  await server.connect({ onNotification: (method, params) => heard.push([method, params.data]) });
  proves('2024-11-05/logging/messages-allowed-before-initialized', () =>
    expect(heard).toEqual([['notifications/message', 'starting']]),
  );
});
