import { expect, test } from 'vitest';
import { type Change, type Client, connect } from '../../src/client.ts';
import type { Message } from '../wire/message.ts';
import { type Act, complete, oldServer, type Scripted, scripted } from './scripted.ts';

const me = { name: 'tester', version: '1.0.0' };
const tagged = (id: unknown): object => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
const updated = (uri: string, tag: object = {}): object => ({
  method: 'notifications/resources/updated',
  params: { uri, ...tag },
});

/** Returns a stateless server that calls `listen` for each subscription and answers everything else. */
async function stateless(
  listen: (message: Message, act: Act) => void,
): Promise<{ client: Client; server: Scripted; faults: string[] }> {
  const faults: string[] = [];
  const server = scripted((message, act) => {
    if (message.method === 'subscriptions/listen') listen(message, act);
    else if (message.id !== undefined) act.say({ id: message.id, result: complete({ content: [] }) });
  });
  const client = await connect(server.transport, {
    ...me,
    era: { pinned: '2026-07-28' },
    timeout: 120_000,
    onError: ({ message }) => faults.push(message),
  });
  return { client, server, faults };
}

const acknowledge = ({ id, params }: Message, act: Act): void =>
  act.say({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: params.notifications, ...tagged(id) },
  });

test('notifications go to the stream of their tag, and untagged ones to none', async () => {
  const { client, server } = await stateless(acknowledge);
  const [first, second]: [Change[], Change[]] = [[], []];
  await client.subscribe('memo://a', (change) => first.push(change));
  await client.subscribe('memo://a', (change) => second.push(change));
  const [one, two] = server.heard.map(({ id }) => id);
  server.act.say(updated('memo://a', tagged(two)));
  server.act.say(updated('memo://a', tagged(String(one))));
  server.act.say(updated('memo://a'));
  await client.callTool('fence');
  expect([first, second]).toEqual([[], [{ kind: 'resource', uri: 'memo://a' }]]);
});

test('a listen request has no progress token and its own id as tag', async () => {
  const { client, server } = await stateless(acknowledge);
  await client.subscribe('memo://a', () => {});
  expect(Object.keys(server.heard[0].params._meta)).not.toContain('progressToken');
});

test('closing a subscription cancels its request, and later notifications are dropped', async () => {
  const { client, server } = await stateless(acknowledge);
  const seen: Change[] = [];
  const subscription = await client.subscribe('memo://a', (change) => seen.push(change));
  const [{ id }] = server.heard;
  await subscription.close();
  const cancel = await server.hears(({ method }) => method === 'notifications/cancelled');
  expect(cancel.params.requestId).toBe(id);
  server.act.say(updated('memo://a', tagged(id)));
  await client.callTool('fence');
  expect([seen, await subscription.ended]).toEqual([[], undefined]);
});

test('a stream that the server ends, by result or by cancellation, ends without an error', async () => {
  const { client, server } = await stateless(acknowledge);
  const one = await client.subscribe('memo://a', () => {});
  const two = await client.subscribe('memo://b', () => {});
  const [first, second] = server.heard.map(({ id }) => id);
  server.act.say({ id: first, result: { resultType: 'complete', ...tagged(first) } });
  server.act.say({ method: 'notifications/cancelled', params: { requestId: second } });
  expect([await one.ended, await two.ended]).toEqual([undefined, undefined]);
});

test('a stream that fails reports the reason', async () => {
  const { client, server } = await stateless(acknowledge);
  const subscription = await client.subscribe('memo://a', () => {});
  server.act.say({ id: server.heard[0].id, error: { code: -32603, message: 'no more' } });
  expect(await subscription.ended).toMatchObject({ name: 'RpcError', message: 'no more' });
});

test('a change before the acknowledgement is an error and not reported as a change', async () => {
  const { client, faults } = await stateless((message, act) => {
    act.say(updated('memo://a', tagged(message.id)));
    acknowledge(message, act);
  });
  const seen: Change[] = [];
  await client.subscribe('memo://a', (change) => seen.push(change));
  expect([seen, faults]).toEqual([
    [],
    ['the server reported a change before it acknowledged the subscription'],
  ]);
});

test('a subscription that is refused, or ended before its acknowledgement, throws', async () => {
  const refusing = await stateless(({ id }, act) => act.say({ id, error: { code: -32602, message: 'no' } }));
  await expect(refusing.client.subscribe('memo://a', () => {})).rejects.toMatchObject({ name: 'RpcError' });
  const ending = await stateless(({ id }, act) =>
    act.say({ id, result: { resultType: 'complete', ...tagged(id) } }),
  );
  await expect(ending.client.subscribe('memo://a', () => {})).rejects.toMatchObject({ name: 'AnswerError' });
});

test('a resource that is left out of the acknowledgement throws and its stream is closed', async () => {
  const { client, server } = await stateless(({ id }, act) =>
    act.say({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {}, ...tagged(id) },
    }),
  );
  await expect(client.subscribe('memo://a', () => {})).rejects.toThrow(
    'the server does not report changes of memo://a',
  );
  expect(await server.hears(({ method }) => method === 'notifications/cancelled')).toBeDefined();
});

test('a handshake session subscribes once for many, and a part of a resource counts as the resource', async () => {
  const server = oldServer({ resources: { subscribe: true } }, (message, act) => {
    if (message.method?.startsWith('resources/')) act.say({ id: message.id, result: {} });
    if (message.method === 'ping') act.say({ id: message.id, result: {} });
  });
  const client = await connect(server.transport, { ...me, era: 'handshake' });
  const [first, second]: [Change[], Change[]] = [[], []];
  const [one, two] = await Promise.all([
    client.subscribe('file:///a', (change) => first.push(change)),
    client.subscribe('file:///a', (change) => second.push(change)),
  ]);
  server.act.say(updated('file:///a/b'));
  server.act.say(updated('file:///ab'));
  await client.ping();
  await one.close();
  await one.close();
  server.act.say(updated('file:///a'));
  await client.ping();
  await two.close();
  expect([first, second].map((changes) => changes.map((change) => (change as { uri: string }).uri))).toEqual([
    ['file:///a/b'],
    ['file:///a/b', 'file:///a'],
  ]);
  const asked = server.heard.map(({ method }) => method).filter((method) => method?.startsWith('resources/'));
  expect(asked).toEqual(['resources/subscribe', 'resources/unsubscribe']);
});
