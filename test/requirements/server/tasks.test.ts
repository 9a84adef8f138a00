import { createServer, tool } from '@rootbound/protocol';
import { expect, vi } from 'vitest';
import * as z from 'zod';
import { written } from '../documents.ts';
import type { Message } from '../message.ts';
import { fixture } from './fixture.ts';
import { site } from './site.ts';
import { begin, callAsTask, patient, relatedTo, turn, until, Works } from './works.ts';
import { over } from './world.ts';

const then = ['2025-11-25'] as const;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

over(
  then,
  'a call as a task is answered by the state of the task immediately',
  async ({ proves, revision }) => {
    const works = new Works({ maxTtl: 60_000, ttl: 30_000 });
    const talk = await works.talk(revision, patient);
    const asked = await callAsTask(talk, 'work', { label: 'a' }, { ttl: 45_000, taskId: 'mine' });
    const { task } = asked.result;
    proves('2025-11-25/tasks/accepted-task-request-returns-create-task-result', () =>
      expect(asked.result).toHaveProperty('task.taskId'),
    );
    // its work continues when the test releases it
    proves('2025-11-25/tasks/create-task-result-returned-promptly', () =>
      expect(task.status).toBe('working'),
    );
    proves('2025-11-25/tasks/task-id-is-a-string', () => expect(task.taskId).toBeTypeOf('string'));
    proves('2025-11-25/tasks/task-id-generated-by-receiver', () => expect(task.taskId).not.toBe('mine'));
    proves('2025-11-25/tasks/task-starts-working', () => expect(task.status).toBe('working'));
    proves('2025-11-25/tasks/task-responses-have-created-at', () => expect(task.createdAt).toMatch(ISO));
    const { result: looked } = await talk.request('tasks/get', { taskId: task.taskId });
    proves('2025-11-25/tasks/task-responses-have-last-updated-at', () =>
      expect([task, looked].map(({ lastUpdatedAt }) => ISO.test(lastUpdatedAt))).toEqual([true, true]),
    );
    proves('2025-11-25/tasks/task-object-required-fields', () =>
      expect(looked).toMatchObject({ taskId: task.taskId, status: 'working', ttl: 45_000 }),
    );
    proves('2025-11-25/tasks/create-task-result-wraps-task', () =>
      expect([asked.result.taskId, looked.task, looked.taskId]).toEqual([undefined, undefined, task.taskId]),
    );
    proves('2025-11-25/tasks/tasks-get-returns-actual-ttl', () => expect(looked.ttl).toBe(45_000));
    const long = await begin(talk, 'work', { label: 'b' }, { ttl: 10 ** 9 });
    const granted = (await talk.request('tasks/get', { taskId: long })).result.ttl;
    proves('2025-11-25/tasks/maximum-ttl-enforced', () => expect(granted).toBe(60_000));
    proves('2025-11-25/tasks/actual-result-only-via-tasks-result', () =>
      expect([asked.result.content, looked.content, looked.structuredContent]).toEqual([
        undefined,
        undefined,
        undefined,
      ]),
    );
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) ids.push(await begin(talk, 'fail'));
    proves('2025-11-25/tasks/task-id-unique-at-receiver', () => expect(new Set(ids).size).toBe(20));
    proves('2025-11-25/tasks/task-ids-unguessable-without-binding', () => {
      for (const id of ids) expect(id).toMatch(UUID_V4);
    });
  },
);

