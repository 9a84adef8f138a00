import type { ClientOptions, TaskOptions } from '@rootbound/protocol/client';
import { expect, vi } from 'vitest';
import { written } from '../documents.ts';
import type { Message } from '../message.ts';
import type { Script } from './script.ts';
import { over } from './world.ts';

const then = ['2025-11-25'] as const;
const relatedTask = 'io.modelcontextprotocol/related-task';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const sampled = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'Hi' } };
const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }];

/** A model that answers on demand. */
class Model {
  readonly aborted: string[] = [];
  asked = 0;
  #speak: (() => void)[] = [];

  readonly options = (tasks: TaskOptions = {}): Partial<ClientOptions> => ({
    tasks: { pollInterval: 10, ...tasks },
    elicitation: () => ({ action: 'accept', content: {} }),
    sampling: (_params, { signal }) =>
      new Promise((resolve, reject) => {
        this.asked += 1;
        this.#speak.push(() => resolve(sampled));
        signal.addEventListener('abort', () => {
          this.aborted.push(String((signal.reason as Error).message));
          reject(signal.reason as Error);
        });
      }),
  });

  speak(): void {
    for (const go of this.#speak.splice(0)) go();
  }

  /** Resolves after this number of requests. */
  async thinks(times = 1): Promise<void> {
    while (this.asked < times) await new Promise((resolve) => setImmediate(resolve));
  }
}

let last = 0;

function ask(script: Script, method: string, params: object = {}): Promise<Message> {
  return script.ask(`q${++last}`, method, params);
}

const begin = (script: Script, task: object = {}) =>
  ask(script, 'sampling/createMessage', { messages, maxTokens: 5, task });

async function until(script: Script, taskId: string, ...statuses: string[]): Promise<Message> {
  for (;;) {
    const { result } = await ask(script, 'tasks/get', { taskId });
    if (statuses.includes(result.status)) return result;
    // in-memory connections do not yield to the event loop
    await new Promise((resolve) => setImmediate(resolve));
  }
}

over(then, 'a request with task is answered by a task immediately', async ({ proves, script }) => {
  const model = new Model();
  const server = script();
  await server.connect(model.options({ maxTtl: 60_000, ttl: 30_000 }));
  const { capabilities } = (await server.awaitMessage('initialize')).params;
  proves('2025-11-25/tasks/tasks-capability-declared', () =>
    expect(capabilities.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
    }),
  );
  const created = await begin(server, { ttl: 45_000, taskId: 'mine' });
  const { task } = created.result;
  const { taskId } = task;
  await model.thinks();
  const looked = (await ask(server, 'tasks/get', { taskId })).result;
  proves('2025-11-25/tasks/accepted-task-request-returns-create-task-result', () =>
    expect(Object.keys(created.result)).toEqual(['task']),
  );
  // the model has not answered yet
  proves('2025-11-25/tasks/create-task-result-returned-promptly', () => expect(task.status).toBe('working'));
  proves('2025-11-25/tasks/task-id-is-a-string', () => expect(taskId).toBeTypeOf('string'));
  proves('2025-11-25/tasks/task-id-generated-by-receiver', () => expect(taskId).not.toBe('mine'));
  proves('2025-11-25/tasks/task-starts-working', () => expect(task.status).toBe('working'));
  proves('2025-11-25/tasks/task-responses-have-created-at', () => expect(task.createdAt).toMatch(ISO));
  proves('2025-11-25/tasks/task-responses-have-last-updated-at', () =>
    expect(looked.lastUpdatedAt).toMatch(ISO),
  );
  proves('2025-11-25/tasks/task-object-required-fields', () =>
    expect(Object.keys(looked).sort()).toEqual([
      'createdAt',
      'lastUpdatedAt',
      'pollInterval',
      'status',
      'taskId',
      'ttl',
    ]),
  );
  proves('2025-11-25/tasks/create-task-result-wraps-task', () =>
    expect([created.result.taskId, looked.task, looked.taskId]).toEqual([undefined, undefined, taskId]),
  );
  proves('2025-11-25/tasks/tasks-get-returns-actual-ttl', () => expect(looked.ttl).toBe(45_000));
  proves('2025-11-25/tasks/actual-result-only-via-tasks-result', () =>
    expect([created.result.content, looked.content]).toEqual([undefined, undefined]),
  );
  proves('2025-11-25/tasks/task-needing-input-moves-to-input-required', () =>
    // it sends no request to the server
    expect([looked.status, server.heard.filter(({ id, method }) => id && method).length]).toEqual([
      'working',
      1,
    ]),
  );
  const long = (await begin(server, { ttl: 10 ** 9 })).result.task;
  proves('2025-11-25/tasks/maximum-ttl-enforced', () => expect(long.ttl).toBe(60_000));
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) ids.push((await begin(server)).result.task.taskId);
  proves('2025-11-25/tasks/task-id-unique-at-receiver', () => expect(new Set(ids).size).toBe(20));
  proves('2025-11-25/tasks/task-ids-unguessable-without-binding', () => {
    for (const id of ids) expect(id).toMatch(UUID_V4);
  });
});

