import { PassThrough } from 'node:stream';
import { asTask, confirm, createServer, type Server, sample, tool } from '@rootbound/protocol';
import { connect, streams } from '@rootbound/protocol/client';
import { serveHttp } from '@rootbound/protocol/http';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

// the experimental tasks of 2025-11-25 with the official SDK that has them, in both roles

interface Message {
  type: 'taskCreated' | 'taskStatus' | 'result' | 'error';
  task?: { taskId: string; status: string };
  result?: { content: { text: string }[]; isError?: boolean };
  error?: { code: number };
}

interface SdkClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  setRequestHandler(schema: unknown, handler: () => object | Promise<object>): void;
  experimental: {
    tasks: {
      callToolStream(params: object, schema?: undefined, options?: object): AsyncGenerator<Message>;
      listTasks(): Promise<{ tasks: { taskId: string }[] }>;
      cancelTask(taskId: string): Promise<{ status: string }>;
    };
  };
}

interface TaskStore {
  createTask(options: object): Promise<{ taskId: string }>;
  getTask(taskId: string): Promise<object>;
  getTaskResult(taskId: string): Promise<object>;
  storeTaskResult(taskId: string, status: string, result: object): Promise<void>;
}

interface SdkServer {
  connect(transport: object): Promise<void>;
  experimental: {
    tasks: {
      registerToolTask(
        name: string,
        config: object,
        handler: Record<string, (...given: never[]) => unknown>,
      ): void;
    };
  };
}

interface Modules {
  Client: new (info: object, options: object) => SdkClient;
  StreamableHTTPClientTransport: new (url: URL) => object;
  ElicitRequestSchema: unknown;
  CreateMessageRequestSchema: unknown;
  InMemoryTaskStore: new () => TaskStore;
  InMemoryTaskMessageQueue: new () => object;
  McpServer: new (info: object, options: object) => SdkServer;
  StdioServerTransport: new (input: PassThrough, output: PassThrough) => object;
}

const modules = [
  'client/index.js',
  'client/streamableHttp.js',
  'types.js',
  'experimental/tasks/index.js',
  'server/mcp.js',
  'server/stdio.js',
];

async function load(): Promise<Modules> {
  const loaded = await Promise.all(
    modules.map((path) => import(`sdk-2025-11-25/${path}`) as Promise<object>),
  );
  return Object.assign({}, ...loaded) as Modules; // these modules export those names
}

/** Creates a server with long-running tools. */
function patient(): Server {
  const nothing = z.object({});
  return createServer({
    name: 'patient',
    version: '1.0.0',
    tasks: { pollInterval: 20 },
    tools: [
      tool({
        name: 'work',
        description: 'Works.',
        input: nothing,
        taskSupport: 'required',
        run: () => 'done',
      }),
      tool({
        name: 'never',
        description: 'Works until it is stopped.',
        input: nothing,
        taskSupport: 'optional',
        run: (_args, { signal }) =>
          new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      }),
      tool({
        name: 'remove',
        description: 'Asks first.',
        input: nothing,
        taskSupport: 'optional',
        ask: async (_args, ask) => (await ask({ sure: confirm('Sure?') })).sure,
        run: (_args, { answers }) => `removed ${String(answers)}`,
      }),
      tool({
        name: 'chat',
        description: 'Asks the model.',
        input: nothing,
        ask: async (_args, ask) => {
          const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hello' } }];
          return (await ask({ reply: asTask(sample({ messages, maxTokens: 5 })) })).reply.model;
        },
        run: (_args, { answers }) => answers,
      }),
    ],
  });
}

async function sdkClient(sdk: Modules): Promise<SdkClient> {
  const listening = await serveHttp(patient(), { port: 0 });
  onTestFinished(() => listening.close(0));
  const taskStore = new sdk.InMemoryTaskStore();
  const client = new sdk.Client(
    { name: 'sdk', version: '1.0.0' },
    {
      capabilities: {
        elicitation: { form: {} },
        sampling: {},
        tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
      },
      taskStore,
    },
  );
  client.setRequestHandler(sdk.ElicitRequestSchema, () => ({ action: 'accept', content: { confirm: true } }));
  await client.connect(new sdk.StreamableHTTPClientTransport(new URL(listening.url)));
  onTestFinished(() => client.close());
  return client;
}