over(then, 'the result of a task is that of the call', async ({ proves, revision }) => {
  const works = new Works();
  const talk = await works.talk(revision, patient);
  works.open('a');
  const plain = await talk.call('work', { label: 'a' });
  const taskId = await begin(talk, 'work', { label: 'a' });
  const asked = await talk.request('tasks/result', { taskId });
  const after = await talk.request('tasks/result', { taskId });
  const { _meta, ...outcome } = asked.result;
  proves('2025-11-25/tasks/tasks-result-equals-underlying-outcome', () =>
    expect(outcome).toEqual(plain.result),
  );
  proves('2025-11-25/tasks/task-result-has-original-result-type', () =>
    expect([outcome.structuredContent, outcome.content.length]).toEqual([{ done: 'a' }, 1]),
  );
  proves('2025-11-25/tasks/tasks-result-of-terminal-task-returns-final-result', () =>
    expect(after.result).toEqual(asked.result),
  );
  proves('2025-11-25/tasks/tasks-result-response-has-related-task-meta', () =>
    expect(relatedTo(asked)).toBe(taskId),
  );
  const waits = await begin(talk, 'work', { label: 'late' });
  const waiting = talk.start('tasks/result', { taskId: waits });
  await works.happens('began late');
  const early = talk.heard.some(({ id }) => id === waiting);
  works.open('late');
  const { result } = await talk.answer(waiting);
  proves('2025-11-25/tasks/tasks-result-blocks-until-terminal', () =>
    expect([early, result.structuredContent]).toEqual([false, { done: 'late' }]),
  );
  const failedId = await begin(talk, 'fail');
  const failed = await until(talk, failedId, 'failed', 'completed');
  const failure = await talk.request('tasks/result', { taskId: failedId });
  proves('2025-11-25/tasks/task-with-tool-error-is-failed', () => expect(failed.status).toBe('failed'));
  proves('2025-11-25/tasks/tasks-result-returns-successful-result', () =>
    expect([failure.error, failure.result.isError]).toEqual([undefined, true]),
  );
  const brokenId = await begin(talk, 'break');
  const broken = await until(talk, brokenId, 'failed', 'completed');
  const error = { code: -32603, message: 'it broke', data: { part: 'spring' } };
  proves('2025-11-25/tasks/task-with-json-rpc-error-is-failed', () => expect(broken.status).toBe('failed'));
  const breakage = await talk.request('tasks/result', { taskId: brokenId });
  proves('2025-11-25/tasks/tasks-result-returns-same-json-rpc-error', () =>
    expect(breakage.error).toEqual(error),
  );
  proves('2025-11-25/tasks/failed-task-has-status-message', () =>
    expect([failed.statusMessage, broken.statusMessage]).toEqual([
      expect.stringContaining('no luck'),
      'it broke',
    ]),
  );
});

over(then, 'messages of a task have its id, and responses about it do not', async ({ proves, revision }) => {
  const works = new Works();
  const talk = await works.talk(revision, patient);
  const { result } = await talk.request(
    'tools/call',
    { name: 'report', arguments: {}, task: {} },
    { progressToken: 'p' },
  );
  const { taskId } = result.task;
  const progress = await talk.awaitMessage('notifications/progress');
  const logged = await talk.awaitMessage('notifications/message');
  proves('2025-11-25/tasks/task-progress-uses-original-token', () =>
    expect(progress.params.progressToken).toBe('p'),
  );
  proves('2025-11-25/tasks/task-progress-token-valid-until-terminal', () =>
    expect(progress.params).toMatchObject({ progress: 1, total: 2, message: 'half of it' }),
  );
  works.open('report');
  const ended = await talk.awaitMessage('notifications/tasks/status');
  proves('2025-11-25/tasks/status-notification-carries-full-task', () =>
    expect(ended.params).toEqual({
      taskId,
      status: 'completed',
      createdAt: result.task.createdAt,
      lastUpdatedAt: expect.stringMatching(ISO),
      ttl: 900_000,
      pollInterval: 10,
    }),
  );
  proves('2025-11-25/tasks/status-notification-omits-related-task-meta', () =>
    expect(relatedTo(ended)).toBeUndefined(),
  );
  const outcome = await talk.request('tasks/result', { taskId });
  proves('2025-11-25/tasks/task-messages-carry-related-task-meta', () =>
    expect([progress, logged, outcome].map(relatedTo)).toEqual([taskId, taskId, taskId]),
  );
  const running = await begin(talk, 'work', { label: 'x' });
  const other = await begin(talk, 'work', { label: 'y' });
  const about = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: other } } };
  const looked = await talk.request('tasks/get', { taskId: running, ...about });
  const read = await talk.request('tasks/result', { taskId, ...about });
  const listed = await talk.request('tasks/list', about);
  const cancelled = await talk.request('tasks/cancel', { taskId: running, ...about });
  proves('2025-11-25/tasks/related-task-meta-ignored-in-task-requests', () =>
    expect([looked.result.taskId, relatedTo(read), cancelled.result.taskId]).toEqual([
      running,
      taskId,
      running,
    ]),
  );
  proves('2025-11-25/tasks/task-id-parameter-identifies-the-task', () =>
    expect([looked.result.taskId, cancelled.result.status]).toEqual([running, 'cancelled']),
  );
  proves('2025-11-25/tasks/task-results-omit-related-task-meta', () =>
    expect([looked, listed, cancelled].map(relatedTo)).toEqual([undefined, undefined, undefined]),
  );
  const unchanged = await talk.request('tasks/get', { taskId: other });
  expect(unchanged.result.status).toBe('working');
});