over(then, "the result of a client's task is the answer of the request", async ({ proves, script }) => {
  const model = new Model();
  const server = script();
  await server.connect(model.options());
  const { taskId } = (await begin(server)).result.task;
  await model.thinks();
  server.say({ id: 'waits', method: 'tasks/result', params: { taskId } });
  await ask(server, 'ping');
  const early = server.heard.some(({ id }) => id === 'waits');
  model.speak();
  const waited = await server.hears(({ id }) => id === 'waits');
  const { _meta, ...outcome } = waited.result;
  proves('2025-11-25/tasks/tasks-result-blocks-until-terminal', () =>
    expect([early, outcome]).toEqual([false, sampled]),
  );
  proves('2025-11-25/tasks/tasks-result-equals-underlying-outcome', () => expect(outcome).toEqual(sampled));
  proves('2025-11-25/tasks/task-result-has-original-result-type', () => expect(outcome.model).toBe('m'));
  proves('2025-11-25/tasks/tasks-result-response-has-related-task-meta', () =>
    expect(_meta).toEqual({ [relatedTask]: { taskId } }),
  );
  const other = (await begin(server)).result.task.taskId;
  const about = { _meta: { [relatedTask]: { taskId: other } } };
  const after = await ask(server, 'tasks/result', { taskId, ...about });
  const looked = await ask(server, 'tasks/get', { taskId, ...about });
  const listed = await ask(server, 'tasks/list', about);
  const cancelled = await ask(server, 'tasks/cancel', { taskId: other });
  proves('2025-11-25/tasks/tasks-result-of-terminal-task-returns-final-result', () =>
    expect(after.result).toEqual(waited.result),
  );
  proves('2025-11-25/tasks/tasks-result-returns-successful-result', () =>
    expect(after.error).toBeUndefined(),
  );
  proves('2025-11-25/tasks/related-task-meta-ignored-in-task-requests', () =>
    expect([after.result._meta[relatedTask].taskId, looked.result.taskId]).toEqual([taskId, taskId]),
  );
  proves('2025-11-25/tasks/task-id-parameter-identifies-the-task', () =>
    expect([looked.result.status, cancelled.result.taskId]).toEqual(['completed', other]),
  );
  proves('2025-11-25/tasks/task-results-omit-related-task-meta', () =>
    expect([looked, listed, cancelled].map(({ result }) => result._meta)).toEqual([
      undefined,
      undefined,
      undefined,
    ]),
  );
  proves('2025-11-25/tasks/status-notification-omits-related-task-meta', () =>
    expect(server.all('notifications/tasks/status').filter(({ params }) => params._meta)).toEqual([]),
  );
  proves('2025-11-25/tasks/gettable-task-is-listed', () =>
    expect(new Set(listed.result.tasks.map(({ taskId: id }: Message) => id))).toEqual(
      new Set([taskId, other]),
    ),
  );
});

