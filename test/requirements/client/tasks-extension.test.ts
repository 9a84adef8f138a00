import { expect, vi } from 'vitest';
import { stateless } from '../revisions.ts';
import type { ScriptOptions } from './script.ts';
import { over } from './world.ts';

const extensions = { 'io.modelcontextprotocol/tasks': {} };
const complete = { resultType: 'complete' };
const content = [{ type: 'text', text: 'done' }];
const question = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
  },
};

const taskOf = (status: string, more: object = {}) => ({
  taskId: 't1',
  status,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ttlMs: 60_000,
  pollIntervalMs: 10,
  ...more,
});

/** Returns the answers of a server whose task has these states one after another. */
function plays(states: readonly object[]): ScriptOptions {
  const left = [...states];
  return {
    capabilities: { tools: {}, extensions },
    answers: {
      'tools/call': ({ params }) =>
        params.name === 'quick'
          ? { ...complete, content }
          : { resultType: 'task', ...taskOf('working', left[0]), status: 'working' },
      'tasks/get': () => ({ ...complete, ...(left.length > 1 ? left.shift() : left[0]) }),
      'tasks/update': complete,
      'tasks/cancel': complete,
    },
  };
}

const done = taskOf('completed', { result: { ...complete, content } });

over(
  stateless,
  'a call declares that its client accepts tasks, and either result is accepted',
  async (world) => {
    const { proves, script } = world;
    const server = script(plays([taskOf('working'), taskOf('working'), done]));
    const client = await server.connect();
    const task = await client.tasks.call('slow');
    const later = await task.result();
    const declared = server.heard
      .filter(({ method }) => method === 'tools/call' || method === 'tasks/get')
      .map(({ params }) => params._meta['io.modelcontextprotocol/clientCapabilities'].extensions);
    proves('2026-07-28/tasks/tasks-extension-declared-per-request', () =>
      expect(declared).toEqual(Array(4).fill(extensions)),
    );
    const at = await client.tasks.call('quick');
    const once = await at.result();
    proves('2026-07-28/tasks/client-handles-polymorphic-result', () =>
      expect([later.content, once.content, at.taskId]).toEqual([content, content, undefined]),
    );
    proves('2026-07-28/tasks/polling-is-the-default', () =>
      expect([server.all('tasks/get').length, server.all('subscriptions/listen').length]).toEqual([3, 0]),
    );
    const ended: unknown[] = [];
    for (const status of ['completed', 'failed', 'cancelled']) {
      const more = {
        completed: { result: { ...complete, content } },
        failed: { error: { code: -32603, message: 'it broke' } },
        cancelled: {},
      }[status];
      const other = script(plays([taskOf('working'), taskOf(status, more)]));
      const ending = await (await other.connect()).tasks.call('slow');
      const outcome = await ending.result().then(
        () => 'result',
        (error: Error) => error.message,
      );
      ended.push([outcome, other.all('tasks/get').length]);
    }
    proves('2026-07-28/tasks/polls-until-terminal', () =>
      expect(ended).toEqual([
        ['result', 2],
        ['it broke', 2],
        ['the task was cancelled', 2],
      ]),
    );
  },
);

over(stateless, 'a task is not polled more often than its pollInterval', async ({ proves, script }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const server = script(plays([{ ...done, pollIntervalMs: 50_000 }]));
    const client = await server.connect();
    const task = await client.tasks.call('slow');
    const result = task.result();
    await vi.advanceTimersByTimeAsync(49_999);
    const early = server.all('tasks/get').length;
    await vi.advanceTimersByTimeAsync(1);
    await result;
    proves('2026-07-28/tasks/poll-interval-respected', () =>
      expect([early, server.all('tasks/get').length]).toEqual([0, 1]),
    );
  } finally {
    vi.useRealTimers();
  }
});

over(
  stateless,
  'input requests of a task are passed to the user, and the responses are sent',
  async (world) => {
    const { proves, script } = world;
    const asking = taskOf('input_required', { inputRequests: { first: question } });
    const server = script(plays([asking, done]));
    const asked: string[] = [];
    const client = await server.connect({
      elicitation: ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { sure: true } };
      },
    });
    await (await client.tasks.call('slow')).result();
    proves('2026-07-28/tasks/input-submitted-with-tasks-update', () => {
      expect(asked).toEqual(['Sure?']);
      expect(server.all('tasks/update').map(({ params }) => [params.taskId, params.inputResponses])).toEqual([
        ['t1', { first: { action: 'accept', content: { sure: true } } }],
      ]);
    });
  },
);

over(stateless, 'a task can be resumed by its id', async ({ proves, script }) => {
  const server = script(plays([taskOf('working')]));
  const { taskId } = await (await server.connect()).tasks.call('slow');
  const written = JSON.stringify({ taskId });
  await server.close();
  const restarted = script(plays([taskOf('working'), done]));
  const task = await (await restarted.connect()).tasks.resume(JSON.parse(written).taskId);
  const { content: given } = await task.result();
  proves('2026-07-28/tasks/task-ids-stored-durably', () => expect(given).toEqual(content));
});
