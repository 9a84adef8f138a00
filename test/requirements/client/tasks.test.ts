import type { Client, Task } from '@rootbound/protocol/client';
import { expect, vi } from 'vitest';
import type { Message } from '../message.ts';
import type { Script, ScriptOptions } from './script.ts';
import { web } from './web.ts';
import { over } from './world.ts';

const then = ['2025-11-25'] as const;
const relatedTask = 'io.modelcontextprotocol/related-task';
const declared = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const inputSchema = { type: 'object' };
const tools = [
  { name: 'work', inputSchema, execution: { taskSupport: 'optional' } },
  { name: 'must', inputSchema, execution: { taskSupport: 'required' } },
  { name: 'never', inputSchema, execution: { taskSupport: 'forbidden' } },
  { name: 'plain', inputSchema },
];
const content = [{ type: 'text', text: 'done' }];

const taskOf = (status: string, more: object = {}): Task =>
  ({
    taskId: 't1',
    status,
    createdAt: '2026-01-01T00:00:00Z',
    lastUpdatedAt: '2026-01-01T00:00:00Z',
    ttl: null,
    pollInterval: 10,
    ...more,
  }) as Task;

const resultOf = { content, _meta: { [relatedTask]: { taskId: 't1' } } };

/** Returns the answers of a server whose task has these statuses one after another, and then keeps the last. */
function plays(statuses: readonly string[], more: object = {}): ScriptOptions {
  const left = [...statuses];
  return {
    capabilities: declared,
    answers: {
      'tools/list': { tools },
      'tools/call': ({ params }) =>
        params.task === undefined ? { content } : { task: taskOf('working', more) },
      'tasks/get': () => taskOf(left.length > 1 ? String(left.shift()) : String(left[0]), more),
      'tasks/result': resultOf,
      'tasks/cancel': () => taskOf('cancelled', more),
      'tasks/list': ({ params }) =>
        params?.cursor === undefined
          ? { tasks: [taskOf('working')], nextCursor: 'opaque ☃ cursor' }
          : { tasks: [taskOf('completed')] },
    },
  };
}

const methodsOf = (script: Script) =>
  script.heard.flatMap(({ method }) => (method?.startsWith('tasks/') ? [method] : []));

over(then, 'a tool runs as a task if server and tool support it', async ({ proves, script }) => {
  const server = script(plays(['completed']));
  const client = await server.connect();
  await client.listTools();
  const refused = async (name: string, by: Client = client) =>
    by.tasks.call(name).then(
      () => 'asked',
      (error: Error) => error.name,
    );
  const [never, plain] = [await refused('never'), await refused('plain')];
  proves('2025-11-25/tasks/forbidden-tool-not-invoked-as-task', () => {
    expect([never, plain]).toEqual(['CapabilityError', 'CapabilityError']);
    expect(server.all('tools/call')).toEqual([]);
  });
  const { content: given } = await client.callTool('must');
  proves('2025-11-25/tasks/required-tool-invoked-as-task', () => {
    expect(server.all('tools/call')[0]?.params.task).toEqual({});
    expect(given).toEqual(content);
  });
  const without = async (capabilities: object) => {
    const other = script({ ...plays(['completed']), capabilities });
    const asking = await other.connect();
    const outcome = await refused('work', asking);
    return [outcome, other.all('tools/call').length];
  };
  const [none, empty, elsewhere] = [
    await without({ tools: {} }),
    await without({ tools: {}, tasks: {} }),
    await without({ tools: {}, tasks: { requests: { tools: {} } } }),
  ];
  proves('2025-11-25/tasks/no-tasks-without-tasks-capability', () =>
    expect(none).toEqual(['CapabilityError', 0]),
  );
  proves('2025-11-25/tasks/tasks-only-with-declared-capability', () =>
    expect(empty).toEqual(['CapabilityError', 0]),
  );
  proves('2025-11-25/tasks/no-tool-tasks-without-server-capability', () =>
    expect(elsewhere).toEqual(['CapabilityError', 0]),
  );
  proves('2025-11-25/tasks/tasks-requests-set-is-exhaustive', () =>
    expect(elsewhere).toEqual(['CapabilityError', 0]),
  );
  const lacking = script({ ...plays(['working']), capabilities: { tasks: { requests: {} } } });
  const unable = await lacking.connect();
  const outcomes = await Promise.all(
    [unable.tasks.list(), unable.tasks.cancel('t1')].map((asked) =>
      asked.then(
        () => 'asked',
        (error: Error) => error.message,
      ),
    ),
  );
  proves('2025-11-25/tasks/tasks-list-gated-by-capability', () =>
    expect([outcomes[0], lacking.all('tasks/list')]).toEqual([
      expect.stringContaining('tasks/list needs the capability'),
      [],
    ]),
  );
  proves('2025-11-25/tasks/tasks-cancel-gated-by-capability', () =>
    expect([outcomes[1], lacking.all('tasks/cancel')]).toEqual([
      expect.stringContaining('tasks/cancel needs the capability'),
      [],
    ]),
  );
});