over(then, "a client's task ends once", async ({ proves, script }) => {
  const model = new Model();
  const server = script();
  await server.connect(model.options());
  const { taskId } = (await begin(server)).result.task;
  await model.thinks();
  const cancelled = await ask(server, 'tasks/cancel', { taskId });
  proves('2025-11-25/tasks/task-cancelled-before-cancel-response', () =>
    expect(cancelled.result.status).toBe('cancelled'),
  );
  proves('2025-11-25/tasks/cancelled-task-execution-stopped', () =>
    expect(model.aborted).toEqual(['cancelled by request']),
  );
  model.speak();
  await ask(server, 'ping');
  const after = (await ask(server, 'tasks/get', { taskId })).result;
  proves('2025-11-25/tasks/cancelled-task-stays-cancelled', () => expect(after.status).toBe('cancelled'));
  proves('2025-11-25/tasks/terminal-task-never-changes-status', () =>
    expect(after.lastUpdatedAt).toBe(cancelled.result.lastUpdatedAt),
  );
  const again = await ask(server, 'tasks/cancel', { taskId });
  proves('2025-11-25/tasks/cancel-of-terminal-task-gets-32602', () => expect(again.error.code).toBe(-32602));
  const unknown: Message[] = [];
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    unknown.push(await ask(server, method, { taskId: 'nope' }));
  proves('2025-11-25/tasks/unknown-task-id-gets-32602', () =>
    expect(unknown.map(({ error }) => error.code)).toEqual([-32602, -32602, -32602]),
  );
  const bad = [
    await ask(server, 'tasks/list', { cursor: 'x' }),
    await ask(server, 'tasks/list', { cursor: '' }),
  ];
  proves('2025-11-25/tasks/invalid-tasks-list-cursor-gets-32602', () =>
    expect(bad.map(({ error }) => error.code)).toEqual([-32602, -32602]),
  );
  proves('2025-11-25/tasks/task-error-messages-are-informative', () =>
    expect([again, unknown[0], bad[0]].map((each) => each?.error.message)).toEqual([
      'the task is cancelled and cannot be cancelled',
      'taskId names no task of yours; it may have expired',
      'cursor is not one that tasks/list returned; start again without it',
    ]),
  );

  const done = (await begin(server)).result.task.taskId;
  await model.thinks(2);
  model.speak();
  await until(server, done, 'completed');
  const failing = script();
  await failing.connect({
    ...model.options(),
    sampling: () => {
      throw new Error('no model');
    },
  });
  const broken = (await begin(failing)).result.task.taskId;
  const failed = await until(failing, broken, 'failed');
  const error = (await ask(failing, 'tasks/result', { taskId: broken })).error;
  proves('2025-11-25/tasks/task-with-json-rpc-error-is-failed', () => expect(failed.status).toBe('failed'));
  proves('2025-11-25/tasks/failed-task-has-status-message', () =>
    expect(failed.statusMessage).toBe(error.message),
  );
  const direct = await ask(failing, 'sampling/createMessage', { messages, maxTokens: 5 });
  proves('2025-11-25/tasks/tasks-result-returns-same-json-rpc-error', () =>
    expect(error).toEqual(direct.error),
  );
  const seen = [server, failing].flatMap(({ heard }) =>
    heard.flatMap(({ result }) => result?.status ?? result?.task?.status ?? []),
  );
  proves('2025-11-25/tasks/working-task-transitions', () =>
    expect(new Set(seen)).toEqual(new Set(['cancelled', 'completed', 'failed', 'working'])),
  );
  proves('2025-11-25/tasks/input-required-task-transitions', () =>
    expect(seen).not.toContain('input_required'),
  );
});

over(then, "a client's task belongs to its connection", async ({ proves, script }) => {
  const model = new Model();
  const [server, other] = [script(), script()];
  await server.connect(model.options());
  await other.connect(model.options());
  const { taskId } = (await begin(server)).result.task;
  const [own, foreign] = [
    await ask(server, 'tasks/get', { taskId }),
    await ask(other, 'tasks/get', { taskId }),
  ];
  proves('2025-11-25/tasks/tasks-bound-to-authorization-context', () =>
    expect([own.result.status, foreign.error.code]).toEqual(['working', -32602]),
  );
  const refused: Message[] = [foreign];
  for (const method of ['tasks/result', 'tasks/cancel']) refused.push(await ask(other, method, { taskId }));
  proves('2025-11-25/tasks/foreign-task-requests-rejected', () =>
    expect(refused.map(({ error }) => error.code)).toEqual([-32602, -32602, -32602]),
  );
  const lists = [await ask(server, 'tasks/list'), await ask(other, 'tasks/list')];
  proves('2025-11-25/tasks/tasks-list-limited-to-own-context', () =>
    expect(lists.map(({ result }) => result.tasks.length)).toEqual([1, 0]),
  );
  proves('2025-11-25/tasks/tasks-list-not-declared-without-requestor-identity', () =>
    expect(lists.map(({ result }) => result.tasks.length)).toEqual([1, 0]),
  );
});