over(
  then,
  'a task that ignores its cancellation sends no progress after its end',
  async ({ proves, revision }) => {
    const works = new Works();
    const talk = await works.talk(revision, patient);
    const params = { name: 'stubborn', arguments: {}, task: {} };
    const { result } = await talk.request('tools/call', params, { progressToken: 'p' });
    await works.happens('began stubborn');
    const { taskId } = result.task;
    await talk.request('tasks/cancel', { taskId });
    works.open('stubborn');
    await works.happens('ended stubborn');
    await turn();
    const { result: after } = await talk.request('tasks/get', { taskId });
    proves('2025-11-25/tasks/task-progress-stops-at-terminal-status', () =>
      expect(talk.heard.some(({ method }) => method === 'notifications/progress')).toBe(false),
    );
    proves('2025-11-25/tasks/cancelled-task-stays-cancelled', () => expect(after.status).toBe('cancelled'));
    proves('2025-11-25/tasks/terminal-task-never-changes-status', () =>
      expect(
        talk.heard.flatMap(({ method, params }) => (method?.includes('status') ? [params.status] : [])),
      ).toEqual(['cancelled']),
    );
  },
);

over(then, 'tasks/cancel aborts the work before its response, once', async ({ proves, revision }) => {
  const works = new Works();
  const talk = await works.talk(revision, patient);
  const taskId = await begin(talk, 'work', { label: 'a' });
  await works.happens('began a');
  const cancelled = await talk.request('tasks/cancel', { taskId });
  proves('2025-11-25/tasks/task-cancelled-before-cancel-response', () =>
    expect(cancelled.result.status).toBe('cancelled'),
  );
  proves('2025-11-25/tasks/cancelled-task-execution-stopped', () =>
    expect(works.did).toEqual(['began a', 'aborted a']),
  );
  const again = await talk.request('tasks/cancel', { taskId });
  proves('2025-11-25/tasks/cancel-of-terminal-task-gets-32602', () => expect(again.error.code).toBe(-32602));
  const unknown: Message[] = [];
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    unknown.push(await talk.request(method, { taskId: 'nope' }));
  proves('2025-11-25/tasks/unknown-task-id-gets-32602', () =>
    expect(unknown.map(({ error }) => error.code)).toEqual([-32602, -32602, -32602]),
  );
  proves('2025-11-25/tasks/task-error-messages-are-informative', () =>
    expect([again.error.message, unknown[0]?.error.message]).toEqual([
      'the task is cancelled and cannot be cancelled',
      'taskId names no task of yours; it may have expired',
    ]),
  );
});

