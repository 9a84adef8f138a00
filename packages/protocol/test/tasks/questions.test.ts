import { expect, test } from 'vitest';
import * as z from 'zod';
import { type ClientOptions, connect, streams } from '../../src/client.ts';
import { asTask, confirm, createServer, type Revision, type Server, sample, tool } from '../../src/index.ts';
import { serveMemory } from '../../src/transports/memory.ts';
import { Tap } from '../client/tap.ts';
import { everything, talkTo } from '../server/talk.ts';
import type { Message } from '../wire/message.ts';
import { eventually } from './stage.ts';

const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } });
const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hello' } }];
const sampled = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'Hi' } };

/** Returns a server that lets its client respond with tasks. */
function patient(): Server {
  return createServer({
    name: 'patient',
    version: '1.0.0',
    tasks: { pollInterval: 10 },
    tools: [
      tool({
        name: 'chat',
        description: 'Asks the model and the user.',
        input: z.object({}),
        taskSupport: 'optional',
        ask: async (_args, ask) => {
          const { reply, sure } = await ask({
            reply: asTask(sample({ messages, maxTokens: 5 }), { ttl: 5000 }),
            sure: asTask(confirm('Sure?')),
          });
          return `${reply.role} ${String(sure)}`;
        },
        run: (_args, { answers }) => answers,
      }),
    ],
  });
}

interface Pair {
  client: Awaited<ReturnType<typeof connect>>;
  tap: Tap;
}

async function open(options: Partial<ClientOptions>, revision: Revision = '2025-11-25'): Promise<Pair> {
  const server = patient();
  const tap = new Tap(
    streams(() => serveMemory(server)),
    revision,
  );
  const client = await connect(tap, {
    name: 'tester',
    version: '1.0.0',
    era: 'handshake',
    revision,
    ...options,
  });
  return { client, tap };
}

const providers = {
  sampling: () => sampled,
  elicitation: () => ({ action: 'accept' as const, content: { confirm: true } }),
};

test('a client with tasks declares which requests it accepts as such', async () => {
  const { client, tap } = await open({ ...providers, tasks: {} });
  expect(tap.sent[0]!.params.capabilities.tasks).toEqual({
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  });
  await client.close();
  const asked = await open({ elicitation: providers.elicitation, tasks: {} });
  expect(asked.tap.sent[0]!.params.capabilities.tasks.requests).toEqual({ elicitation: { create: {} } });
  await asked.client.close();
  const older = await open({ ...providers, tasks: {} }, '2025-06-18');
  expect(older.tap.sent[0]!.params.capabilities).not.toHaveProperty('tasks');
  await older.client.close();
});

test('requests are answered as tasks, as long as they take', async () => {
  const { client, tap } = await open({ ...providers, tasks: { pollInterval: 5 } });
  expect((await client.callTool('chat')).content).toEqual([{ type: 'text', text: 'assistant true' }]);
  const asked = tap.heard.filter(({ params }) => params?.task !== undefined);
  expect(asked.map(({ method, params }) => [method, params.task])).toEqual([
    ['sampling/createMessage', { ttl: 5000 }],
    ['elicitation/create', {}],
  ]);
  const created = tap.sent.filter(({ result }) => result?.task !== undefined);
  expect(created.map(({ result }) => result.task)).toMatchObject([
    { status: 'working', ttl: 5000, pollInterval: 5 },
    { status: 'working', ttl: 900_000, pollInterval: 5 },
  ]);
  const results = tap.heard.filter(({ method }) => method === 'tasks/result');
  const answers = tap.sent.filter(({ id, result }) => result && results.some((each) => each.id === id));
  expect(answers.map(({ result }) => result._meta)).toEqual(
    results.map(({ params }) => related(params.taskId)),
  );
  await client.close();
  expect(tap.faults).toEqual([]);
});

test('requests of a task have its id, and so do their responses, also as tasks themselves', async () => {
  for (const tasks of [undefined, {}]) {
    const { client, tap } = await open({ ...providers, ...(tasks && { tasks: { pollInterval: 5 } }) });
    const task = await client.tasks.call('chat');
    expect((await task.result()).content).toEqual([{ type: 'text', text: 'assistant true' }]);
    const questions = tap.heard.filter(({ method }) => /sampling|elicitation/.test(method ?? ''));
    expect(questions).toHaveLength(2);
    for (const { id, params } of questions) {
      const answer = tap.sent.find((message) => message.id === id && message.method === undefined);
      expect([params._meta, answer!.result._meta]).toEqual([related(task.taskId!), related(task.taskId!)]);
    }
    await client.close();
    expect(tap.faults).toEqual([]);
  }
});

