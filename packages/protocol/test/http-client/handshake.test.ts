import { expect, test, vi } from 'vitest';
import type { Revision } from '../../src/protocol/revisions.ts';
import { type Asked, keeper, session, site, textResult, use } from './site.ts';

const handshakes: Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const both = 'application/json, text/event-stream';

const of = ({ headers }: Asked): object => ({
  accept: headers.accept,
  session: headers['mcp-session-id'],
  version: headers['mcp-protocol-version'],
});

test.each(handshakes)('every message of %s is a POST with its session and revision', async (revision) => {
  const { client, site } = await session((asked) => asked.result(textResult('hi')), { revision });
  await client.callTool('greet');
  await site.hears('GET');
  await client.close();
  const version = revision < '2025-06-18' ? undefined : revision;
  const later = { accept: both, session: 's-1', version };
  const [initialize, initialized, call, listen] = await Promise.all(
    ['initialize', 'notifications/initialized', 'tools/call', 'GET'].map((what) => site.hears(what)),
  );
  expect(of(initialize!)).toEqual({ accept: both, session: undefined, version: undefined });
  expect([initialized, call].map((asked) => of(asked!))).toEqual([later, later]);
  expect(of(listen!)).toEqual({ ...later, accept: 'text/event-stream' });
  expect(of(await site.hears('DELETE'))).toEqual({ ...later, accept: undefined });
  const posts = site.asked.filter(({ body }) => body !== '');
  expect(posts.map(({ method, headers }) => [method, headers['content-type']])).toEqual(
    posts.map(() => ['POST', 'application/json']),
  );
  // nothing of the other era
  expect(Object.keys(call!.headers).filter((name) => /^mcp-(method|name|param)/.test(name))).toEqual([]);
});

test('a server without sessions gets no session id and no DELETE', async () => {
  const { client, site } = await session((asked) => asked.result(textResult('hi')), {}, { session: null });
  await client.callTool('greet');
  await client.close();
  expect(site.log).not.toContain('DELETE');
  expect(site.asked.every(({ headers }) => headers['mcp-session-id'] === undefined)).toBe(true);
});

test('messages after a notification wait until the server has received it', async () => {
  const kept = keeper((asked) => asked.result(textResult('hi')));
  let accept: Asked | undefined;
  const served = await site((asked, whole) => {
    if (asked.message.method === 'notifications/initialized') accept = asked;
    else kept(asked, whole);
  });
  const { client } = await use(served, { era: 'handshake', roots: () => [] });
  const calling = client.callTool('greet');
  client.rootsChanged();
  await served.hears('notifications/initialized');
  await new Promise((resolve) => setImmediate(resolve));
  expect(served.log).toEqual(['initialize', 'notifications/initialized']);
  accept?.text(202);
  await calling;
  const order = served.log.filter((name) => name !== 'GET');
  expect(order.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  expect(order.slice(2).toSorted()).toEqual(['notifications/roots/list_changed', 'tools/call']);
});

test('a server that does not accept a notification does not block later messages for ever', async () => {
  const { client, site } = await session(
    (asked) => {
      if (asked.message.id !== undefined) asked.result(textResult('hi'));
    },
    { roots: () => [] },
  );
  await client.callTool('greet');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  client.rootsChanged();
  const calling = client.callTool('greet', {}, { timeout: 60_000 });
  await site.hears('notifications/roots/list_changed');
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  expect((await calling).content).toHaveLength(1);
});

test('a response is JSON or a stream, with messages of the server before it', async () => {
  const { client, site, faults } = await session(
    (asked) => {
      const { id, method, params } = asked.message;
      if (method === undefined) return asked.text(202);
      if (params.name === 'plain') return asked.result(textResult('plain'));
      const token = params._meta.progressToken;
      asked.stream().event({ event: 'message', data: { jsonrpc: '2.0', id: 'q', method: 'roots/list' } });
      const progress = { progressToken: token, progress: 1 };
      asked.event({ data: { jsonrpc: '2.0', method: 'notifications/progress', params: progress } });
      asked.event({ event: 'other', data: 'not for us' });
      asked.response.write(': a comment\n\n');
      return asked.event({ data: { jsonrpc: '2.0', id, result: textResult('streamed') } }).end();
    },
    { roots: () => [{ uri: 'file:///a' }] },
  );
  const steps: number[] = [];
  const onProgress = ({ progress }: { progress: number }): number => steps.push(progress);
  const [plain, streamed] = await Promise.all([
    client.callTool('plain'),
    client.callTool('streamed', {}, { onProgress }),
  ]);
  expect([plain, streamed]).toEqual([textResult('plain'), textResult('streamed')]);
  const answer = await site.hears(({ message }) => message.result !== undefined);
  expect(answer.message).toEqual({ jsonrpc: '2.0', id: 'q', result: { roots: [{ uri: 'file:///a' }] } });
  expect(of(answer)).toEqual({ accept: both, session: 's-1', version: '2025-11-25' });
  expect([steps, faults]).toEqual([[1], []]);
});

test('a response on a stream is delivered before the stream ends, and an endless stream is closed', async () => {
  const { client, site } = await session((asked) => void asked.stream().answer(textResult('hi')));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await client.callTool('greet')).toEqual(textResult('hi'));
  const { gone } = await site.hears('tools/call');
  await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  await gone;
});