over(then, 'a task is polled until its end, and then its result is requested', async ({ proves, script }) => {
  const server = script(plays(['working', 'working', 'completed']));
  const client = await server.connect();
  const task = await client.tasks.call('work');
  proves('2025-11-25/tasks/accepted-task-request-returns-create-task-result', () =>
    expect([task.taskId, task.state?.status]).toEqual(['t1', 'working']),
  );
  proves('2025-11-25/tasks/create-task-result-wraps-task', () =>
    expect(task.state).toEqual(taskOf('working')),
  );
  const { content: given, _meta } = await task.result();
  const methods = methodsOf(server);
  proves('2025-11-25/tasks/polling-continues-until-terminal-or-input-required', () =>
    expect(methods).toEqual(['tasks/get', 'tasks/get', 'tasks/get', 'tasks/result']),
  );
  proves('2025-11-25/tasks/polling-continues-when-not-blocked-on-result', () =>
    expect(methods.slice(0, 3)).toEqual(['tasks/get', 'tasks/get', 'tasks/get']),
  );
  proves('2025-11-25/tasks/requestor-does-not-rely-on-status-notification', () =>
    expect(given).toEqual(content),
  );
  proves('2025-11-25/tasks/actual-result-only-via-tasks-result', () =>
    expect(methods.filter((method) => method === 'tasks/result')).toHaveLength(1),
  );
  proves('2025-11-25/tasks/task-result-has-original-result-type', () =>
    expect([given, _meta]).toEqual([content, { [relatedTask]: { taskId: 't1' } }]),
  );
  proves('2025-11-25/tasks/task-requests-omit-related-task-meta', () =>
    expect(server.heard.filter(({ params }) => params?._meta?.[relatedTask] !== undefined)).toEqual([]),
  );
  proves('2025-11-25/tasks/task-id-parameter-identifies-the-task', () =>
    expect(server.all('tasks/get').map(({ params }) => params)).toEqual(Array(3).fill({ taskId: 't1' })),
  );
  const held = await client.tasks.resume('t1');
  proves('2025-11-25/tasks/task-ids-tracked-by-requestor', () => expect(held.taskId).toBe(task.taskId));
  const pages = await client.tasks.list();
  proves('2025-11-25/tasks/tasks-list-cursor-is-opaque', () =>
    expect(server.all('tasks/list').map(({ params }) => params?.cursor)).toEqual([
      undefined,
      'opaque ☃ cursor',
    ]),
  );
  proves('2025-11-25/tasks/tasks-list-is-paginated', () => expect(pages).toHaveLength(2));
});