test('a client that did not declare tasks gets plain requests, and so does one of the stateless era', async () => {
  const { client, tap } = await open(providers);
  expect((await client.callTool('chat')).content).toEqual([{ type: 'text', text: 'assistant true' }]);
  expect(tap.heard.some(({ params }) => params?.task !== undefined)).toBe(false);
  await client.close();
  const modern = await talkTo(patient(), '2026-07-28', { capabilities: everything });
  const { result } = await modern.call('chat');
  expect(JSON.stringify(result.inputRequests)).not.toContain('"task"');
});

/** Returns a server of 2025-11-25 that sends requests of the test to a client with tasks. */
async function asking(options: Partial<ClientOptions> = {}, takesTasks = true) {
  const { scripted, welcome } = await import('../client/scripted.ts');
  const server = scripted((message, act) => welcome(message, act));
  const client = await connect(server.transport, {
    name: 'tester',
    version: '1.0.0',
    era: 'handshake',
    ...providers,
    ...(takesTasks && { tasks: { pollInterval: 5 } }),
    ...options,
  });
  let last = 0;
  const ask = async (method: string, params: object = {}): Promise<Message> => {
    const id = `q${++last}`;
    server.act.say({ id, method, params });
    return server.hears((message) => message.id === id && message.method === undefined);
  };
  return { client, ask };
}

const sampling = { messages, maxTokens: 5, task: {} };

test('a client without tasks responds directly to a request with task, and has no task methods', async () => {
  const { client, ask } = await asking({}, false);
  expect((await ask('sampling/createMessage', sampling)).result).toEqual(sampled);
  for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'])
    expect([method, (await ask(method, { taskId: 'x' })).error.code]).toEqual([method, -32601]);
  await client.close();
});

test('a task of the client is polled, listed, and keeps its result until it expires', async () => {
  const { client, ask } = await asking();
  const { result } = await ask('sampling/createMessage', sampling);
  const { taskId } = result.task;
  expect((await ask('tasks/result', { taskId })).result).toEqual({ ...sampled, _meta: related(taskId) });
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'completed' });
  expect((await ask('tasks/list')).result.tasks).toMatchObject([{ taskId, status: 'completed' }]);
  expect((await ask('tasks/list', { cursor: 'x' })).error.code).toBe(-32602);
  expect((await ask('tasks/get', { taskId: 'x' })).error.code).toBe(-32602);
  const { error } = await ask('tasks/cancel', { taskId });
  expect(error).toMatchObject({
    code: -32602,
    message: 'the task is completed and cannot be cancelled',
  });
  await client.close();
});

test('cancelling a task of the client aborts its provider, and so does the end of the connection', async () => {
  const aborted: string[] = [];
  const { client, ask } = await asking({
    sampling: (_params, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(String((signal.reason as Error).message));
          reject(signal.reason as Error);
        });
      }),
  });
  const [one, other] = [
    await ask('sampling/createMessage', sampling),
    await ask('sampling/createMessage', sampling),
  ];
  const { taskId } = one.result.task;
  expect((await ask('tasks/get', { taskId })).result.status).toBe('working');
  await new Promise((resolve) => setImmediate(resolve));
  expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
  expect(aborted).toEqual(['cancelled by request']);
  expect((await ask('tasks/get', { taskId: other.result.task.taskId })).result.status).toBe('working');
  await client.close();
  await eventually(() => aborted.length === 2);
  expect(aborted[1]).toBe('its requestor is gone');
});

test('a request that the client refuses fails its task with the same error', async () => {
  const faults: Error[] = [];
  const { client, ask } = await asking({
    onError: (error) => faults.push(error),
    sampling: () => {
      throw new Error('no model');
    },
  });
  const { taskId } = (await ask('sampling/createMessage', sampling)).result.task;
  expect((await ask('tasks/result', { taskId })).error).toEqual({ code: -32603, message: 'internal error' });
  const invalid = (await ask('elicitation/create', { message: 5, task: {} })).result.task;
  expect((await ask('tasks/result', { taskId: invalid.taskId })).error.code).toBe(-32602);
  expect((await ask('tasks/get', { taskId })).result.status).toBe('failed');
  expect(faults.map(({ message }) => message)).toEqual(['no model']);
  await client.close();
});

test('a cancelled call cancels the task of its request', async () => {
  let sawSignal: AbortSignal | undefined;
  const { client, tap } = await open({
    ...providers,
    tasks: { pollInterval: 5 },
    sampling: (_params, { signal }) =>
      new Promise((_resolve, reject) => {
        sawSignal = signal;
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  });
  const controller = new AbortController();
  const given = client.callTool('chat', {}, { signal: controller.signal });
  const refused = expect(given).rejects.toMatchObject({ name: 'ConnectionError' });
  await eventually(() => sawSignal !== undefined);
  controller.abort();
  await refused;
  await eventually(() => sawSignal?.aborted === true);
  expect(tap.heard.map(({ method }) => method)).toContain('tasks/cancel');
  await client.close();
});
