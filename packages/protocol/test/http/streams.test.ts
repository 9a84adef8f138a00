import { expect, test } from 'vitest';
import { MemoryEventStore } from '../../src/http.ts';
import {
  ask,
  begin,
  call,
  initialize,
  listen,
  nextEvent,
  nextMessage,
  readEvents,
  sampleServer,
} from './wire.ts';

const toolCall = (id: number, name: string, meta?: object) =>
  call(id, 'tools/call', { name, arguments: {}, ...(meta !== undefined && { _meta: meta }) });

test('a response is JSON if nothing is sent before it, and otherwise a stream that ends with it', async () => {
  const to = await listen(sampleServer().server);
  const headers = await initialize(to, '2025-06-18');
  const plain = await ask(to, { headers, body: toolCall(1, 'report') });
  expect(plain.headers['content-type']).toBe('application/json');
  const response = await ask(to, { headers, body: toolCall(2, 'report', { progressToken: 'p' }) });
  expect(response.headers['content-type']).toBe('text/event-stream');
  expect(response.headers['x-accel-buffering']).toBe('no');
  const messages = response.events.map(({ data }) => JSON.parse(data ?? '{}'));
  expect(messages.map(({ method, id }) => method ?? id)).toEqual([
    'notifications/progress',
    'notifications/progress',
    2,
  ]);
});

test('event ids are not repeated in a session', async () => {
  const to = await listen(sampleServer().server);
  const headers = await initialize(to, '2025-11-25');
  const answers = await Promise.all(
    [1, 2, 3].map((id) => ask(to, { headers, body: toolCall(id, 'report', { progressToken: id }) })),
  );
  const ids = answers.flatMap(({ events }) => events.map(({ id }) => id));
  expect(ids.every((id) => id !== undefined)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

test('only clients of 2025-11-25 get a first event without data', async () => {
  const to = await listen(sampleServer().server);
  const first = async (revision: string) => {
    const headers = await initialize(to, revision);
    const { events } = await ask(to, { headers, body: toolCall(1, 'report', { progressToken: 1 }) });
    return events[0]?.data;
  };
  expect(await first('2025-11-25')).toBe('');
  expect(await first('2025-06-18')).not.toBe('');
});

test('a client that was disconnected comes back for its response', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const headers = await initialize(to, '2025-11-25');
  const { events } = await ask(to, { headers, body: toolCall(1, 'let_go') });
  expect(events.map(({ data, retry }) => data ?? retry)).toEqual(['', '7']);
  const again = { ...headers, 'Last-Event-ID': events[0]!.id! };
  const resumed = readEvents(await begin(to, { method: 'GET', headers: again }).response);
  await nextEvent(resumed);
  hooks.finish.open();
  const { id, result } = await nextMessage(resumed);
  expect([id, result.content[0].text]).toEqual([1, 'late']);
  expect((await resumed.next()).done).toBe(true);
  const late = await ask(to, { method: 'GET', headers: again });
  expect(late.events.filter(({ data }) => data?.includes('late'))).toHaveLength(1);
});

test('clients before 2025-11-25 are not disconnected', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const headers = await initialize(to, '2025-06-18');
  const answer = ask(to, { headers, body: toolCall(1, 'let_go') });
  await hooks.started.passed;
  hooks.finish.open();
  expect((await answer).json.result.content[0].text).toBe('late');
});

test('a broken connection cancels nothing, and later messages reach the client that reconnects', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const headers = await initialize(to, '2025-11-25');
  const broken = begin(to, { headers, body: toolCall(1, 'hold', { progressToken: 1 }) });
  const events = readEvents(await broken.response);
  const { id } = await nextEvent(events);
  await nextMessage(events);
  broken.request.destroy();
  hooks.finish.open();
  const again = { ...headers, 'Last-Event-ID': id! };
  for (;;) {
    // until the server has detected that the connection is gone
    const { status, events: replayed } = await ask(to, { method: 'GET', headers: again });
    if (status === 409) continue;
    const messages = replayed.filter(({ data }) => data !== '').map(({ data }) => JSON.parse(data ?? '{}'));
    expect(messages.map(({ method, id: answered }) => method ?? answered)).toEqual([
      'notifications/progress',
      1,
    ]);
    break;
  }
});

