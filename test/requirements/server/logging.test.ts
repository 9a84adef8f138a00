import { createServer, tool } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { all, handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { Talk } from './talk.ts';
import { over, shakeHands } from './world.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const logLevel = 'io.modelcontextprotocol/logLevel';
const logsOf = (messages: Message[]): Message[] =>
  messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);

over(handshake, 'a server with logging declares it', async ({ raw, proves }) => {
  const { result } = await shakeHands(raw());
  proves('2024-11-05/logging/declares-capability', () => expect(result.capabilities.logging).toEqual({}));
});

over(stateless, 'a server with logging declares it in discover', async ({ open, proves }) => {
  const { result } = await (await open()).request('server/discover');
  proves('2026-07-28/logging/declares-capability', () => expect(result.capabilities.logging).toEqual({}));
});

/** Sets the level of later calls with the method of the era. */
async function setLevel(talk: Talk, modern: boolean, level: string): Promise<object> {
  if (modern) return { [logLevel]: level };
  await talk.request('logging/setLevel', { level });
  return {};
}

over(
  all,
  'messages at and above the level are sent, those below are not',
  async ({ open, proves, stateless: modern }) => {
    const heard: string[][] = [];
    for (const threshold of levels) {
      const talk = await open();
      const meta = await setLevel(talk, modern, threshold);
      for (const level of levels) await talk.call('say', { level, data: level }, meta);
      heard.push(logsOf(talk.heard).map((log) => log.level));
    }
    proves('2024-11-05/logging/levels-are-the-rfc-5424-set', () => expect(heard[0]).toEqual(levels));
    proves('2024-11-05/logging/messages-at-and-above-level-sent', () =>
      expect(heard[3]).toEqual(levels.slice(3)),
    );
    proves('2024-11-05/logging/messages-below-level-suppressed', () =>
      expect(heard.map((list) => list[0])).toEqual(levels),
    );
  },
);

over(
  all,
  'a message has a level and data, and optionally a logger',
  async ({ open, proves, stateless: modern }) => {
    const talk = await open();
    const meta = await setLevel(talk, modern, 'debug');
    await talk.call('say', { level: 'error', data: { disk: 'full', free: 0 }, logger: 'store' }, meta);
    await talk.call('say', { level: 'info', data: ['a', null, 7] }, meta);
    await talk.call('say', { level: 'info', data: 'again', logger: 'store' }, meta);
    const [first, second, third] = logsOf(talk.heard);
    proves('2024-11-05/logging/notification-has-level-and-data', () =>
      expect(second).toEqual({ level: 'info', data: ['a', null, 7] }),
    );
    proves('2024-11-05/logging/logger-name-is-optional', () =>
      expect([first.logger, second.logger]).toEqual(['store', undefined]),
    );
    proves('2024-11-05/logging/data-has-relevant-context', () =>
      expect(first.data).toEqual({ disk: 'full', free: 0 }),
    );
    proves('2024-11-05/logging/logger-names-consistent', () => expect(third.logger).toBe(first.logger));
  },
);

over(handshake, 'the level is set by a request, and an unknown one is refused', async ({ open, proves }) => {
  const talk = await open();
  const set = await talk.request('logging/setLevel', { level: 'warning' });
  proves('2024-11-05/logging/set-level-returns-empty-result', () => expect(set.result).toEqual({}));
  const wrong = [
    await talk.request('logging/setLevel', { level: 'loud' }),
    await talk.request('logging/setLevel', {}),
  ];
  proves('2024-11-05/logging/invalid-level-error-32602', () =>
    expect(wrong.map(({ error }) => error.code)).toEqual([-32602, -32602]),
  );
  await talk.call('say', { level: 'info', data: 'x' });
  proves('2024-11-05/logging/data-fields-validated', () => expect(logsOf(talk.heard)).toEqual([]));
});

over(
  stateless,
  'the level is that of the request: none sends nothing, an unknown one is refused',
  async ({ open, proves }) => {
    const stage = new Stage();
    const talk = await open(fixture(stage));
    await talk.call('say', { level: 'debug', data: 'x' }, { [logLevel]: 'debug' });
    const before = logsOf(talk.heard).length;
    await talk.call('say', { level: 'emergency', data: 'x' });
    proves('2026-07-28/logging/no-log-without-requested-level', () =>
      expect([before, logsOf(talk.heard).length]).toEqual([1, 1]),
    );
    const { error } = await talk.call('echo', { text: 'x' }, { [logLevel]: 'loud' });
    proves('2026-07-28/logging/invalid-log-level-in-meta-error-32602', () => expect(error.code).toBe(-32602));
    proves('2026-07-28/logging/data-fields-validated', () => expect(stage.ran).toEqual([]));
  },
);