over(then, 'a task that requires input sends its request, and continues with the response', async (world) => {
  const { proves, revision } = world;
  const works = new Works();
  const talk = await works.talk(revision, patient);
  const asking = await begin(talk, 'remove', { file: 'x' });
  const first = await talk.awaitMessage('notifications/tasks/status');
  proves('2025-11-25/tasks/task-needing-input-moves-to-input-required', () =>
    expect([first.params.taskId, first.params.status]).toEqual([asking, 'input_required']),
  );
  const waiting = talk.start('tasks/result', { taskId: asking });
  const question = await talk.awaitMessage('elicitation/create');
  proves('2025-11-25/tasks/task-input-request-has-related-task-meta', () =>
    expect(relatedTo(question)).toBe(asking),
  );
  proves('2025-11-25/tasks/task-nested-elicitation-shares-task-id', () =>
    expect(question.params._meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId: asking } }),
  );
  talk.reply(question.id, { action: 'accept', content: { confirm: true } });
  const second = await talk.awaitMessage('notifications/tasks/status');
  proves('2025-11-25/tasks/task-leaves-input-required-after-input', () =>
    expect(second.params.status).toBe('working'),
  );
  works.open('x');
  const { result } = await talk.answer(waiting);
  expect(result.content[0].text).toBe('removed');

  const taken = await begin(talk, 'remove', { file: 'y' });
  await until(talk, taken, 'input_required');
  await talk.request('tasks/cancel', { taskId: taken });
  const failing = await begin(talk, 'fail');
  await until(talk, failing, 'failed');
  const ending = await begin(talk, 'work', { label: 'z' });
  await talk.request('tasks/cancel', { taskId: ending });
  const ways = new Map<string, string[]>();
  for (const { method, params } of talk.heard) {
    if (method !== 'notifications/tasks/status') continue;
    ways.set(params.taskId, [...(ways.get(params.taskId) ?? ['working']), params.status]);
  }
  proves('2025-11-25/tasks/working-task-transitions', () =>
    expect([ways.get(asking)?.slice(0, 2), ways.get(failing), ways.get(ending)]).toEqual([
      ['working', 'input_required'],
      ['working', 'failed'],
      ['working', 'cancelled'],
    ]),
  );
  proves('2025-11-25/tasks/input-required-task-transitions', () =>
    expect([ways.get(asking)?.slice(1), ways.get(taken)?.slice(1)]).toEqual([
      ['input_required', 'working', 'completed'],
      ['input_required', 'cancelled'],
    ]),
  );
});

over(then, 'tasks are listed in pages', async ({ proves, revision }) => {
  const works = new Works({}, { pageSize: 2 });
  const talk = await works.talk(revision, patient);
  const made: string[] = [];
  for (let count = 0; count < 5; count++) made.push(await begin(talk, 'fail'));
  const pages: Message[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await talk.request('tasks/list', cursor === undefined ? {} : { cursor });
    pages.push(result);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  proves('2025-11-25/tasks/tasks-list-is-paginated', () =>
    expect(pages.map(({ tasks }) => tasks.length)).toEqual([2, 2, 1]),
  );
  proves('2025-11-25/tasks/tasks-list-has-next-cursor-when-more', () =>
    expect(pages.map(({ nextCursor }) => typeof nextCursor)).toEqual(['string', 'string', 'undefined']),
  );
  proves('2025-11-25/tasks/gettable-task-is-listed', () =>
    expect(new Set(pages.flatMap(({ tasks }) => tasks).map(({ taskId }: Message) => taskId))).toEqual(
      new Set(made),
    ),
  );
  const bad: unknown[] = [];
  for (const wrong of ['x', '', `${String(pages[0]?.nextCursor)}A`])
    bad.push((await talk.request('tasks/list', { cursor: wrong })).error?.code);
  proves('2025-11-25/tasks/invalid-tasks-list-cursor-gets-32602', () =>
    expect(bad).toEqual([-32602, -32602, -32602]),
  );
});

over(then, 'a task belongs to its principal', async ({ proves, revision }) => {
  const works = new Works();
  const ada = await works.talk(revision, patient, 'ada');
  const taskId = await begin(ada, 'work', { label: 'a' });
  const again = await works.talk(revision, patient, 'ada');
  const eve = await works.talk(revision, patient, 'eve');
  const [own, foreign] = [
    await again.request('tasks/get', { taskId }),
    await eve.request('tasks/get', { taskId }),
  ];
  proves('2025-11-25/tasks/tasks-bound-to-authorization-context', () =>
    expect([own.result.status, foreign.error.code]).toEqual(['working', -32602]),
  );
  const refused = [foreign];
  for (const method of ['tasks/result', 'tasks/cancel']) refused.push(await eve.request(method, { taskId }));
  proves('2025-11-25/tasks/foreign-task-requests-rejected', () =>
    expect(refused.map(({ error }) => error.code)).toEqual([-32602, -32602, -32602]),
  );
  const lists = [await again.request('tasks/list'), await eve.request('tasks/list')];
  proves('2025-11-25/tasks/tasks-list-limited-to-own-context', () =>
    expect(lists.map(({ result }) => result.tasks.length)).toEqual([1, 0]),
  );
  const [one, other] = [await works.talk(revision, patient), await works.talk(revision, patient)];
  await begin(one, 'work', { label: 'b' });
  const sessions = [await one.request('tasks/list'), await other.request('tasks/list')];
  proves('2025-11-25/tasks/tasks-list-not-declared-without-requestor-identity', () =>
    expect(sessions.map(({ result }) => result.tasks.length)).toEqual([1, 0]),
  );
});

over(then, 'tasks are limited, expire, and are notified', async ({ proves, revision }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    const events: Message[] = [];
    const works = new Works({ cap: 2, onEvent: (event) => events.push(event), resultBytes: 10 });
    const ada = await works.talk(revision, patient, 'ada');
    const taskId = await begin(ada, 'work', { label: 'a' }, { ttl: 5000 });
    const failing = await begin(ada, 'fail', {}, { ttl: 5000 });
    const eve = await works.talk(revision, patient, 'eve');
    const [third, hers] = [await callAsTask(ada, 'fail'), await callAsTask(eve, 'fail')];
    proves('2025-11-25/tasks/concurrent-tasks-limited-per-requestor', () =>
      expect([third.error.code, hers.result.task.status]).toEqual([-32603, 'working']),
    );
    const failed = await until(ada, failing, 'failed', 'completed');
    proves('2025-11-25/tasks/task-resource-use-monitored', () => {
      expect(failed.statusMessage).toContain('10 bytes');
      expect(events).toContainEqual({ kind: 'refused', owner: 'principal ada' });
    });
    await ada.request('tasks/result', { taskId: failing });
    const kinds = events.filter((event) => event.taskId === failing).map(({ kind }) => kind);
    proves('2025-11-25/tasks/task-events-logged-by-receiver', () =>
      expect(kinds).toEqual(['created', 'settled', 'read']),
    );
    proves('2025-11-25/tasks/task-logs-include-auth-context', () =>
      expect(events.find((event) => event.taskId === failing)?.owner).toBe('principal ada'),
    );
    await eve.request('tasks/get', { taskId });
    proves('2025-11-25/tasks/suspicious-task-patterns-monitored', () =>
      expect(events.at(-1)).toEqual({ kind: 'missed', owner: 'principal eve' }),
    );
    await vi.advanceTimersByTimeAsync(5000);
    const gone = await ada.request('tasks/get', { taskId });
    proves('2025-11-25/tasks/expired-tasks-cleaned-up', () => {
      expect(gone.error.code).toBe(-32602);
      expect(works.did).toContain('aborted a');
      expect(events.filter(({ kind }) => kind === 'expired')).toHaveLength(2);
    });
  } finally {
    vi.useRealTimers();
  }
});

