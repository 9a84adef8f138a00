import { PassThrough } from 'node:stream';
import { ServerStream } from '@rootbound/protocol/stdio';
import { expect } from 'vitest';
import { validateMessage } from '../../schema/validate.ts';
import type { Message } from '../message.ts';
import { all, handshake, stateless } from '../revisions.ts';
import { fixture } from './fixture.ts';
import { Talk } from './talk.ts';
import { everything, tour } from './tour.ts';
import { over, shakeHands } from './world.ts';

over(all, 'requests, results, errors and notifications are valid by the schema', async (world) => {
  const { heard } = await tour(world);
  const { proves, revision } = world;
  proves('2024-11-05/base/base-protocol-supported', () => {
    const forms = new Set(
      heard.map((message) =>
        'method' in message ? 'notification' : 'result' in message ? 'result' : 'error',
      ),
    );
    expect(forms).toEqual(new Set(['result', 'notification']));
  });
  proves('2024-11-05/base/schema-is-source-of-truth', () => {
    for (const message of heard) expect(() => validateMessage(revision, 'server', message)).not.toThrow();
  });
});

/** Creates a server on a custom transport of two streams. */
function custom(revision: (typeof all)[number], capabilities: object = {}): Talk {
  const [input, output] = [new PassThrough(), new PassThrough()];
  new ServerStream(fixture(), input, output);
  return new Talk({ input: output, output: input }, revision, capabilities);
}

over(all, 'a custom transport carries the same messages', async ({ proves, revision, stateless: modern }) => {
  const talk = custom(revision);
  if (!modern) {
    const { result } = await shakeHands(talk);
    proves('2024-11-05/base/custom-transport-keeps-lifecycle', () =>
      expect(result.protocolVersion).toBe(revision),
    );
    talk.notify('notifications/initialized');
  }
  const { result } = await talk.call('echo', { text: 'x' });
  proves('2024-11-05/base/custom-transport-keeps-message-format', () => {
    expect(JSON.parse(talk.lines.at(-1)!)).toMatchObject({ jsonrpc: '2.0', result });
    expect(result.content).toEqual([{ type: 'text', text: 'x' }]);
  });
  proves('2026-07-28/base/byte-stream-transport-reuses-stdio-framing', () =>
    expect(talk.lines.every((line) => !line.includes('\n'))).toBe(true),
  );
});

over(
  stateless,
  'a custom transport supports the facts of each request and all patterns',
  async ({ proves, revision }) => {
    const talk = custom(revision, { elicitation: { form: {} } });
    const wrong = await talk.ask(
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
    );
    proves('2026-07-28/base/custom-transport-keeps-per-request-metadata', () =>
      expect(wrong.error.code).toBe(-32602),
    );
    const asked = await talk.settleCall('deploy', { env: 'prod' }, () => ({
      action: 'accept',
      content: { confirm: true },
    }));
    talk.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const acknowledged = await talk.awaitMessage('notifications/subscriptions/acknowledged');
    proves('2026-07-28/base/custom-transport-keeps-message-patterns', () => {
      expect([asked.rounds.length, asked.answer.result.content[0].text]).toEqual([1, 'deployed']);
      expect(acknowledged.params.notifications).toEqual({ toolsListChanged: true });
    });
  },
);

over(stateless, 'versioning and the three patterns work', async (world) => {
  const { proves } = world;
  const talk = await world.open(undefined, { capabilities: everything });
  const discovered = await talk.request('server/discover');
  const foreign = await talk.request(
    'tools/list',
    {},
    { 'io.modelcontextprotocol/protocolVersion': '1999-01-01' },
  );
  proves('2026-07-28/base/versioning-supported', () => {
    expect(discovered.result.supportedVersions).toContain('2026-07-28');
    expect(foreign.error.data).toEqual({ supported: ['2026-07-28'], requested: '1999-01-01' });
  });
  const plain = await talk.call('echo', { text: 'x' });
  const rounds = await talk.settleCall('deploy', { env: 'x' }, () => ({
    action: 'accept',
    content: { confirm: false },
  }));
  const listen = talk.start('subscriptions/listen', { notifications: { promptsListChanged: true } });
  await talk.awaitMessage('notifications/subscriptions/acknowledged');
  talk.start('tools/call', { name: 'announce', arguments: { list: 'prompts' } });
  const changed = await talk.awaitMessage('notifications/prompts/list_changed');
  proves('2026-07-28/base/message-patterns-supported', () => {
    expect(plain.result.content[0].text).toBe('x');
    expect(rounds.answer.result.content[0].text).toBe('not deployed');
    expect(changed.params._meta['io.modelcontextprotocol/subscriptionId']).toBe(listen);
  });
});

over(
  stateless,
  'requests and notifications reach the server, answers and notifications the client, and no more',
  async (world) => {
    const { heard } = await tour(world);
    const { proves } = world;
    const requests = heard.filter(({ id, method }: Message) => method !== undefined && id !== undefined);
    proves('2026-07-28/base/binding-delivers-client-requests-and-notifications', () =>
      expect(heard.filter(({ result }) => result !== undefined).length).toBeGreaterThan(10),
    );
    proves('2026-07-28/base/binding-delivers-server-responses-and-notifications', () =>
      expect(heard.some(({ method }) => method === 'notifications/progress')).toBe(true),
    );
    proves('2026-07-28/base/no-other-message-direction', () => expect(requests).toEqual([]));
    proves('2026-07-28/base/server-initiates-no-requests', () => {
      expect(heard.length).toBeGreaterThan(20);
      expect(requests.map(({ method }) => method)).toEqual([]);
    });
  },
);

over(stateless, 'methods of the handshake are unknown', async ({ open, proves }) => {
  const talk = await open();
  const removed = [
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/list',
    'tasks/result',
  ];
  const codes: unknown[] = [];
  for (const method of removed) codes.push((await talk.request(method)).error?.code);
  proves('2026-07-28/base/removed-methods-answered-as-unknown', () =>
    expect(codes).toEqual(removed.map(() => -32601)),
  );
});

over(stateless, 'no extension is active unless requested', async ({ open, proves }) => {
  const talk = await open(undefined, { capabilities: { extensions: { 'com.example/odd': {} } } });
  const { result } = await talk.request('server/discover');
  const called = await talk.call('echo', { text: 'x' });
  proves('2026-07-28/base/extensions-are-opt-in', () => {
    expect(Object.keys(result.capabilities.extensions ?? {})).not.toContain('com.example/odd');
    expect(called.result.resultType).toBe('complete');
  });
});

over(handshake, 'sessions negotiate independently', async ({ open }) => {
  const server = fixture();
  const [one, other] = [await open(server, { capabilities: { sampling: {} } }), await open(server)];
  const asked = await one.settleCall('think', {}, () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'x' },
  }));
  expect([asked.answer.result.isError, (await other.call('think')).result.isError]).toEqual([
    undefined,
    true,
  ]);
});
