import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createServer, type TaskEvent, type TaskRecord, type TaskStore, tool } from '../../src/index.ts';
import { talkTo } from '../server/talk.ts';
import { begin, eventually, happens, modern, requestor, stage, takingTasks, until } from './stage.ts';

afterEach(() => {
  vi.useRealTimers();
});

const unknown = { code: -32602, message: 'taskId names no task of yours; it may have expired' };

test.each(['2025-11-25', '2026-07-28'])(
  'at %s a task of one principal is indistinguishable from a missing one for another',
  async (revision) => {
    const scene = stage({});
    const talk = (principal: string) =>
      revision === '2025-11-25' ? requestor(scene, principal) : modern(scene, takingTasks, principal);
    const [ada, eve] = [await talk('ada'), await talk('eve')];
    const { taskId } = await begin(ada, 'remove', { file: 'x' });
    await until(ada, taskId, 'input_required');
    const methods = revision === '2025-11-25' ? ['get', 'result', 'cancel'] : ['get', 'update', 'cancel'];
    for (const method of methods) {
      const inputResponses = { sure: { action: 'accept', content: { confirm: true } } };
      const { error } = await eve.request(`tasks/${method}`, { taskId, inputResponses });
      expect([method, error]).toEqual([method, unknown]);
    }
    expect((await ada.request('tasks/get', { taskId })).result.status).toBe('input_required');
    if (revision === '2025-11-25') expect((await eve.request('tasks/list')).result.tasks).toEqual([]);
  },
);

test('a principal can access its tasks on another connection, in either era', async () => {
  const scene = stage({});
  const { taskId } = await begin(await requestor(scene, 'ada'), 'fail');
  const later = await requestor(scene, 'ada');
  expect((await later.request('tasks/list')).result.tasks).toMatchObject([{ taskId }]);
  const newer = await modern(scene, takingTasks, 'ada');
  expect(await until(newer, taskId, 'completed')).toMatchObject({
    result: { isError: true },
    ttlMs: 900_000,
  });
});

test('without a principal a task belongs to its session, even if another one knows the id', async () => {
  const scene = stage({});
  const [one, other] = [await requestor(scene), await requestor(scene)];
  const { taskId } = await begin(one, 'work', { label: 'a' });
  expect((await other.request('tasks/get', { taskId })).error).toEqual(unknown);
  expect((await other.request('tasks/list')).result.tasks).toEqual([]);
  expect((await (await modern(scene)).request('tasks/get', { taskId })).error).toEqual(unknown);
  expect((await one.request('tasks/get', { taskId })).result.status).toBe('working');
});

test('the tasks of a session end with it, those of a principal do not', async () => {
  const scene = stage({});
  const [nobody, ada] = [await requestor(scene), await requestor(scene, 'ada')];
  await begin(nobody, 'work', { label: 'a' });
  const { taskId } = await begin(ada, 'work', { label: 'b' });
  await Promise.all([happens(scene, 'began a'), happens(scene, 'began b')]);
  await Promise.all([nobody.wire.finish(), ada.wire.finish()]);
  await happens(scene, 'aborted a');
  scene.open('b');
  expect((await until(await requestor(scene, 'ada'), taskId, 'completed')).taskId).toBe(taskId);
});

test('task ids have no order and are unique', async () => {
  const talk = await modern(stage({}));
  const ids: string[] = [];
  for (let i = 0; i < 50; i++) ids.push((await begin(talk, 'fail')).taskId);
  expect(new Set(ids).size).toBe(50);
  expect(
    ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toBe(true);
});

test('a task and its result exist until they expire', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const talk = await requestor(stage({ ttl: 60_000 }));
  const { taskId } = await begin(talk, 'fail');
  await until(talk, taskId, 'failed');
  vi.advanceTimersByTime(59_999);
  expect((await talk.request('tasks/result', { taskId })).result.isError).toBe(true);
  vi.advanceTimersByTime(1);
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    expect((await talk.request(method, { taskId })).error).toEqual(unknown);
  expect((await talk.request('tasks/list')).result.tasks).toEqual([]);
});

test('work that outlives its task is stopped, and waiting requests get an error', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const scene = stage({ ttl: 60_000 });
  const talk = await requestor(scene);
  const { taskId } = await begin(talk, 'work', { label: 'a' });
  await happens(scene, 'began a');
  talk.wire.say(talk.line('waiting', 'tasks/result', { taskId }));
  await until(talk, taskId, 'working');
  vi.advanceTimersByTime(60_000);
  expect((await talk.wire.answer('waiting')).error.message).toContain('cancelled');
  expect(scene.did).toEqual(['began a', 'aborted a']);
});