over(stateless, 'a message goes to the stream of its request and to no other', async ({ open, proves }) => {
  const server = fixture();
  const [talk, other] = [await open(server), await open(server)];
  for (const each of [talk, other]) {
    each.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    await each.awaitMessage('notifications/subscriptions/acknowledged');
  }
  await talk.call('say', { level: 'error', data: 'x' }, { [logLevel]: 'debug' });
  await other.settled();
  const [log] = logsOf(talk.heard);
  proves('2026-07-28/logging/log-not-delivered-on-other-streams', () =>
    expect([log._meta, logsOf(other.heard)]).toEqual([undefined, []]),
  );
});

over(all, 'log messages go to their own connection only', async ({ open, proves, stateless: modern }) => {
  const server = fixture();
  const [talk, other] = [await open(server), await open(server)];
  const meta = await setLevel(talk, modern, 'debug');
  await setLevel(other, modern, 'debug');
  await talk.call('say', { level: 'error', data: 'x' }, meta);
  await other.settled();
  proves('2024-11-05/logging/log-access-controlled', () =>
    expect([logsOf(talk.heard).length, logsOf(other.heard).length]).toEqual([1, 0]),
  );
});

over(all, 'log messages reveal no internal data', async ({ proves, revision, stateless: modern }) => {
  const secret = new Error('token=hunter2 of ann@example.com in /srv/app/config.json');
  const faults: unknown[] = [];
  const broken = tool({
    name: 'broken',
    description: 'Has a bug.',
    input: z.object({}),
    run: () => {
      throw secret;
    },
  });
  const server = createServer({
    name: 's',
    version: '1',
    onError: (error) => faults.push(error),
    tools: [broken],
  });
  const talk = new Talk(serveMemory(server, { principal: 'ann@example.com' }), revision, {});
  if (!modern) await shakeHands(talk);
  const meta = await setLevel(talk, modern, 'debug');
  await talk.call('broken', {}, meta);
  await talk.request('no/such/method', {}, meta);
  const text = talk.lines.join('\n');
  proves('2024-11-05/logging/no-credentials-in-messages', () => expect(text).not.toContain('hunter2'));
  proves('2024-11-05/logging/no-personal-data-in-messages', () => expect(text).not.toContain('ann@'));
  proves('2024-11-05/logging/no-attack-relevant-internals-in-messages', () =>
    expect(text).not.toMatch(/\/srv\/app|at .*\.ts/),
  );
  proves('2024-11-05/logging/sensitive-information-removed', () =>
    expect([faults, logsOf(talk.heard)]).toEqual([[secret], []]),
  );
});

over(
  all,
  'messages are dropped while the client does not read',
  async ({ proves, stateless: modern, revision }) => {
    let flooded = (): void => {};
    const logged = new Promise<void>((resolve) => {
      flooded = resolve;
    });
    const flood = tool({
      name: 'flood',
      description: 'Logs much.',
      input: z.object({}),
      run: async (_args, { log }) => {
        for (let count = 0; count < 5000; count++) {
          log('error', 'x'.repeat(1000));
          if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        flooded();
        return 'done';
      },
    });
    const end = serveMemory(createServer({ name: 's', version: '1', tools: [flood] }));
    const meta = modern
      ? {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientCapabilities': {},
          [logLevel]: 'debug',
        }
      : undefined;
    const say = (message: object) => end.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'slow', version: '1' };
    if (!modern)
      say({
        id: 0,
        method: 'initialize',
        params: { protocolVersion: revision, capabilities: {}, clientInfo },
      });
    say({ id: 1, method: 'tools/call', params: { name: 'flood', arguments: {}, _meta: meta } });
    await logged;
    const lines: string[] = [];
    await new Promise<void>((resolve) => {
      let rest = '';
      end.input.setEncoding('utf8').on('data', (text: string) => {
        const found = (rest + text).split('\n');
        rest = found.pop()!;
        lines.push(...found);
        if (found.some((line) => JSON.parse(line).id === 1)) resolve();
      });
    });
    const logs = lines.filter((line) => line.includes('notifications/message')).length;
    proves('2024-11-05/logging/server-rate-limits-messages', () => {
      expect(logs).toBeGreaterThan(100);
      expect(logs).toBeLessThan(2000);
    });
  },
);
