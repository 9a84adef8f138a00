import type { TaskOptions } from '@rootbound/protocol';
import { expect } from 'vitest';
import { stateless } from '../revisions.ts';
import { begin, modern, turn, until, Works } from './works.ts';
import { over } from './world.ts';

type Store = NonNullable<TaskOptions['store']>;

const yes = { action: 'accept', content: { confirm: true } };

over(stateless, 'the server answers a call with a task, for a client that accepts them', async (world) => {
  const { proves, revision } = world;
  const works = new Works({ ttl: 5000, pollInterval: 25 });
  const talk = await works.talk(revision, modern);
  const discovered = await talk.request('server/discover');
  proves('2026-07-28/tasks/tasks-extension-advertised-in-discover', () =>
    expect(discovered.result.capabilities.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} }),
  );
  const { result } = await talk.call('work', { label: 'a' });
  proves('2026-07-28/tasks/create-task-result-type-is-task', () => expect(result.resultType).toBe('task'));
  proves('2026-07-28/tasks/create-task-result-fields', () =>
    expect(result).toMatchObject({
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'working',
      ttlMs: 5000,
      pollIntervalMs: 25,
    }),
  );
  const { taskId } = result;
  const looked = await talk.request('tasks/get', { taskId });
  proves('2026-07-28/tasks/tasks-get-returns-current-state', () =>
    expect([looked.result.taskId, looked.result.status]).toEqual([taskId, 'working']),
  );
  const wished = await talk.request('tools/call', { name: 'plain', arguments: {}, task: {} });
  const listed = (await talk.request('tools/list')).result.tools;
  proves('2026-07-28/tasks/server-decides-per-request-on-task', () =>
    expect([wished.result.resultType, JSON.stringify(listed).includes('taskSupport')]).toEqual([
      'complete',
      false,
    ]),
  );
  works.open('b');
  const { extensions: _extensions, ...unaware } = modern;
  const plain = await (await works.talk(revision, unaware)).call('work', { label: 'b' });
  proves('2026-07-28/tasks/no-task-for-undeclaring-client', () =>
    expect([plain.result.resultType, plain.result.structuredContent]).toEqual(['complete', { done: 'b' }]),
  );
  const ids = [taskId];
  for (let count = 0; count < 20; count++) ids.push(await begin(talk, 'fail'));
  proves('2026-07-28/tasks/task-id-is-unique', () => expect(new Set(ids).size).toBe(21));
});

over(stateless, 'a task is stored before its id is sent', async ({ proves, revision }) => {
  const kept: string[] = [];
  let keep = (): void => {};
  const may = new Promise<void>((resolve) => {
    keep = resolve;
  });
  const store: Store = {
    save: async ({ taskId }) => {
      await may;
      kept.push(taskId);
    },
    load: () => undefined,
    list: () => [],
    remove: () => {},
  };
  const works = new Works({ store });
  const talk = await works.talk(revision, modern);
  const id = talk.start('tools/call', { name: 'work', arguments: { label: 'a' } });
  for (let turns = 0; turns < 50; turns++) await turn();
  const early = talk.heard.length;
  keep();
  const { result } = await talk.answer(id);
  proves('2026-07-28/tasks/task-durably-created-before-response', () =>
    expect([early, kept]).toEqual([0, [result.taskId]]),
  );
});

