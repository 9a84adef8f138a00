import { describe, expect, test } from 'vitest';
import {
  CapabilityError,
  type Client,
  type ClientOptions,
  ConnectionError,
  connect,
  RpcError,
  streams,
  type Task,
} from '../../src/client.ts';
import { allRevisions, type Revision } from '../../src/index.ts';
import { serveMemory } from '../../src/transports/memory.ts';
import { complete, oldServer, scripted } from '../client/scripted.ts';
import { Tap } from '../client/tap.ts';
import type { Message } from '../wire/message.ts';
import { happens, type Stage, stage } from './stage.ts';

interface Pair {
  client: Client;
  tap: Tap;
}

/** Returns a client of the stage whose messages are checked. */
async function open(of: Stage, revision: Revision, options: Partial<ClientOptions> = {}): Promise<Pair> {
  const tap = new Tap(
    streams(() => serveMemory(of.server)),
    revision,
  );
  const stateless = revision === '2026-07-28';
  const client = await connect(tap, {
    name: 'tester',
    version: '1.0.0',
    era: stateless ? { pinned: revision } : 'handshake',
    ...(!stateless && { revision }),
    ...options,
  });
  return { client, tap };
}

/** Answers forms by their message. */
const person = (answers: Record<string, object>): Partial<ClientOptions> => ({
  elicitation: ({ message }) => ({ action: 'accept', content: answers[message] as Record<string, string> }),
});
const names = person({
  'First name?': { name: 'Ada' },
  'Last name?': { name: 'Lovelace' },
  'Nickname?': { name: 'AAL' },
  'Who?': { name: 'Ada' },
});