async function all(stream: AsyncGenerator<Message>): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of stream) messages.push(message);
  return messages;
}

test('client 1.32.2 follows a task to its result', async () => {
  const client = await sdkClient(await load());
  const messages = await all(
    client.experimental.tasks.callToolStream({ name: 'work', arguments: {} }, undefined, {
      task: { ttl: 60_000 },
    }),
  );
  expect(messages[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working', ttl: 60_000 } });
  expect(messages.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'done' }] } });
});

test('client 1.32.2 answers the question of a task', async () => {
  const client = await sdkClient(await load());
  const messages = await all(
    client.experimental.tasks.callToolStream({ name: 'remove', arguments: {} }, undefined, { task: {} }),
  );
  expect(messages.some(({ task }) => task?.status === 'input_required')).toBe(true);
  expect(messages.at(-1)).toMatchObject({ type: 'result', result: { content: [{ text: 'removed true' }] } });
});

test('client 1.32.2 lists and cancels a task', async () => {
  const client = await sdkClient(await load());
  const stream = client.experimental.tasks.callToolStream({ name: 'never', arguments: {} }, undefined, {
    task: {},
  });
  const { value } = await stream.next();
  const taskId = (value as Message).task!.taskId;
  expect((await client.experimental.tasks.listTasks()).tasks).toMatchObject([{ taskId, status: 'working' }]);
  expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
  expect((await all(stream)).at(-1)).toMatchObject({ type: 'error' });
});

test('a task of server 1.32.2 is followed, listed and cancelled', async () => {
  const sdk = await load();
  const taskStore = new sdk.InMemoryTaskStore();
  const server = new sdk.McpServer(
    { name: 'sdk', version: '1.0.0' },
    {
      capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      taskStore,
      taskMessageQueue: new sdk.InMemoryTaskMessageQueue(),
    },
  );
  const begun: string[] = [];
  server.experimental.tasks.registerToolTask(
    'slow',
    { description: 'Takes its time.', inputSchema: {}, execution: { taskSupport: 'required' } },
    {
      createTask: async (_args: object, extra: { taskStore: TaskStore }) => {
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 20 });
        begun.push(task.taskId);
        return { task };
      },
      getTask: (_args: object, extra: { taskId: string; taskStore: TaskStore }) =>
        extra.taskStore.getTask(extra.taskId),
      getTaskResult: (_args: object, extra: { taskId: string; taskStore: TaskStore }) =>
        extra.taskStore.getTaskResult(extra.taskId),
    },
  );
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  await server.connect(new sdk.StdioServerTransport(toServer, toClient));
  const client = await connect(
    streams(() => ({ input: toClient, output: toServer })),
    { name: 'ours', version: '1.0.0', era: 'handshake' },
  );
  toServer.on('finish', () => toClient.end());
  onTestFinished(() => client.close());
  const task = await client.tasks.call('slow');
  const result = task.result();
  await taskStore.storeTaskResult(begun[0]!, 'completed', { content: [{ type: 'text', text: 'slowly' }] });
  expect((await result).content).toEqual([{ type: 'text', text: 'slowly' }]);
  const other = await client.tasks.call('slow');
  expect((await client.tasks.list()).map(({ taskId }) => taskId)).toEqual(begun);
  await other.cancel();
  expect(other.state?.status).toBe('cancelled');
  await expect(other.result()).rejects.toMatchObject({ reason: 'cancelled' });
});

test('client 1.32.2 receives declared requests as tasks, and the server awaits the results', async () => {
  const sdk = await load();
  const client = await sdkClient(sdk);
  client.setRequestHandler(sdk.CreateMessageRequestSchema, (async (
    request: { params: { task?: object } },
    extra: { taskStore: TaskStore },
  ) => {
    if (request.params.task === undefined) return answer('at once');
    const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 20 });
    await extra.taskStore.storeTaskResult(task.taskId, 'completed', answer('as a task'));
    return { task };
  }) as never);
  const { callTool } = client as unknown as { callTool(params: object): Promise<object> };
  expect(await callTool.call(client, { name: 'chat', arguments: {} })).toMatchObject({
    content: [{ text: 'as a task' }],
  });
});

function answer(model: string): object {
  return { role: 'assistant', model, content: { type: 'text', text: 'Hi' } };
}