over(then, 'operations on a task are limited, and its errors have a code', async ({ proves, revision }) => {
  const works = new Works();
  const talk = await works.talk(revision, patient);
  const taskId = await begin(talk, 'work', { label: 'a' });
  for (let count = 0; count < 1024; count++) talk.start('tasks/result', { taskId });
  const beyond = await talk.request('tasks/result', { taskId });
  proves('2025-11-25/tasks/task-operations-rate-limited', () => expect(beyond.error.code).toBe(-32603));

  const broken = {
    save: () => {},
    load: () => {
      throw new Error('the disk is on fire');
    },
    list: () => [],
    remove: () => {},
  };
  const faulty = await new Works({ store: broken }).talk(revision, patient);
  const fault = await faulty.request('tasks/get', { taskId });
  proves('2025-11-25/tasks/task-internal-error-gets-32603', () => expect(fault.error.code).toBe(-32603));
});

over(then, 'task support is declared by capability and tool', async ({ proves, open }) => {
  const works = new Works();
  const { server } = works;
  const talk = await open(server, { capabilities: patient });
  const began = talk.heard.find(({ id }) => id === 1);
  proves('2025-11-25/tasks/tasks-capability-declared', () =>
    expect(began?.result.capabilities.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    }),
  );
  const forbidden = await callAsTask(talk, 'plain');
  const required = await talk.call('must');
  const noticed = await callAsTask(talk, 'must');
  proves('2025-11-25/tasks/task-call-to-forbidden-tool-gets-32601', () =>
    expect(forbidden.error.code).toBe(-32601),
  );
  proves('2025-11-25/tasks/plain-call-to-required-tool-gets-32601', () =>
    expect(required.error.code).toBe(-32601),
  );
  proves('2025-11-25/tasks/model-immediate-response-meta-key', () =>
    expect(noticed.result._meta).toEqual({
      'io.modelcontextprotocol/model-immediate-response': 'It runs; ask again later.',
    }),
  );
  const without = await open(fixture());
  const declared = without.heard[0]?.result.capabilities.tasks;
  const [called, prompted, read] = [
    await callAsTask(without, 'add', { a: 1, b: 2 }),
    await without.request('prompts/get', { name: 'greet', arguments: { who: 'Ada' }, task: {} }),
    await without.request('resources/read', { uri: 'memo://today', task: {} }),
  ];
  proves('2025-11-25/tasks/undeclared-task-augmentation-ignored', () =>
    expect([
      declared,
      called.result.structuredContent,
      prompted.result.messages.length,
      read.result.contents.length,
    ]).toEqual([undefined, { sum: 3 }, 1, 1]),
  );
  const prompt = createServer({
    name: 's',
    version: '1',
    tasks: {},
    tools: [tool({ name: 't', description: 'T.', input: z.object({}), run: () => 't' })],
    prompts: [{ name: 'p', get: () => 'p' }],
  });
  const given = await (await open(prompt)).request('prompts/get', { name: 'p', task: {} });
  proves('2025-11-25/tasks/tasks-requests-set-is-exhaustive', () =>
    expect(given.result).not.toHaveProperty('task'),
  );
  const refused = [
    await without.request('tasks/list'),
    await without.request('tasks/cancel', { taskId: 'x' }),
  ];
  proves('2025-11-25/tasks/tasks-list-gated-by-capability', () =>
    expect(refused[0]?.error.code).toBe(-32601),
  );
  proves('2025-11-25/tasks/tasks-cancel-gated-by-capability', () =>
    expect(refused[1]?.error.code).toBe(-32601),
  );
});

