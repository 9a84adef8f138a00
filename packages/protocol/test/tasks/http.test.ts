import { expect, onTestFinished, test } from 'vitest';
import { type Client, type ClientOptions, connect, http } from '../../src/client.ts';
import { serveHttp } from '../../src/http.ts';
import type { Revision } from '../../src/index.ts';
import { eventually, happens, type Stage, stage } from './stage.ts';

interface Set {
  client: Client;
  url: string;
  notified: [string, unknown][];
}

async function set(of: Stage, revision: Revision, options: Partial<ClientOptions> = {}): Promise<Set> {
  const listening = await serveHttp(of.server, { port: 0 });
  onTestFinished(() => listening.close(0));
  const notified: [string, unknown][] = [];
  const client = await connect(http(listening.url), {
    name: 'tester',
    version: '1.0.0',
    onNotification: (method, params) => notified.push([method, params]),
    ...(revision === '2026-07-28' ? {} : { era: 'handshake' as const, revision }),
    elicitation: () => ({ action: 'accept', content: { confirm: true, name: 'Ada' } }),
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, url: listening.url, notified };
}

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a task of %s runs, asks and ends over HTTP',
  async (revision) => {
    const scene = stage({});
    const { client } = await set(scene, revision);
    const asked = await client.tasks.call('remove', { file: 'x' });
    expect((await asked.result()).content).toEqual([{ type: 'text', text: 'removed x' }]);
    const task = await client.tasks.call('work', { label: 'a' });
    await happens(scene, 'began a');
    await task.cancel();
    await expect(task.result()).rejects.toMatchObject({ reason: 'cancelled' });
    expect(scene.did).toEqual(['remove x true', 'began a', 'aborted a']);
  },
);

test('messages of a task after the response to its call go to the stream of the session', async () => {
  const scene = stage({});
  const { client, notified } = await set(scene, '2025-11-25');
  const progress: unknown[] = [];
  const task = await client.tasks.call('report', {}, { onProgress: (update) => progress.push(update) });
  await eventually(() => progress.length > 0);
  expect(progress).toEqual([{ progress: 1, total: 2, message: 'half of it' }]);
  scene.open('report');
  await task.result();
  await eventually(() => notified.some(([method]) => method === 'notifications/tasks/status'));
  const [, status] = notified.find(([method]) => method === 'notifications/tasks/status')!;
  expect(status).toMatchObject({ taskId: task.taskId, status: 'completed' });
});

test('a listen stream over HTTP reports the state of a task', async () => {
  const scene = stage({ pollInterval: 3_600_000 });
  const { client } = await set(scene, '2026-07-28');
  const task = await client.tasks.call('work', { label: 'a' }, { listen: true });
  const result = task.result();
  await happens(scene, 'began a');
  scene.open('a');
  expect((await result).structuredContent).toEqual({ done: 'a' });
});

test('a request about a task has its id in Mcp-Name, as in the body', async () => {
  const { url } = await set(stage({}), '2026-07-28');
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };
  const ask = async (method: string, name: string | undefined): Promise<[number, number]> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
        ...(name !== undefined && { 'Mcp-Name': name }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { taskId: 'x', inputResponses: {}, _meta },
      }),
    });
    const { error } = (await answer.json()) as { error: { code: number } };
    return [answer.status, error.code];
  };
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect([method, await ask(method, 'x')]).toEqual([method, [200, -32602]]);
    expect([method, await ask(method, 'y')]).toEqual([method, [400, -32020]]);
    expect([method, await ask(method, undefined)]).toEqual([method, [400, -32020]]);
  }
  expect(await ask('tasks/result', undefined)).toEqual([404, -32601]);
  expect(await ask('tasks/list', undefined)).toEqual([404, -32601]);
});

test('the tasks of a session end with it over HTTP too', async () => {
  const scene = stage({});
  const { client } = await set(scene, '2025-11-25');
  await client.tasks.call('work', { label: 'a' });
  await happens(scene, 'began a');
  await client.close();
  await happens(scene, 'aborted a');
  expect(scene.did).toEqual(['began a', 'aborted a']);
});
