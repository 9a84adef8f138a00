import { expect, vi } from 'vitest';
import type { Message } from '../message.ts';
import type { Talk } from './talk.ts';
import { patient, relatedTask, relatedTo, turn, Works } from './works.ts';
import { over } from './world.ts';

const then = ['2025-11-25'] as const;
const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } };
const sure = { action: 'accept', content: { confirm: true } };

const taskOf = (taskId: string, status: string, more: object = {}) => ({
  taskId,
  status,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttl: null,
  pollInterval: 10,
  ...more,
});

/** Answers the requests of a call as tasks with these statuses, and returns the requests. */
async function play(
  talk: Talk,
  id: number,
  statuses: readonly string[],
  more: object = {},
): Promise<{ asked: Message[]; answer: Message }> {
  const asked: Message[] = [];
  const left = new Map<string, string[]>();
  for (;;) {
    const message = await talk.next();
    if (message.method === undefined && message.id === id) return { asked, answer: message };
    if (message.method === undefined || message.id === undefined) continue;
    asked.push(message);
    const { method, params } = message;
    const { taskId } = params;
    if (method === 'tasks/get')
      talk.reply(message.id, taskOf(taskId, left.get(taskId)?.shift() ?? 'completed', more));
    else if (method === 'tasks/result')
      talk.reply(message.id, {
        ...(taskId === 'said' ? sampled : sure),
        _meta: { [relatedTask]: { taskId } },
      });
    else {
      const named = method === 'sampling/createMessage' ? 'said' : 'sure';
      left.set(named, [...statuses]);
      talk.reply(message.id, { task: taskOf(named, 'working', more) });
    }
  }
}

over(then, 'a request that the client answers with a task is polled until its end', async (world) => {
  const { proves, revision } = world;
  const talk = await new Works().talk(revision, patient);
  const { asked, answer } = await play(talk, talk.start('tools/call', { name: 'chat', arguments: {} }), [
    'working',
    'working',
  ]);
  const methods = asked.map(({ method }) => method);
  const looks = ['tasks/get', 'tasks/get', 'tasks/get', 'tasks/result'];
  proves('2025-11-25/tasks/polling-continues-until-terminal-or-input-required', () =>
    expect(methods).toEqual(['sampling/createMessage', ...looks, 'elicitation/create', ...looks]),
  );
  proves('2025-11-25/tasks/polling-continues-when-not-blocked-on-result', () =>
    expect(methods.slice(1, 4)).toEqual(['tasks/get', 'tasks/get', 'tasks/get']),
  );
  proves('2025-11-25/tasks/requestor-does-not-rely-on-status-notification', () =>
    expect(answer.result.content[0].text).toBe('m true'),
  );
  proves('2025-11-25/tasks/actual-result-only-via-tasks-result', () =>
    expect(methods.filter((method) => method === 'tasks/result')).toHaveLength(2),
  );
  proves('2025-11-25/tasks/task-requests-omit-related-task-meta', () =>
    expect(asked.map(relatedTo).filter((id) => id !== undefined)).toEqual([]),
  );
  proves('2025-11-25/tasks/task-ids-tracked-by-requestor', () =>
    expect(asked.map(({ params }) => params.taskId)).toEqual(
      [undefined, 'said', 'said', 'said', 'said'].concat([undefined, 'sure', 'sure', 'sure', 'sure']),
    ),
  );
  proves('2025-11-25/tasks/tasks-list-cursor-is-opaque', () => expect(methods).not.toContain('tasks/list'));
});

over(then, 'status notifications of a task do not stop polling', async ({ proves, revision }) => {
  const talk = await new Works().talk(revision, patient);
  const id = talk.start('tools/call', { name: 'chat', arguments: {} });
  const question = await talk.awaitMessage('sampling/createMessage');
  talk.reply(question.id, { task: taskOf('said', 'working') });
  const first = await talk.awaitMessage('tasks/get');
  talk.notify('notifications/tasks/status', taskOf('said', 'completed'));
  talk.reply(first.id, taskOf('said', 'working'));
  const second = await talk.next();
  proves('2025-11-25/tasks/polling-continues-despite-notifications', () =>
    expect([second.method, second.params.taskId]).toEqual(['tasks/get', 'said']),
  );
  talk.notify('notifications/cancelled', { requestId: id });
});