over(then, 'tasks over HTTP follow its rules', async ({ proves, revision }) => {
  const works = new Works();
  const to = await site(revision, { server: works.server, capabilities: patient });
  const { message } = await to.request('tools/call', { name: 'remove', arguments: { file: 'x' }, task: {} });
  const { taskId } = message.result.task;
  const looked = await to.request('tasks/get', { taskId });
  proves('2025-11-25/tasks/tasks-get-not-upgraded-to-sse', () =>
    expect(looked.headers['content-type']).toBe('application/json'),
  );
  const stream = await to.stream(to.posting('tasks/result', { taskId }));
  const question = await stream.message();
  works.open('x');
  await to.ask({
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: question.id,
      result: { action: 'accept', content: { confirm: true } },
    }),
  });
  const rest = await stream.rest();
  proves('2025-11-25/tasks/task-streams-follow-streamable-http', () =>
    expect([
      question.method,
      stream.headers['content-type'],
      rest.at(-1)?.result.content[0].text,
      rest.length,
    ]).toEqual(['elicitation/create', 'text/event-stream', 'removed', 1]),
  );
});

over(then, 'the limits of tasks are documented at their option', async ({ proves, revision }) => {
  const text = written('packages/protocol/src/protocol/tasks/options.ts');
  const works = new Works();
  const talk = await works.talk(revision, patient);
  const taskId = await begin(talk, 'work', { label: 'a' }, { ttl: 10 ** 12 });
  const { result } = await talk.request('tasks/get', { taskId });
  proves('2025-11-25/tasks/maximum-ttl-documented', () => {
    expect(text).toContain('that a requestor may ask for; default one day');
    expect(result.ttl).toBe(86_400_000);
  });
  for (let count = 1; count < 256; count++) await begin(talk, 'work', { label: 'a' });
  const beyond = await callAsTask(talk, 'work', { label: 'a' });
  proves('2025-11-25/tasks/concurrent-task-limit-documented', () => {
    expect(text).toContain('maximum number of tasks of one requestor; default 256');
    expect(beyond.error.code).toBe(-32603);
  });
  proves('2025-11-25/tasks/missing-context-binding-documented', () =>
    expect(text).toContain('its id alone gives access'),
  );
});