over(stateless, 'an ended task has its result', async ({ proves, revision }) => {
  const works = new Works();
  const talk = await works.talk(revision, modern);
  works.open('a');
  const { extensions: _extensions, ...unaware } = modern;
  const direct = await (await works.talk(revision, unaware)).call('work', { label: 'a' });
  const { _meta, ...answer } = direct.result;
  const done = await until(talk, await begin(talk, 'work', { label: 'a' }), 'completed');
  proves('2026-07-28/tasks/completed-task-carries-result', () => expect(done.result).toEqual(answer));
  const failed = await until(talk, await begin(talk, 'fail'), 'completed', 'failed');
  const broken = await until(talk, await begin(talk, 'break'), 'completed', 'failed');
  proves('2026-07-28/tasks/failed-task-carries-json-rpc-error', () =>
    expect([failed.status, failed.result.isError, broken.status, broken.error]).toEqual([
      'completed',
      true,
      'failed',
      { code: -32603, message: 'it broke', data: { part: 'spring' } },
    ]),
  );
  const { taskId } = done;
  const cancelled = await talk.request('tasks/cancel', { taskId });
  const after = await talk.request('tasks/get', { taskId });
  proves('2026-07-28/tasks/terminal-task-never-changes', () =>
    expect({ ...after.result, _meta: undefined }).toEqual({ ...done, _meta: undefined }),
  );
  proves('2026-07-28/tasks/task-cancellation-is-cooperative', () =>
    expect([cancelled.error, after.result.status]).toEqual([undefined, 'completed']),
  );
  const { _meta: _own, ...acknowledged } = cancelled.result;
  proves('2026-07-28/tasks/tasks-cancel-acknowledged-with-empty-result', () =>
    expect(acknowledged).toEqual({ resultType: 'complete' }),
  );
});

over(
  stateless,
  'a task that requires input keeps its requests until they are answered',
  async ({ proves, revision }) => {
    const works = new Works();
    const talk = await works.talk(revision, modern);
    const taskId = await begin(talk, 'remove', { file: 'x' });
    const asking = await until(talk, taskId, 'input_required');
    proves('2026-07-28/tasks/input-required-task-carries-input-requests', () =>
      expect(asking.inputRequests).toEqual({
        sure: { method: 'elicitation/create', params: expect.objectContaining({ message: 'Remove x?' }) },
      }),
    );
    const unknown = await talk.request('tasks/update', { taskId, inputResponses: { nobody: yes } });
    const unchanged = await talk.request('tasks/get', { taskId });
    const update = await talk.request('tasks/update', { taskId, inputResponses: { sure: yes } });
    const { _meta, ...acknowledged } = update.result;
    await until(talk, taskId, 'working');
    await works.happens('remove x true');
    proves('2026-07-28/tasks/tasks-update-accepts-keyed-responses', () => {
      expect(acknowledged).toEqual({ resultType: 'complete' });
      expect(works.did).toEqual(['remove x true']);
    });
    const again = await talk.request('tasks/update', { taskId, inputResponses: { sure: yes } });
    proves('2026-07-28/tasks/tasks-update-ignores-unknown-keys', () =>
      expect([unknown.error, unchanged.result.status, again.error, works.did.length]).toEqual([
        undefined,
        'input_required',
        undefined,
        1,
      ]),
    );
    works.open('x');
    await until(talk, taskId, 'completed');
    const other = await begin(talk, 'work', { label: 'y' });
    await talk.request('tasks/cancel', { taskId: other });
    await until(talk, other, 'cancelled');
    await until(talk, await begin(talk, 'break'), 'failed');
    const statuses = talk.heard.flatMap(({ result }) => result?.status ?? []);
    proves('2026-07-28/tasks/task-statuses', () =>
      expect(new Set(statuses)).toEqual(
        new Set(['cancelled', 'completed', 'failed', 'input_required', 'working']),
      ),
    );
  },
);

over(
  stateless,
  'only subscribers are notified of a task, with its full state',
  async ({ proves, revision }) => {
    const works = new Works();
    const talk = await works.talk(revision, modern);
    const silent = await begin(talk, 'work', { label: 'a' });
    works.open('a');
    await until(talk, silent, 'completed');
    const notified = talk.heard.filter(({ method }) => method === 'notifications/tasks');
    const taskId = await begin(talk, 'work', { label: 'b' });
    talk.start('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    const first = await talk.awaitMessage('notifications/tasks');
    works.open('b');
    const second = await talk.until(
      ({ method, params }) => method === 'notifications/tasks' && params.status !== 'working',
    );
    proves('2026-07-28/tasks/task-notifications-opt-in-via-listen', () =>
      expect([notified, first.params.taskId]).toEqual([[], taskId]),
    );
    const { result } = await talk.request('tasks/get', { taskId });
    proves('2026-07-28/tasks/task-notification-carries-full-state', () => {
      const { resultType, _meta, ...state } = result;
      const { _meta: _tag, ...task } = second.params;
      expect(task).toEqual(state);
      expect(task.result.structuredContent).toEqual({ done: 'b' });
    });
  },
);
