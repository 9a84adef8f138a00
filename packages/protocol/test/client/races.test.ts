import { afterEach, expect, test, vi } from 'vitest';
import { readPages } from '../../src/client/pages.ts';
import { type Client, type ClientOptions, connect, type ProgressUpdate } from '../../src/client.ts';
import type { Message } from '../wire/message.ts';
import { type Act, oldServer, type Scripted, scripted } from './scripted.ts';

afterEach(() => {
  vi.useRealTimers();
});

const result = { content: [{ type: 'text', text: 'done' }] };

/** Returns a handshake server that does not respond to calls. */
async function silent(
  options: Partial<ClientOptions> = {},
  play: (message: Message, act: Act) => void = () => {},
): Promise<{ client: Client; server: Scripted; faults: string[] }> {
  const faults: string[] = [];
  const server = oldServer({ tools: {}, prompts: {} }, play);
  const client = await connect(server.transport, {
    name: 'tester',
    version: '1.0.0',
    era: 'handshake',
    onError: ({ message }) => faults.push(message),
    ...options,
  });
  return { client, server, faults };
}

const called = (server: Scripted): Promise<Message> => server.hears(({ method }) => method === 'tools/call');
const progress = (act: Act, progressToken: unknown, value: unknown): void =>
  act.say({ method: 'notifications/progress', params: { progressToken, progress: value } });

test('progress that does not increase is not reported', async () => {
  const { client, server } = await silent();
  const updates: ProgressUpdate[] = [];
  const call = client.callTool('work', {}, { onProgress: (update) => updates.push(update) });
  const { id } = await called(server);
  for (const value of [1, 1, 0.5, 2.5, -1, 2.5, '3', null, 3]) progress(server.act, id, value);
  server.act.say({ id, result });
  await call;
  expect(updates.map(({ progress: value }) => value)).toEqual([1, 2.5, 3]);
});

test('progress that does not increase does not restart the timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { client, server } = await silent({ timeout: 1000 });
  const call = client.callTool('work', {}, { onProgress: () => {} });
  const failed = expect(call).rejects.toMatchObject({ reason: 'timeout' });
  const { id } = await called(server);
  progress(server.act, id, 5);
  await vi.advanceTimersByTimeAsync(900);
  progress(server.act, id, 5);
  progress(server.act, id, 4);
  await vi.advanceTimersByTimeAsync(200);
  await failed;
});

test('a response and progress after the cancellation are ignored', async () => {
  const { client, server, faults } = await silent();
  const controller = new AbortController();
  const updates: ProgressUpdate[] = [];
  const call = client.callTool(
    'work',
    {},
    { signal: controller.signal, onProgress: (update) => updates.push(update) },
  );
  const { id } = await called(server);
  controller.abort();
  await expect(call).rejects.toMatchObject({ reason: 'cancelled' });
  progress(server.act, id, 1);
  server.act.say({ id, result });
  server.act.say({ id, error: { code: -32603, message: 'late' } });
  const next = client.callTool('other');
  const other = await server.hears(
    ({ method, params }) => method === 'tools/call' && params.name === 'other',
  );
  server.act.say({ id: other.id, result });
  expect(await next).toEqual(result);
  expect([updates, faults]).toEqual([[], []]);
});

test('a cancellation after the response sends nothing to the server', async () => {
  const { client, server } = await silent({}, ({ id, method }, act) => {
    if (method === 'tools/call') act.say({ id, result });
  });
  const controller = new AbortController();
  await client.callTool('work', {}, { signal: controller.signal });
  controller.abort();
  await client.callTool('fence');
  expect(server.heard.filter(({ method }) => method === 'notifications/cancelled')).toEqual([]);
});

test('a response and a cancellation that cross leave the connection usable', async () => {
  const controller = new AbortController();
  const { client, server } = await silent({}, ({ id, method }, act) => {
    if (method !== 'tools/call') return;
    // the client cancels while the response is in transit
    controller.abort();
    act.say({ id, result });
  });
  const outcome = await client.callTool('work', {}, { signal: controller.signal }).then(
    () => 'answered',
    ({ reason }: { reason: string }) => reason,
  );
  expect(outcome).toBe('cancelled');
  const { params } = await server.hears(({ method }) => method === 'notifications/cancelled');
  expect(params.requestId).toBe((await called(server)).id);
  expect(await client.callTool('fence')).toEqual(result);
});

test('`initialize` is never cancelled, neither by a signal nor by its timeout', async () => {
  const never = scripted(() => {});
  const controller = new AbortController();
  const me = { name: 'tester', version: '1.0.0', era: 'handshake' as const };
  const connecting = connect(never.transport, { ...me, signal: controller.signal });
  await never.hears(({ method }) => method === 'initialize');
  controller.abort();
  await expect(connecting).rejects.toMatchObject({ reason: 'cancelled' });
  await expect(connect(never.transport, { ...me, timeout: 5 })).rejects.toMatchObject({ reason: 'timeout' });
  expect(never.heard.map(({ method }) => method)).toEqual(['initialize', 'initialize']);
});

test('a cancellation of an unknown or old request of the server is ignored', async () => {
  const { client, server, faults } = await silent({}, ({ id, method }, act) => {
    if (method === 'tools/call') act.say({ id, result });
  });
  server.act.say({ id: 'q', method: 'ping' });
  await server.hears(({ id, result: pong }) => id === 'q' && pong !== undefined);
  for (const requestId of ['q', 'never', 7, null, undefined, {}])
    server.act.say({ method: 'notifications/cancelled', params: { requestId } });
  server.act.say({ method: 'notifications/cancelled' });
  expect(await client.callTool('fence')).toEqual(result);
  expect(faults).toEqual([]);
});

test('a null cursor on the last page counts as absent', async () => {
  const { client } = await silent({}, ({ id, method }, act) => {
    if (method === 'prompts/list') act.say({ id, result: { prompts: [{ name: 'a' }], nextCursor: null } });
  });
  expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['a']);
  expect(await client.request('prompts/list')).toEqual({ prompts: [{ name: 'a' }] });
});

test('an endless list is an error', async () => {
  let pages = 0;
  const reading = readPages(
    'tools/list',
    async () => ({ nextCursor: `${++pages}` }),
    () => {},
  );
  await expect(reading).rejects.toThrow(
    'tools/list has more than 10000 pages; read it page by page with request',
  );
  expect(pages).toBe(10_000);
});