over(then, 'the result of a task that requires input is requested', async ({ proves, revision }) => {
  const talk = await new Works().talk(revision, patient);
  const { asked } = await play(talk, talk.start('tools/call', { name: 'chat', arguments: {} }), [
    'working',
    'input_required',
  ]);
  proves('2025-11-25/tasks/requestor-calls-tasks-result-on-input-required', () =>
    expect(asked.slice(1, 4).map(({ method }) => method)).toEqual(['tasks/get', 'tasks/get', 'tasks/result']),
  );
});

over(then, 'a task is not polled more often than its pollInterval', async ({ proves, revision }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const talk = await new Works().talk(revision, patient);
    const id = talk.start('tools/call', { name: 'chat', arguments: {} });
    const question = await talk.awaitMessage('sampling/createMessage');
    talk.reply(question.id, { task: taskOf('said', 'working', { pollInterval: 50_000 }) });
    for (let turns = 0; turns < 20; turns++) await turn();
    await vi.advanceTimersByTimeAsync(49_999);
    const early = talk.heard.some(({ method }) => method === 'tasks/get');
    await vi.advanceTimersByTimeAsync(1);
    await talk.awaitMessage('tasks/get');
    proves('2025-11-25/tasks/poll-interval-respected', () => expect(early).toBe(false));
    talk.notify('notifications/cancelled', { requestId: id });
  } finally {
    vi.useRealTimers();
  }
});

over(then, 'an aborted call cancels the task of its request', async ({ proves, revision }) => {
  const giveUp = async (capabilities: object) => {
    const talk = await new Works().talk(revision, capabilities);
    const id = talk.start('tools/call', { name: 'chat', arguments: {} });
    const question = await talk.awaitMessage('sampling/createMessage');
    talk.reply(question.id, { task: taskOf('said', 'working', { pollInterval: 10_000 }) });
    await talk.request('ping');
    await turn();
    talk.notify('notifications/cancelled', { requestId: id });
    await talk.request('ping');
    await turn();
    await talk.request('ping');
    return talk.heard.filter(({ method }) => /cancel|tasks/.test(method ?? ''));
  };
  const heard = await giveUp(patient);
  proves('2025-11-25/cancellation/task-requests-cancelled-with-tasks-cancel', () =>
    expect(heard.map(({ method, params }) => [method, params])).toEqual([
      ['tasks/cancel', { taskId: 'said' }],
    ]),
  );
  proves('2025-11-25/tasks/requestor-does-not-rely-on-cancelled-task', () =>
    expect(heard.some(({ method }) => method === 'tasks/get')).toBe(false),
  );
  const { cancel: _cancel, ...unable } = patient.tasks;
  const silent = await giveUp({ ...patient, tasks: unable });
  proves('2025-11-25/tasks/tasks-cancel-gated-by-capability', () => expect(silent).toEqual([]));
});

over(then, 'a client gets requests as tasks only for declared methods', async (world) => {
  const { proves, revision } = world;
  const asked = async (tasks: object | undefined, name = 'chat', more: object = {}) => {
    const talk = await new Works().talk(revision, { ...patient, ...more, tasks });
    const { questions } = await talk.settleCall(name, {}, ({ method }) =>
      method === 'sampling/createMessage' ? sampled : method === 'roots/list' ? { roots: [] } : sure,
    );
    return questions.map(({ params }) => params !== undefined && 'task' in params);
  };
  const [none, some, where] = [
    await asked(undefined),
    await asked({ requests: { elicitation: { create: {} } } }),
    await asked(patient.tasks, 'where', { roots: {} }),
  ];
  proves('2025-11-25/tasks/no-tasks-without-tasks-capability', () => expect(none).toEqual([false, false]));
  proves('2025-11-25/tasks/tasks-only-with-declared-capability', () => expect(some).toEqual([false, true]));
  proves('2025-11-25/tasks/tasks-requests-set-is-exhaustive', () =>
    expect(new Set(where)).toEqual(new Set([false])),
  );
});