over(then, 'status notifications of a task are used, and not required', async ({ proves, script }) => {
  const server = script(plays(['working', 'working', 'completed']));
  const client = await server.connect();
  const progress: Message[] = [];
  const task = await client.tasks.call('work', {}, { onProgress: (update) => progress.push(update) });
  const heard: Task[] = [];
  task.onStatus((state) => heard.push(state));
  const { progressToken } = server.all('tools/call')[0]?.params._meta ?? {};
  server.say({ method: 'notifications/progress', params: { progressToken, progress: 1, message: 'half' } });
  const state = taskOf('working', { statusMessage: 'half of it', lastUpdatedAt: '2026-01-01T00:00:01Z' });
  server.say({ method: 'notifications/tasks/status', params: state });
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 120_000 });
  proves('2025-11-25/tasks/status-notification-carries-full-task', () => expect(heard[0]).toEqual(state));
  proves('2025-11-25/tasks/task-progress-token-valid-until-terminal', () =>
    expect(progress).toEqual([{ progress: 1, message: 'half' }]),
  );
  proves('2025-11-25/tasks/task-progress-uses-original-token', () =>
    expect([typeof progressToken, progress.length]).toEqual(['string', 1]),
  );
  const later = { lastUpdatedAt: '2026-01-01T00:00:02Z' };
  server.say({ method: 'notifications/tasks/status', params: taskOf('input_required', later) });
  await vi.waitFor(() => expect(task.state?.status).toBe('input_required'), { timeout: 120_000 });
  server.say({ method: 'notifications/tasks/status', params: taskOf('working', later) });
  await vi.waitFor(() => expect(task.state?.status).toBe('working'), { timeout: 120_000 });
  proves('2025-11-25/tasks/task-leaves-input-required-after-input', () =>
    expect(heard.map(({ status }) => status)).toEqual(['working', 'input_required', 'working']),
  );
  const before = server.all('tasks/get').length;
  const other = script(plays(['working', 'working', 'completed'], later));
  const asking = await other.connect();
  const second = await asking.tasks.call('work');
  const result = second.result();
  await other.awaitMessage('tasks/get');
  other.say({ method: 'notifications/tasks/status', params: taskOf('working', later) });
  await result;
  proves('2025-11-25/tasks/polling-continues-despite-notifications', () =>
    expect([before, other.all('tasks/get').length]).toEqual([0, 3]),
  );
  const ended: Message[] = [];
  const third = await asking.tasks.call('work', {}, { onProgress: (update) => ended.push(update) });
  const token = other.all('tools/call')[1]?.params._meta.progressToken;
  await third.result();
  other.say({ method: 'notifications/progress', params: { progressToken: token, progress: 9 } });
  await other.ask('p', 'ping');
  proves('2025-11-25/tasks/task-progress-stops-at-terminal-status', () => expect(ended).toEqual([]));
  third.learn(taskOf('working', { lastUpdatedAt: '2027-01-01T00:00:00Z' }));
  proves('2025-11-25/tasks/terminal-task-never-changes-status', () =>
    expect(third.state?.status).toBe('completed'),
  );
});

over(
  then,
  'the result of a task that requires input is requested, and its requests are answered',
  async ({ proves, script }) => {
    const server = script({
      ...plays(['working', 'input_required']),
      answers: { ...plays(['working', 'input_required']).answers, 'tasks/result': () => undefined },
    });
    const client = await server.connect({
      elicitation: () => ({ action: 'accept', content: { sure: true } }),
    });
    const task = await client.tasks.call('work');
    const outcome = task.result();
    const asked = await server.awaitMessage('tasks/result');
    proves('2025-11-25/tasks/requestor-calls-tasks-result-on-input-required', () =>
      expect(methodsOf(server)).toEqual(['tasks/get', 'tasks/get', 'tasks/result']),
    );
    const _meta = { [relatedTask]: { taskId: 't1' } };
    const properties = { sure: { type: 'boolean' } };
    const answer = await server.ask('q', 'elicitation/create', {
      mode: 'form',
      message: 'Sure?',
      requestedSchema: { type: 'object', properties },
      _meta,
    });
    proves('2025-11-25/tasks/task-messages-carry-related-task-meta', () =>
      expect(answer.result._meta).toEqual(_meta),
    );
    proves('2025-11-25/tasks/task-input-request-has-related-task-meta', () =>
      expect(answer.result).toEqual({ action: 'accept', content: { sure: true }, _meta }),
    );
    proves('2025-11-25/tasks/task-nested-elicitation-shares-task-id', () =>
      expect(answer.result._meta[relatedTask].taskId).toBe('t1'),
    );
    server.say({ id: asked.id, result: resultOf });
    expect((await outcome).content).toEqual(content);
  },
);

over(then, 'a task is not polled more often than its pollInterval', async ({ proves, script }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const server = script(plays(['completed'], { pollInterval: 50_000 }));
    const client = await server.connect();
    const task = await client.tasks.call('work');
    const result = task.result();
    await vi.advanceTimersByTimeAsync(49_999);
    await server.ask('p', 'ping');
    const early = methodsOf(server);
    await vi.advanceTimersByTimeAsync(1);
    await result;
    proves('2025-11-25/tasks/poll-interval-respected', () => expect(early).toEqual([]));
  } finally {
    vi.useRealTimers();
  }
});