test('one requestor has no more tasks than the cap, and room again when one has expired', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const scene = stage({ cap: 2, ttl: 60_000 });
  const [ada, bob] = [await requestor(scene, 'ada'), await requestor(scene, 'bob')];
  await begin(ada, 'fail');
  await begin(ada, 'work', { label: 'a' });
  const { error } = await ada.call('fail', {}, { task: {} });
  expect(error).toMatchObject({
    code: -32603,
    message: expect.stringContaining('at most 2 tasks per requestor'),
  });
  await begin(bob, 'fail');
  vi.advanceTimersByTime(60_000);
  await begin(ada, 'fail');
});

test('all requestors together have no more tasks than the total cap', async () => {
  const scene = stage({ totalCap: 2 });
  await begin(await requestor(scene), 'fail');
  await begin(await modern(scene), 'fail');
  const { error } = await (await requestor(scene, 'ada')).call('fail', {}, { task: {} });
  expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('at most 2 tasks are') });
});

test('a result that exceeds the memory limit fails its task with the reason', async () => {
  const big = tool({
    name: 'big',
    description: 'Answers at length.',
    input: z.object({ length: z.number() }),
    taskSupport: 'required',
    run: ({ length }) => 'x'.repeat(length),
  });
  const server = createServer({ name: 'big', version: '1.0.0', tools: [big], tasks: { resultBytes: 1000 } });
  const talk = await talkTo(server, '2026-07-28', { capabilities: takingTasks });
  const first = await begin(talk, 'big', { length: 500 });
  expect(await until(talk, first.taskId, 'completed', 'failed')).toMatchObject({ status: 'completed' });
  const second = await begin(talk, 'big', { length: 500 });
  expect(await until(talk, second.taskId, 'completed', 'failed')).toMatchObject({
    status: 'failed',
    error: { code: -32603, message: expect.stringContaining('exceed the 1000 bytes') },
  });
});

test('a custom store gets plain records, before the task is reported', async () => {
  const store = new Notebook();
  const scene = stage({ store });
  const talk = await requestor(scene, 'ada');
  const { taskId } = await begin(talk, 'remove', { file: 'x' });
  expect(store.saved[0]).toMatchObject({ taskId, owner: 'principal ada', status: 'working' });
  await talk.request('tasks/result', { taskId }, () => ({ action: 'accept', content: { confirm: true } }));
  await until(talk, taskId, 'completed');
  expect(store.saved.map(({ status }) => status)).toEqual([
    'working',
    'input_required',
    'working',
    'completed',
  ]);
  // another process with the same store reports the outcome
  const second = await requestor(stage({ store }), 'ada');
  expect((await second.request('tasks/result', { taskId })).result.content[0].text).toBe('removed x');
});

test('another process with the same store reports the state of a task, but cannot cancel it or wait for it', async () => {
  const store = new Notebook();
  const talk = await requestor(stage({ store }), 'ada');
  const { taskId } = await begin(talk, 'work', { label: 'a' });
  const second = await requestor(stage({ store }), 'ada');
  expect((await second.request('tasks/get', { taskId })).result.status).toBe('working');
  for (const method of ['tasks/cancel', 'tasks/result']) {
    const { error } = await second.request(method, { taskId });
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('another process') });
  }
});