test('messages that the server sends on its own arrive on a separate stream', async () => {
  const { client, site, faults } = await session(() => {}, { roots: () => [] }, { stream: 'silent' });
  const asked = await site.hears('GET');
  const logged = new Promise((resolve) => {
    client.onLog(resolve);
  });
  asked.event({ id: '1', data: { jsonrpc: '2.0', id: 9, method: 'roots/list' } });
  asked.event({
    data: { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } },
  });
  expect(await logged).toEqual({ level: 'info', data: 1 });
  const { message } = await site.hears(({ message }) => message.result !== undefined);
  expect([message, faults]).toEqual([{ jsonrpc: '2.0', id: 9, result: { roots: [] } }, []]);
});

test('a cancelled call sends a cancellation, and its connection is closed', async () => {
  const { client, site, faults } = await session((asked) => {
    if (asked.message.id === undefined) asked.text(202);
    else asked.stream();
  });
  const controller = new AbortController();
  const calling = client.callTool('wait', {}, { signal: controller.signal });
  const call = await site.hears('tools/call');
  controller.abort();
  await expect(calling).rejects.toMatchObject({ reason: 'cancelled' });
  const { message } = await site.hears('notifications/cancelled');
  expect(message.params.requestId).toBe(call.message.id);
  await call.gone;
  expect(faults).toEqual([]);
});

test('a silent server times out, and closing does not wait for it', async () => {
  const { client, site } = await session((asked) => {
    if (asked.message.id === undefined) asked.text(202);
  });
  await expect(client.callTool('wait', {}, { timeout: 20 })).rejects.toMatchObject({ reason: 'timeout' });
  // the call before may have timed out before it was sent
  const waiting = client.callTool('last');
  const { gone } = await site.hears(({ message }) => message.params?.name === 'last');
  await Promise.all([client.close(), expect(waiting).rejects.toMatchObject({ reason: 'closed' })]);
  await gone;
});

test('closing ends although the server does not respond to DELETE', async () => {
  const kept = keeper(() => {});
  const served = await site((asked, whole) => {
    if (asked.method !== 'DELETE') kept(asked, whole);
  });
  const { client, faults } = await use(served, { era: 'handshake' });
  await served.hears('GET');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closing = client.close();
  await served.hears('DELETE');
  await vi.advanceTimersByTimeAsync(2000);
  vi.useRealTimers();
  await closing;
  expect(faults).toEqual([]);
});

test.each([405, 404, 500])('closing ignores %s as the response to DELETE', async (status) => {
  const kept = keeper(() => {});
  const served = await site((asked, whole) => {
    if (asked.method === 'DELETE') asked.text(status);
    else kept(asked, whole);
  });
  const { client, faults } = await use(served, { era: 'handshake' });
  await client.close();
  expect([served.log.at(-1), faults]).toEqual(['DELETE', []]);
});

test('a batch of 2025-03-26 is split, as JSON and as an event', async () => {
  const { client } = await session(
    (asked) => {
      const { id, params } = asked.message;
      const log = {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: params.name },
      };
      const batch = [log, { jsonrpc: '2.0', id, result: textResult(params.name) }];
      if (params.name === 'plain') asked.json(200, batch);
      else asked.stream().event({ data: batch }).end();
    },
    { revision: '2025-03-26' },
  );
  const logs: unknown[] = [];
  client.onLog(({ data }) => logs.push(data));
  expect([await client.callTool('plain'), await client.callTool('streamed')]).toEqual([
    textResult('plain'),
    textResult('streamed'),
  ]);
  expect(logs).toEqual(['plain', 'streamed']);
});

test('a client can be closed at the moment in which a stream ends', async () => {
  const { client, site } = await session((asked) => {
    const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } };
    asked.stream().event({ data: log }).end();
  });
  let closing: Promise<void> | undefined;
  client.onLog(() => {
    closing = client.close();
  });
  await expect(client.callTool('greet')).rejects.toMatchObject({ reason: 'closed' });
  await closing;
  expect(site.log.at(-1)).toBe('DELETE');
});