test('messages outside of requests are sent by GET only, once, and wait while nobody listens', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const headers = await initialize(to, '2025-11-25');
  const first = begin(to, { method: 'GET', headers });
  const events = readEvents(await first.response);
  await nextEvent(events);
  hooks.server.listChanged('tools');
  expect((await nextMessage(events)).method).toBe('notifications/tools/list_changed');
  const second = await ask(to, { method: 'GET', headers });
  expect(second.status).toBe(409);
  first.request.destroy();
  let response = await begin(to, { method: 'GET', headers }).response;
  while (response.statusCode === 409) {
    response.resume();
    response = await begin(to, { method: 'GET', headers }).response;
  }
  const more = readEvents(response);
  await nextEvent(more);
  hooks.server.listChanged('prompts');
  expect((await nextMessage(more)).method).toBe('notifications/prompts/list_changed');
});

test('changes while nobody listens are reported as one to the next listener', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const headers = await initialize(to, '2025-06-18');
  for (let i = 0; i < 1000; i++) hooks.server.listChanged('tools');
  hooks.server.listChanged('prompts');
  const events = readEvents(await begin(to, { method: 'GET', headers }).response);
  expect((await nextMessage(events)).method).toBe('notifications/tools/list_changed');
  expect((await nextMessage(events)).method).toBe('notifications/prompts/list_changed');
});

test('an unknown or removed position is an error instead of a gap', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server, { eventLimits: { events: 1 } });
  const headers = await initialize(to, '2025-11-25');
  const { events } = await ask(to, { headers, body: toolCall(1, 'report', { progressToken: 1 }) });
  const from = async (id: string) => {
    const { status } = await ask(to, { method: 'GET', headers: { ...headers, 'Last-Event-ID': id } });
    return status;
  };
  expect(await from(events[0]!.id!)).toBe(400);
  expect(await from(events.at(-2)!.id!)).toBe(200);
  for (const id of ['1-99', '77-0', '0-5', 'x', '1', '-1', '1-', `1-${'9'.repeat(400)}`])
    expect([id, await from(id)]).toEqual([id, 400]);
});

test('events of one stream are not replayed on another', async () => {
  const to = await listen(sampleServer().server);
  const headers = await initialize(to, '2025-11-25');
  const one = await ask(to, { headers, body: toolCall(1, 'report', { progressToken: 'one' }) });
  await ask(to, { headers, body: toolCall(2, 'report', { progressToken: 'two' }) });
  const again = { ...headers, 'Last-Event-ID': one.events[0]!.id! };
  const replayed = await ask(to, { method: 'GET', headers: again });
  expect(replayed.text).toContain('"one"');
  expect(replayed.text).not.toContain('"two"');
});

test('a quiet stream has keep-alive comments', async () => {
  const to = await listen(sampleServer().server, { keepAlive: 5 });
  const headers = await initialize(to, '2025-06-18');
  const events = readEvents(await begin(to, { method: 'GET', headers }).response);
  expect((await nextEvent(events)).comment).toBe('keep-alive');
});

test('an event store keeps the newest within its limits', () => {
  const store = new MemoryEventStore({ events: 3, bytes: 100 });
  for (let sequence = 1; sequence <= 5; sequence++) store.append('s', { sequence, text: String(sequence) });
  expect(store.after('s', 2)?.map(({ text }) => text)).toEqual(['3', '4', '5']);
  expect(store.after('s', 1)).toBeUndefined();
  store.append('s', { sequence: 6, text: 'x'.repeat(51) });
  expect(store.after('s', 5)).toBeUndefined();
  expect(store.after('s', 6)).toEqual([]);
  store.drop('s');
  expect(store.after('s', 0)).toEqual([]);
});