over(then, "a client's tasks are listed in pages, limited and notified", async ({ proves, script }) => {
  const model = new Model();
  const events: Message[] = [];
  const server = script();
  await server.connect(model.options({ cap: 102, onEvent: (event) => events.push(event) }));
  const made: string[] = [];
  for (let count = 0; count < 102; count++) made.push((await begin(server)).result.task.taskId);
  const beyond = await begin(server);
  proves('2025-11-25/tasks/concurrent-tasks-limited-per-requestor', () =>
    expect(beyond.error.code).toBe(-32603),
  );
  proves('2025-11-25/tasks/task-resource-use-monitored', () =>
    expect(events.at(-1)).toEqual({ kind: 'refused', owner: 'server' }),
  );
  const first = (await ask(server, 'tasks/list')).result;
  const second = (await ask(server, 'tasks/list', { cursor: first.nextCursor })).result;
  proves('2025-11-25/tasks/tasks-list-has-next-cursor-when-more', () =>
    expect([typeof first.nextCursor, second.nextCursor]).toEqual(['string', undefined]),
  );
  proves('2025-11-25/tasks/tasks-list-is-paginated', () =>
    expect([first.tasks.length, second.tasks.length]).toEqual([100, 2]),
  );
  await model.thinks(8);
  model.speak();
  const [taskId] = made;
  await ask(server, 'tasks/result', { taskId });
  const about = events.filter((event) => event.taskId === taskId);
  proves('2025-11-25/tasks/task-events-logged-by-receiver', () =>
    expect(new Set(about.map(({ kind }) => kind))).toEqual(new Set(['created', 'read', 'settled'])),
  );
  proves('2025-11-25/tasks/task-logs-include-auth-context', () =>
    expect(new Set(about.map(({ owner }) => owner))).toEqual(new Set(['server'])),
  );
  await ask(server, 'tasks/get', { taskId: 'nope' });
  proves('2025-11-25/tasks/suspicious-task-patterns-monitored', () =>
    expect(events).toContainEqual({ kind: 'missed', owner: 'server' }),
  );
  const waits = made.at(-1);
  const before = server.heard.length;
  for (let count = 0; count < 1024; count++)
    server.say({ id: `w${count}`, method: 'tasks/result', params: { taskId: waits } });
  const refused = await ask(server, 'tasks/result', { taskId: waits });
  proves('2025-11-25/tasks/task-operations-rate-limited', () =>
    expect([refused.error.code, server.heard.length - before]).toEqual([-32603, 1]),
  );
});

over(then, "a client's task expires", async ({ proves, script }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    const model = new Model();
    const server = script();
    await server.connect(model.options());
    const { taskId } = (await begin(server, { ttl: 5000 })).result.task;
    await model.thinks();
    await vi.advanceTimersByTimeAsync(5000);
    const gone = await ask(server, 'tasks/get', { taskId });
    proves('2025-11-25/tasks/expired-tasks-cleaned-up', () =>
      expect([gone.error.code, model.aborted.length]).toEqual([-32602, 1]),
    );
  } finally {
    vi.useRealTimers();
  }
});

over(then, 'an error of the store is an internal error', async ({ proves, script }) => {
  const load = (): never => {
    throw new Error('the disk is on fire');
  };
  const server = script();
  await server.connect(
    new Model().options({ store: { save: () => {}, load, list: () => [], remove: () => {} } }),
  );
  const fault = await ask(server, 'tasks/get', { taskId: 'x' });
  proves('2025-11-25/tasks/task-internal-error-gets-32603', () => expect(fault.error.code).toBe(-32603));
});

over(then, 'a client without tasks answers the request itself', async ({ proves, script }) => {
  const server = script();
  await server.connect({ sampling: () => sampled });
  const { result } = await begin(server);
  proves('2025-11-25/tasks/undeclared-task-augmentation-ignored', () => expect(result).toEqual(sampled));
  const [list, cancel] = [
    await ask(server, 'tasks/list'),
    await ask(server, 'tasks/cancel', { taskId: 'x' }),
  ];
  proves('2025-11-25/tasks/tasks-list-gated-by-capability', () => expect(list.error.code).toBe(-32601));
  proves('2025-11-25/tasks/tasks-cancel-gated-by-capability', () => expect(cancel.error.code).toBe(-32601));
});

over(then, 'the limits of tasks are documented at their option', async ({ proves, script }) => {
  const text = written('packages/protocol/src/protocol/tasks/options.ts');
  const server = script();
  await server.connect(new Model().options());
  const { ttl } = (await begin(server, { ttl: 10 ** 12 })).result.task;
  for (let count = 1; count < 256; count++) await begin(server);
  const beyond = await begin(server);
  proves('2025-11-25/tasks/maximum-ttl-documented', () => {
    expect(text).toContain('that a requestor may ask for; default one day');
    expect(ttl).toBe(86_400_000);
  });
  proves('2025-11-25/tasks/concurrent-task-limit-documented', () => {
    expect(text).toContain('maximum number of tasks of one requestor; default 256');
    expect(beyond.error.code).toBe(-32603);
  });
  proves('2025-11-25/tasks/missing-context-binding-documented', () =>
    expect(text).toContain('its id alone gives access'),
  );
});