over(then, 'a task is cancelled by tasks/cancel, and not polled afterwards', async ({ proves, script }) => {
  const server = script(plays(['working']));
  const client = await server.connect();
  const task = await client.tasks.call('work');
  const outcome = task.result().catch((error: { reason?: string }) => error.reason);
  await server.awaitMessage('tasks/get');
  await task.cancel();
  const reason = await outcome;
  const asked = methodsOf(server);
  await server.ask('p', 'ping');
  proves('2025-11-25/cancellation/task-requests-cancelled-with-tasks-cancel', () => {
    expect(asked).toContain('tasks/cancel');
    const about = server.all('notifications/cancelled').map(({ params }) => params.requestId);
    expect(about).not.toContain(server.all('tools/call')[0]?.id);
  });
  proves('2025-11-25/tasks/requestor-does-not-rely-on-cancelled-task', () => {
    expect(reason).toBe('cancelled');
    expect(asked.at(-1)).toBe('tasks/cancel');
    expect(methodsOf(server)).toEqual(asked);
  });
});

over(then, 'the result of a task reaches the caller like that of a call', async ({ proves, script }) => {
  const failing = script({
    ...plays(['failed'], { statusMessage: 'no luck' }),
    answers: {
      ...plays(['failed'], { statusMessage: 'no luck' }).answers,
      'tasks/result': { ...resultOf, isError: true },
    },
  });
  const task = await (await failing.connect()).tasks.call('work');
  const failure = await task.result();
  proves('2025-11-25/tasks/task-with-tool-error-is-failed', () =>
    expect([task.state?.status, failure.isError]).toEqual(['failed', true]),
  );
  proves('2025-11-25/tasks/failed-task-has-status-message', () =>
    expect(task.state?.statusMessage).toBe('no luck'),
  );
  proves('2025-11-25/tasks/tasks-result-returns-successful-result', () =>
    expect(failure.content).toEqual(content),
  );
  const error = { code: -32603, message: 'it broke', data: { part: 'spring' } };
  const breaking = script({
    ...plays(['failed']),
    answers: { ...plays(['failed']).answers, 'tasks/result': { error } },
  });
  const broken = await (await breaking.connect()).tasks.call('work');
  const thrown = await broken.result().catch((reason: Message) => reason);
  proves('2025-11-25/tasks/task-with-json-rpc-error-is-failed', () =>
    expect(broken.state?.status).toBe('failed'),
  );
  proves('2025-11-25/tasks/tasks-result-returns-same-json-rpc-error', () =>
    expect(thrown).toMatchObject({ name: 'RpcError', ...error }),
  );
});

over(then, 'over HTTP status notifications of a task arrive on any stream', async ({ proves, revision }) => {
  let stream: { event(message: object): unknown } | undefined;
  const site = await web(revision, {
    capabilities: declared,
    session: 's1',
    play: (asked) => {
      const { message, method } = asked;
      if (method === 'GET') {
        stream = asked.stream();
        return false;
      }
      const post = plays(['working', 'completed']).answers?.[message.method];
      if (post === undefined) return true;
      asked.result(typeof post === 'function' ? (post(message) ?? {}) : post);
      return false;
    },
  });
  const client = await site.connect();
  const task = await client.tasks.call('work');
  await site.hears(({ method }) => method === 'GET');
  const heard: Task[] = [];
  task.onStatus((state) => heard.push(state));
  const state = taskOf('working', { statusMessage: 'half', lastUpdatedAt: '2026-01-01T00:00:01Z' });
  stream?.event({ method: 'notifications/tasks/status', params: state });
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 120_000 });
  proves('2025-11-25/tasks/task-messages-expected-on-any-sse-stream', () => expect(heard).toEqual([state]));
  stream?.event({
    method: 'notifications/tasks/status',
    params: taskOf('completed', { lastUpdatedAt: '2026-01-01T00:00:02Z' }),
  });
  const { content: given } = await task.result();
  proves('2025-11-25/tasks/task-streams-follow-streamable-http', () => {
    expect(given).toEqual(content);
    expect(site.posts('tasks/result')[0]?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'mcp-session-id': 's1',
      'mcp-protocol-version': revision,
    });
  });
});