test('an expired task in a store is not reported', async () => {
  const store = new Notebook();
  const talk = await requestor(stage({ store, ttl: 60_000 }), 'ada');
  const { taskId } = await begin(talk, 'fail');
  await until(talk, taskId, 'failed');
  const second = await requestor(stage({ store }), 'ada');
  expect((await second.request('tasks/list')).result.tasks).toMatchObject([{ taskId }]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  expect((await second.request('tasks/get', { taskId })).error).toEqual(unknown);
  expect((await second.request('tasks/list')).result.tasks).toEqual([]);
});

test('a store that refuses a task fails the call, and one that refuses a result fails the task', async () => {
  const store = new Notebook();
  const scene = stage({ store, cap: 1 });
  const talk = await modern(scene);
  store.refuses = 'working';
  expect((await talk.call('fail')).error).toEqual({ code: -32603, message: 'internal error' });
  store.refuses = 'completed';
  const { taskId } = await begin(talk, 'fail');
  expect(await until(talk, taskId, 'failed', 'completed')).toMatchObject({
    status: 'failed',
    error: { code: -32603, message: 'internal error' },
  });
  expect(scene.faults).toHaveLength(2);
});

test('a task that is cancelled while its result is stored stays cancelled, in the store too', async () => {
  const store = new Notebook();
  const talk = await requestor(stage({ store }), 'ada');
  const { taskId } = await begin(talk, 'fail');
  const [completed, cancelled] = [store.hold('completed'), store.hold('cancelled')];
  await completed.reached;
  expect((await talk.request('tasks/cancel', { taskId })).result.status).toBe('cancelled');
  completed.release();
  await cancelled.reached;
  expect((await talk.request('tasks/get', { taskId })).result.status).toBe('cancelled');
  cancelled.release();
  await eventually(() => store.saved.length === 3);
  expect(store.saved.map(({ status }) => status)).toEqual(['working', 'completed', 'cancelled']);
  expect((await talk.request('tasks/get', { taskId })).result.status).toBe('cancelled');
});

test('the log gets the events of tasks with their owners, without their contents', async () => {
  const events: TaskEvent[] = [];
  const scene = stage({ cap: 1, onEvent: (event) => events.push(event) });
  const talk = await requestor(scene, 'ada');
  const { taskId } = await begin(talk, 'remove', { file: 'secret' });
  await talk.call('fail', {}, { task: {} });
  await talk.request('tasks/get', { taskId: 'guess' });
  await talk.request('tasks/result', { taskId }, () => ({ action: 'accept', content: { confirm: true } }));
  await until(talk, taskId, 'completed');
  const owner = 'principal ada';
  expect(events).toEqual([
    { kind: 'created', owner, taskId, status: 'working' },
    { kind: 'refused', owner },
    { kind: 'missed', owner },
    { kind: 'read', owner, taskId, status: 'completed' },
    { kind: 'settled', owner, taskId, status: 'completed' },
  ]);
});

test('a log that throws has no effect', async () => {
  const scene = stage({
    onEvent: () => {
      throw new Error('disk full');
    },
  });
  const talk = await requestor(scene);
  const { taskId } = await begin(talk, 'fail');
  await until(talk, taskId, 'failed');
  expect(scene.faults.length).toBeGreaterThan(0);
});

test('a tool that runs only as a task requires a server with tasks', () => {
  const only = tool({
    name: 'only',
    description: 'Runs only as a task.',
    input: z.object({}),
    taskSupport: 'required',
    run: () => 'x',
  });
  expect(() => createServer({ name: 's', version: '1.0.0', tools: [only] })).toThrow(
    'tool only runs only as a task; give createServer the option tasks',
  );
});

test.each([
  ['ttl', 0],
  ['ttl', 100_000_000],
  ['maxTtl', 3_000_000_000],
  ['cap', -1],
  ['totalCap', 0.5],
  ['pollInterval', 0],
])('%s of %d is refused', async (option, value) => {
  const scene = stage({ [option]: value });
  const { error } = await (await requestor(scene)).call('fail', {}, { task: {} });
  expect(error.code).toBe(-32603);
  expect(scene.faults).toMatchObject([{ message: expect.stringContaining(`tasks.${option} must be`) }]);
});

/** A store that records its calls. */
class Notebook implements TaskStore {
  readonly saved: TaskRecord[] = [];
  refuses: string | undefined;
  readonly #held = new Map<string, { reach: () => void; released: Promise<void> }>();
  readonly #records = new Map<string, string>();

  /** Delays the next record with a status. */
  hold(status: string): { reached: Promise<void>; release: () => void } {
    let reach = (): void => {};
    let release = (): void => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held.set(status, { reach, released });
    return { reached, release };
  }

  async save(record: TaskRecord): Promise<void> {
    await Promise.resolve();
    const held = this.#held.get(record.status);
    held?.reach();
    await held?.released;
    if (record.status === this.refuses) throw new Error('the disk is full');
    this.saved.push(record);
    this.#records.set(record.taskId, JSON.stringify(record));
  }

  async load(taskId: string): Promise<TaskRecord | undefined> {
    const text = this.#records.get(taskId);
    return text === undefined ? undefined : (JSON.parse(text) as TaskRecord);
  }

  async list(owner: string): Promise<TaskRecord[]> {
    const all = [...this.#records.values()].map((text) => JSON.parse(text) as TaskRecord);
    return all.filter((record) => record.owner === owner);
  }

  async remove(taskId: string): Promise<void> {
    this.#records.delete(taskId);
  }
}