describe.each(['2025-11-25', '2026-07-28'] as const)('%s', (revision) => {
  const stateless = revision === '2026-07-28';

  test('a call runs as a task until its result is available', async () => {
    const scene = stage({});
    const { client, tap } = await open(scene, revision);
    const task = await client.tasks.call('work', { label: 'a' });
    expect(task.state).toMatchObject({
      taskId: task.taskId,
      status: 'working',
      ttl: 900_000,
      pollInterval: 10,
    });
    const statuses: string[] = [];
    task.onStatus(({ status }) => statuses.push(status));
    const result = task.result();
    await happens(scene, 'began a');
    scene.open('a');
    expect((await result).structuredContent).toEqual({ done: 'a' });
    expect(statuses).toEqual(['completed']);
    expect((await task.result()).structuredContent).toEqual({ done: 'a' });
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  test('input requests of a task are answered once each, with several waiting callers', async () => {
    const { client, tap } = await open(stage({}), revision, names);
    const task = await client.tasks.call('introduce');
    const [one, two] = await Promise.all([task.result(), task.result()]);
    expect(one.content).toEqual([{ type: 'text', text: 'Ada Lovelace AAL' }]);
    expect(two).toBe(one);
    await client.close();
    expect(tap.faults).toEqual([]);
    const questions = [...tap.heard, ...tap.sent].filter(
      ({ method }) => method === (stateless ? 'tasks/update' : 'elicitation/create'),
    );
    expect(questions).toHaveLength(stateless ? 2 : 3);
  });

  test('a task is cancelled by its own request, and its result is a cancellation', async () => {
    const scene = stage({});
    const { client, tap } = await open(scene, revision);
    const task = await client.tasks.call('work', { label: 'a' });
    const result = task.result();
    await happens(scene, 'began a');
    const refused = expect(result).rejects.toMatchObject({ name: 'ConnectionError', reason: 'cancelled' });
    await task.cancel();
    await refused;
    expect(scene.did).toEqual(['began a', 'aborted a']);
    await client.close();
    expect(tap.faults).toEqual([]);
    const methods = tap.sent.map(({ method }) => method);
    expect(methods).toContain('tasks/cancel');
    expect(methods).not.toContain('notifications/cancelled');
  });

  test('a failure of the tool is a result and an error of the call is an error', async () => {
    const { client } = await open(stage({}), revision);
    expect((await (await client.tasks.call('fail')).result()).isError).toBe(true);
    const broken = (await client.tasks.call('break')).result();
    await expect(broken).rejects.toMatchObject({
      code: -32603,
      message: 'it broke',
      data: { part: 'spring' },
    });
    await expect(broken).rejects.toBeInstanceOf(RpcError);
    await client.close();
  });

  test('a signal ends the wait and does not affect other callers', async () => {
    const scene = stage({});
    const { client } = await open(scene, revision);
    const task = await client.tasks.call('work', { label: 'a' });
    const controller = new AbortController();
    const given = task.result({ signal: controller.signal });
    const refused = expect(given).rejects.toBeInstanceOf(ConnectionError);
    controller.abort();
    await refused;
    scene.open('a');
    expect((await task.result()).structuredContent).toEqual({ done: 'a' });
    await client.close();
  });

  test('a task is resumed by its id', async () => {
    const scene = stage({});
    const { client } = await open(scene, revision);
    const { taskId } = await client.tasks.call('fail');
    await (await client.tasks.call('fail')).result();
    const resumed = await client.tasks.resume(taskId!, 'fail');
    expect((await resumed.result()).isError).toBe(true);
    const again = await client.tasks.resume(taskId!);
    expect([again.state?.taskId, (await again.result()).isError]).toEqual([taskId, true]);
    await expect(client.tasks.resume('nope')).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('a tool that runs only as a task is called like any other', async () => {
    const { client, tap } = await open(stage({}), revision, names);
    await client.listTools();
    expect((await client.callTool('must')).content).toEqual([{ type: 'text', text: 'did it' }]);
    expect((await client.callTool('greet_later')).content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  test('cancelling a call that had to be a task cancels the task', async () => {
    const scene = stage({}, {});
    const { client } = await open(scene, revision);
    const controller = new AbortController();
    const given = client.tasks.run('work', { label: 'a' }, { signal: controller.signal });
    const refused = expect(given).rejects.toBeInstanceOf(ConnectionError);
    await happens(scene, 'began a');
    controller.abort();
    await refused;
    await happens(scene, 'aborted a');
    await client.close();
  });

  test('a plain call of a tool with optional tasks creates none', async () => {
    const scene = stage({});
    const { client, tap } = await open(scene, revision);
    scene.open('a');
    expect((await client.callTool('work', { label: 'a' })).structuredContent).toEqual({ done: 'a' });
    expect(tap.heard.some(({ result }) => result?.task !== undefined || result?.taskId !== undefined)).toBe(
      false,
    );
    await client.close();
  });

  test('get returns the state, and updates the handle', async () => {
    const scene = stage({});
    const { client } = await open(scene, revision);
    const task = await client.tasks.call('report');
    const heard: (string | undefined)[] = [];
    task.onStatus(({ statusMessage }) => heard.push(statusMessage));
    let state: Task;
    do state = await client.tasks.get(task.taskId!);
    while (
      state.statusMessage === undefined &&
      (await new Promise((resolve) => setImmediate(resolve, true)))
    );
    expect([state.status, state.statusMessage, heard[0]]).toEqual(['working', 'half of it', 'half of it']);
    scene.open('report');
    expect((await task.result()).content).toEqual([{ type: 'text', text: 'reported' }]);
    await client.close();
  });

  test('output that does not match the schema of its tool is not passed on', async () => {
    const scene = stage({});
    const { client } = await open(scene, revision);
    await client.listTools();
    scene.open('a');
    const good = await (await client.tasks.call('work', { label: 'a' })).result();
    expect(good.structuredContent).toEqual({ done: 'a' });
    await client.close();
  });
});

test('progress of a task continues after its creation, and ends with it', async () => {
  const scene = stage({});
  const { client, tap } = await open(scene, '2025-11-25');
  const seen: unknown[] = [];
  const task = await client.tasks.call('report', {}, { onProgress: (update) => seen.push(update) });
  const result = task.result();
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  scene.open('report');
  await result;
  expect(seen[0]).toEqual({ progress: 1, total: 2, message: 'half of it' });
  await client.close();
  expect(tap.faults).toEqual([]);
});

test("the server's text for the model is available", async () => {
  const { client } = await open(stage({}), '2025-11-25');
  expect((await client.tasks.call('must')).notice).toBe('It runs; ask again later.');
  expect((await client.tasks.call('fail')).notice).toBe(undefined);
  await client.close();
});

test('states are compared as times, in any format', async () => {
  const states = ['2026-01-01T00:00:05.500Z', '2026-01-01T00:00:05Z', '2026-01-01T03:00:06+03:00'];
  const client = await pinned(showing());
  const task = await client.tasks.call('x');
  for (const [index, lastUpdatedAt] of states.entries())
    task.learn({ ...task.state!, statusMessage: `${index}`, lastUpdatedAt });
  // the second is half a second older than the first, and the third newer
  expect(task.state?.statusMessage).toBe('2');
  task.learn({ ...task.state!, statusMessage: 'old', lastUpdatedAt: '2026-01-01T00:00:05.900Z' });
  expect(task.state?.statusMessage).toBe('2');
  await client.close();
});

test('the tasks of a client are listed over all pages', async () => {
  const { client, tap } = await open(stage({}, { pageSize: 2 }), '2025-11-25');
  const ids: (string | undefined)[] = [];
  for (let i = 0; i < 5; i++) ids.push((await client.tasks.call('fail')).taskId);
  const listed = await client.tasks.list();
  expect(new Set(listed.map(({ taskId }) => taskId))).toEqual(new Set(ids));
  expect(listed).toHaveLength(5);
  await client.close();
  expect(tap.faults).toEqual([]);
});

test('a separate stream reports the state of a task if there is one', async () => {
  const scene = stage({ pollInterval: 3_600_000 });
  const { client, tap } = await open(scene, '2026-07-28', names);
  const task = await client.tasks.call('work', { label: 'a' }, { listen: true });
  const result = task.result();
  await happens(scene, 'began a');
  scene.open('a');
  // nobody polls the task within this hour
  expect((await result).structuredContent).toEqual({ done: 'a' });
  expect(tap.sent.map(({ method }) => method)).toContain('subscriptions/listen');
  expect(tap.sent.map(({ method }) => method)).not.toContain('tasks/get');
  await client.close();
  expect(tap.faults).toEqual([]);
});

test('the status notification of a session saves the next poll', async () => {
  const scene = stage({ pollInterval: 3_600_000 });
  const { client, tap } = await open(scene, '2025-11-25');
  const task = await client.tasks.call('work', { label: 'a' });
  const result = task.result();
  await happens(scene, 'began a');
  scene.open('a');
  expect((await result).structuredContent).toEqual({ done: 'a' });
  expect(tap.sent.map(({ method }) => method)).not.toContain('tasks/get');
  await client.close();
});

test.each(allRevisions.slice(0, 3))('%s has no task calls', async (revision) => {
  const { client } = await open(stage({}), revision);
  await expect(client.tasks.call('work', { label: 'a' })).rejects.toBeInstanceOf(CapabilityError);
  await expect(client.tasks.get('x')).rejects.toBeInstanceOf(CapabilityError);
  await expect(client.tasks.list()).rejects.toBeInstanceOf(CapabilityError);
  await client.close();
});

test('the extension has no list of tasks', async () => {
  const { client } = await open(stage({}), '2026-07-28');
  await expect(client.tasks.list()).rejects.toThrow('tasks/list is not part of 2026-07-28');
  await client.close();
});

test('a tool that does not run as a task is never called as one', async () => {
  const scene = stage({});
  const { client, tap } = await open(scene, '2025-11-25');
  await expect(client.tasks.call('plain')).rejects.toThrow('tool plain does not run as a task');
  expect(tap.sent.map(({ method }) => method)).not.toContain('tools/call');
  // the extension leaves that to the server, which responds directly
  const modern = await open(scene, '2026-07-28');
  const answered = await modern.client.tasks.call('plain');
  expect([answered.taskId, answered.state]).toEqual([undefined, undefined]);
  expect((await answered.result()).content).toEqual([{ type: 'text', text: 'plain' }]);
  await answered.cancel();
  await Promise.all([client.close(), modern.client.close()]);
});

test('tools of a server without tasks are never called as one, whatever they declare', async () => {
  const server = oldServer({ tools: {} }, () => {});
  const client = await connect(server.transport, { name: 'tester', version: '1.0.0', era: 'handshake' });
  await expect(client.tasks.call('work')).rejects.toThrow('the server does not run tools as tasks');
  await client.close();
});

test('undeclared task requests are not sent', async () => {
  const server = oldServer({ tools: {}, tasks: { requests: { tools: { call: {} } } } }, () => {});
  const client = await connect(server.transport, { name: 'tester', version: '1.0.0', era: 'handshake' });
  await expect(client.tasks.list()).rejects.toThrow('tasks.list');
  await expect(client.tasks.cancel('x')).rejects.toThrow('tasks.cancel');
  await client.close();
});

test('a server that does not declare the extension gets no task requests', async () => {
  const { client } = await open(stage(), '2026-07-28', { era: 'auto' });
  await expect(client.tasks.call('work', { label: 'a' })).rejects.toBeInstanceOf(CapabilityError);
  await client.close();
});

const created = {
  resultType: 'task',
  taskId: 't',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttlMs: null,
  pollIntervalMs: 1,
};

/** Returns a server of the extension that responds to each poll of its task with the next of these. */
function showing(...states: object[]) {
  return scripted((message, act) => {
    if (message.method === 'tools/call') act.say({ id: message.id, result: created });
    if (message.method === 'tasks/get') {
      const state = states.length > 1 ? states.shift() : states[0];
      act.say({ id: message.id, result: complete({ ...created, resultType: 'complete', ...state }) });
    }
    if (message.method === 'tasks/update' || message.method === 'tasks/cancel')
      act.say({ id: message.id, result: complete({}) });
  });
}

function pinned(server: ReturnType<typeof scripted>, options: Partial<ClientOptions> = {}): Promise<Client> {
  return connect(server.transport, {
    name: 'tester',
    version: '1.0.0',
    era: { pinned: '2026-07-28' },
    ...options,
  });
}

test('each request about tasks declares the extension, and no other does', async () => {
  const server = showing({ status: 'completed', result: { content: [] } });
  const client = await pinned(server);
  await (await client.tasks.call('x')).result();
  await client.callTool('x').catch(() => {
    // the script responds to every call with a task, which a call that declared nothing must refuse
  });
  const declared = server.heard.map(({ method, params }): [string, boolean] => {
    const capabilities = params._meta['io.modelcontextprotocol/clientCapabilities'];
    return [method, 'extensions' in capabilities];
  });
  expect(declared).toEqual([
    ['tools/call', true],
    ['tasks/get', true],
    ['tools/call', false],
  ]);
  await client.close();
});

test('a task as the response to a call that did not declare the extension is an error', async () => {
  const client = await pinned(showing());
  await expect(client.callTool('x')).rejects.toThrow('unknown resultType "task"');
  await client.close();
});

const question = {
  status: 'input_required',
  inputRequests: {
    who: {
      method: 'elicitation/create',
      params: {
        message: 'Who?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    },
  },
};

test('an input request that stays open over several polls is asked once', async () => {
  let asked = 0;
  const server = showing(question, question, question, { status: 'completed', result: { content: [] } });
  const client = await pinned(server, {
    elicitation: () => {
      asked += 1;
      return { action: 'accept', content: { name: 'Ada' } };
    },
  });
  await (await client.tasks.call('x')).result();
  expect(asked).toBe(1);
  const updates = server.heard.filter(({ method }) => method === 'tasks/update');
  expect(updates.map(({ params }: Message) => params.inputResponses)).toEqual([
    { who: { action: 'accept', content: { name: 'Ada' } } },
  ]);
  await client.close();
});

test('an input request that the client cannot answer ends the wait with its name', async () => {
  const client = await pinned(showing(question));
  await expect((await client.tasks.call('x')).result()).rejects.toThrow(
    'the task requires input that this client does not support: this client has no elicitation/create',
  );
  await client.close();
});

const malformed: [string, object][] = [
  ['a completed task without a result', { status: 'completed' }],
  ['a failed task without an error', { status: 'failed' }],
  ['a waiting task without questions', { status: 'input_required' }],
  ['a status that there is not', { status: 'paused' }],
  ['a life that is no number', { status: 'working', ttlMs: 'long' }],
  ['a result of another kind', { status: 'completed', result: { resultType: 'input_required' } }],
  ['a result that is none of a tool', { status: 'completed', result: { contents: [] } }],
];
test.each(malformed)('%s is invalid', async (_what, state) => {
  const client = await pinned(showing(state));
  await expect((await client.tasks.call('x')).result()).rejects.toMatchObject({ name: 'AnswerError' });
  await client.close();
});

test('a task that ended before its first notification is polled for its outcome', async () => {
  const server = scripted((message, act) => {
    const ended = { ...created, status: 'completed' };
    if (message.method === 'tools/call') act.say({ id: message.id, result: ended });
    if (message.method === 'tasks/get')
      act.say({ id: message.id, result: { ...ended, resultType: 'complete', result: { content: [] } } });
  });
  const client = await pinned(server);
  expect((await (await client.tasks.call('x')).result()).content).toEqual([]);
  await client.close();
});

test('an ended task never changes again, whatever notifications say', async () => {
  const server = showing({ status: 'cancelled', lastUpdatedAt: '2026-01-01T00:00:01Z' });
  const client = await pinned(server);
  const task = await client.tasks.call('x');
  await expect(task.result()).rejects.toBeInstanceOf(ConnectionError);
  task.learn({ ...task.state!, status: 'working', lastUpdatedAt: '2026-01-01T00:00:02Z' });
  expect(task.state?.status).toBe('cancelled');
  await client.close();
});
