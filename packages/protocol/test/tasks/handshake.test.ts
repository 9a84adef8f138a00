import { expect, test } from 'vitest';
import { handshakeRevisions } from '../../src/index.ts';
import { everything, talkTo } from '../server/talk.ts';
import type { Message } from '../wire/message.ts';
import { begin, happens, requestor, stage, until } from './stage.ts';

const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } });
const accept = (content: object) => () => ({ action: 'accept', content });

test('a server with tasks declares every request that it accepts as one', async () => {
  const talk = await requestor(stage({}));
  expect(talk.wire.heard[0]!.result.capabilities).toEqual({
    tools: {},
    logging: {},
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  });
});

test('listed tools have their task support', async () => {
  const talk = await requestor(stage({}));
  const { result } = await talk.request('tools/list');
  const support = Object.fromEntries(
    result.tools.map(({ name, execution }: Message) => [name, execution?.taskSupport]),
  );
  expect(support).toMatchObject({ plain: undefined, work: 'optional', must: 'required' });
});

test('a call with task returns a working task before the work has ended', async () => {
  const scene = stage({ ttl: 5000, pollInterval: 25 });
  const talk = await requestor(scene);
  const { result } = await talk.call('work', { label: 'a' }, { task: {} });
  expect(result).toEqual({
    task: {
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUpdatedAt: result.task.createdAt,
      ttl: 5000,
      pollInterval: 25,
    },
  });
  await happens(scene, 'began a');
  expect(scene.did).toEqual(['began a']);
});

test('a tool may set the text for the model', async () => {
  const talk = await requestor(stage({}));
  const { result } = await talk.call('must', {}, { task: {} });
  expect(result._meta).toEqual({
    'io.modelcontextprotocol/model-immediate-response': 'It runs; ask again later.',
  });
});

test('tasks/result waits for the end and returns the result of the call, with its task', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  const { taskId } = await begin(talk, 'work', { label: 'a' });
  const waited = talk.request('tasks/result', { taskId });
  await happens(scene, 'began a');
  scene.open('a');
  expect((await waited).result).toEqual({
    content: [{ type: 'text', text: '{"done":"a"}' }],
    structuredContent: { done: 'a' },
    _meta: related(taskId),
  });
  expect(await until(talk, taskId, 'completed')).toMatchObject({ taskId, status: 'completed' });
  const again = await talk.request('tasks/result', { taskId });
  expect(again.result.structuredContent).toEqual({ done: 'a' });
});

test('a request that waits for a result does not delay other requests', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  const { taskId } = await begin(talk, 'work', { label: 'a' });
  for (let id = 0; id < 300; id++) talk.wire.say(talk.line(`w${id}`, 'tasks/result', { taskId }));
  expect((await talk.call('plain')).result.content[0].text).toBe('plain');
  scene.open('a');
  expect((await talk.wire.answer('w299')).result.structuredContent).toEqual({ done: 'a' });
});

test('the session gets each change of status with the whole task and nothing else', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  const { taskId } = await begin(talk, 'remove', { file: 'x' });
  await talk.request('tasks/result', { taskId }, accept({ confirm: true }));
  await until(talk, taskId, 'completed');
  const notifications = talk.wire.heard.filter(({ method }) => method === 'notifications/tasks/status');
  expect(notifications.map(({ params }) => params.status)).toEqual([
    'input_required',
    'working',
    'completed',
  ]);
  expect(Object.keys(notifications[0]!.params).sort()).toEqual([
    'createdAt',
    'lastUpdatedAt',
    'pollInterval',
    'status',
    'taskId',
    'ttl',
  ]);
});

test('a question makes the task wait and is sent with its task id, on tasks/result', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  const { taskId } = await begin(talk, 'remove', { file: 'x' });
  await until(talk, taskId, 'input_required');
  // nobody has requested the result yet, so nobody was asked
  expect(talk.wire.heard.some(({ method }) => method === 'elicitation/create')).toBe(false);
  const questions: Message[] = [];
  const { result } = await talk.request('tasks/result', { taskId }, (question) => {
    questions.push(question);
    return { action: 'accept', content: { confirm: true } };
  });
  expect(questions).toMatchObject([{ method: 'elicitation/create', params: { _meta: related(taskId) } }]);
  expect(result.content).toEqual([{ type: 'text', text: 'removed x' }]);
  expect(scene.did).toEqual(['remove x true']);
});

test('several questions are asked together, and a later one with a key that was used before', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  const { taskId } = await begin(talk, 'introduce');
  const names: Record<string, string> = {
    'First name?': 'Ada',
    'Last name?': 'Lovelace',
    'Nickname?': 'AAL',
  };
  const { result } = await talk.request('tasks/result', { taskId }, ({ params }) => ({
    action: 'accept',
    content: { name: names[params.message]! },
  }));
  expect(result.content[0].text).toBe('Ada Lovelace AAL');
});

test('a question whose delivery is cancelled is asked again by the next request', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'remove', { file: 'x' });
  talk.wire.say(talk.line('first', 'tasks/result', { taskId }));
  const asked = await talk.wire.until(({ method }) => method === 'elicitation/create');
  talk.wire.say(
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"first","reason":"gone"}}',
  );
  const taken = await talk.wire.until(({ method }) => method === 'notifications/cancelled');
  expect(taken.params.requestId).toBe(asked.id);
  expect((await talk.request('tasks/get', { taskId })).result.status).toBe('input_required');
  const { result } = await talk.request('tasks/result', { taskId }, accept({ confirm: true }));
  expect(result.content[0].text).toBe('removed x');
});

test('a later wait claims a question whose connection may be broken, and both get the result', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'remove', { file: 'x' });
  talk.wire.say(talk.line('first', 'tasks/result', { taskId }));
  const asked = await talk.wire.until(({ method }) => method === 'elicitation/create');
  talk.wire.say(talk.line('second', 'tasks/result', { taskId }));
  const taken = await talk.wire.until(({ method }) => method === 'notifications/cancelled');
  expect(taken.params.requestId).toBe(asked.id);
  const again = await talk.wire.until(({ method }) => method === 'elicitation/create');
  expect(again.params).toEqual(asked.params);
  // a response to the first is too late
  talk.reply(asked.id, { action: 'decline' });
  talk.reply(again.id, { action: 'accept', content: { confirm: true } });
  await until(talk, taskId, 'completed');
  for (const id of ['first', 'second']) {
    const { result } = talk.wire.heard.find((message) => message.id === id)!;
    expect(result.content).toEqual([{ type: 'text', text: 'removed x' }]);
  }
});

test('a wait that claimed a question and is cancelled leaves it to the earlier one', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'remove', { file: 'x' });
  const isQuestion = ({ method }: Message) => method === 'elicitation/create';
  for (const id of ['first', 'second']) {
    talk.wire.say(talk.line(id, 'tasks/result', { taskId }));
    await talk.wire.until(isQuestion);
  }
  talk.wire.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"second"}}');
  const again = await talk.wire.until(isQuestion);
  talk.reply(again.id, { action: 'accept', content: { confirm: true } });
  expect((await talk.wire.answer('first')).result.content[0].text).toBe('removed x');
});

test('a question is cancelled when another one of its task was declined', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'introduce');
  talk.wire.say(talk.line('r', 'tasks/result', { taskId }));
  const isQuestion = ({ method }: Message) => method === 'elicitation/create';
  const [first, last] = [await talk.wire.until(isQuestion), await talk.wire.until(isQuestion)];
  talk.reply(first.id, { action: 'decline' });
  const taken = await talk.wire.until(({ method }) => method === 'notifications/cancelled');
  expect(taken.params.requestId).toBe(last.id);
  expect((await talk.wire.answer('r')).result.isError).toBe(true);
});

test('a declined question ends the task as failed, with the result of the call', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'introduce');
  const { result } = await talk.request('tasks/result', { taskId }, () => ({ action: 'decline' }));
  expect(result).toMatchObject({ isError: true, _meta: related(taskId) });
  const task = await until(talk, taskId, 'failed');
  expect(task.statusMessage).toContain('declined');
});

test('a response that does not match its question fails the call, as it would without a task', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'introduce');
  const { error } = await talk.request('tasks/result', { taskId }, accept({ name: 5 }));
  expect(error.code).toBe(-32602);
});

test('a failed tool is a failed task with its message, and its result is no error', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'fail');
  const task = await until(talk, taskId, 'failed', 'completed');
  expect(task).toMatchObject({ status: 'failed', statusMessage: 'no luck\ntry tomorrow' });
  const { result } = await talk.request('tasks/result', { taskId });
  expect(result).toMatchObject({ isError: true, content: [{ text: 'no luck\ntry tomorrow' }] });
});

test('an error of the call is the error of tasks/result', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'break');
  const { error } = await talk.request('tasks/result', { taskId });
  expect(error).toEqual({ code: -32603, message: 'it broke', data: { part: 'spring' } });
  expect(await until(talk, taskId, 'failed')).toMatchObject({ statusMessage: 'it broke' });
});

test('invalid arguments are the result of the task', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'work', { label: 5 });
  const { result } = await talk.request('tasks/result', { taskId });
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('label') }] });
});

test('a cancelled task stops its work, is cancelled before the response, and stays so', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  const { taskId } = await begin(talk, 'work', { label: 'a' });
  await happens(scene, 'began a');
  const { result } = await talk.request('tasks/cancel', { taskId });
  expect(result).toMatchObject({ taskId, status: 'cancelled', statusMessage: 'cancelled by request' });
  expect(scene.did).toEqual(['began a', 'aborted a']);
  scene.open('a');
  expect((await talk.request('tasks/get', { taskId })).result.status).toBe('cancelled');
  const { error } = await talk.request('tasks/result', { taskId });
  expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('cancelled') });
});

test('work that does not stop is no longer reported', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  talk.wire.say(
    talk.line('c', 'tools/call', { name: 'stubborn', arguments: {}, task: {} }, { progressToken: 'p' }),
  );
  const { taskId } = (await talk.wire.answer('c')).result.task;
  await happens(scene, 'began stubborn');
  await talk.request('tasks/cancel', { taskId });
  scene.open('stubborn');
  await happens(scene, 'ended stubborn');
  const { result } = await talk.request('tasks/get', { taskId });
  expect(result).toMatchObject({ status: 'cancelled', statusMessage: 'cancelled by request' });
  expect(talk.wire.heard.some(({ method }) => method === 'notifications/progress')).toBe(false);
});

test('a task that is cancelled while it asks cancels its question', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'remove', { file: 'x' });
  talk.wire.say(talk.line('r', 'tasks/result', { taskId }));
  const asked = await talk.wire.until(({ method }) => method === 'elicitation/create');
  talk.wire.say(talk.line('c', 'tasks/cancel', { taskId }));
  const taken = await talk.wire.until(({ method }) => method === 'notifications/cancelled');
  expect(taken.params.requestId).toBe(asked.id);
  await until(talk, taskId, 'cancelled');
  expect(talk.wire.heard.find(({ id }) => id === 'r').error.message).toContain('cancelled');
});

test('a task that has ended cannot be cancelled', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'fail');
  await until(talk, taskId, 'failed');
  const { error } = await talk.request('tasks/cancel', { taskId });
  expect(error).toEqual({ code: -32602, message: 'the task is failed and cannot be cancelled' });
});

test('cancelling the request that created a task does not affect the task', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  talk.wire.say(talk.line('call', 'tools/call', { name: 'work', arguments: { label: 'a' }, task: {} }));
  const { result } = await talk.wire.answer('call');
  talk.wire.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}');
  scene.open('a');
  expect(await until(talk, result.task.taskId, 'completed', 'cancelled')).toMatchObject({
    status: 'completed',
  });
});

test('progress and log messages of a task have the token of the call and the task, and end with it', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  talk.wire.say(
    talk.line('c', 'tools/call', { name: 'report', arguments: {}, task: {} }, { progressToken: 'p' }),
  );
  const { result } = await talk.wire.answer('c');
  const { taskId } = result.task;
  const progress = await talk.wire.until(({ method }) => method === 'notifications/progress');
  expect(progress.params).toEqual({
    progressToken: 'p',
    progress: 1,
    total: 2,
    message: 'half of it',
    _meta: related(taskId),
  });
  const logged = await talk.wire.until(({ method }) => method === 'notifications/message');
  expect(logged.params).toEqual({ level: 'warning', data: 'look out', _meta: related(taskId) });
  expect((await talk.request('tasks/get', { taskId })).result.statusMessage).toBe('half of it');
  scene.open('report');
  const task = await until(talk, taskId, 'completed');
  expect(task.statusMessage).toBe(undefined);
  // messages are not a status
  const notifications = talk.wire.heard.filter(({ method }) => method === 'notifications/tasks/status');
  expect(notifications.map(({ params }) => params.status)).toEqual(['completed']);
});

test('a call without a token gets no progress, and its task has a status message', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'report');
  await talk.wire.until(({ method }) => method === 'notifications/message');
  expect((await talk.request('tasks/get', { taskId })).result.statusMessage).toBe('half of it');
  expect(talk.wire.heard.some(({ method }) => method === 'notifications/progress')).toBe(false);
});

test('related-task metadata of a request about tasks is ignored', async () => {
  const talk = await requestor(stage({}));
  const { taskId } = await begin(talk, 'fail');
  const params = { taskId, _meta: related('00000000-0000-4000-8000-000000000000') };
  expect((await talk.request('tasks/get', params)).result.taskId).toBe(taskId);
  expect((await talk.request('tasks/get', params)).result._meta).toBe(undefined);
});

const refusals: [string, string, object, number, RegExp][] = [
  ['an unknown task', 'tasks/get', { taskId: 'nope' }, -32602, /no task of yours/],
  ['the result of an unknown task', 'tasks/result', { taskId: 'nope' }, -32602, /no task of yours/],
  ['cancelling an unknown task', 'tasks/cancel', { taskId: 'nope' }, -32602, /no task of yours/],
  ['an id that is no string', 'tasks/get', { taskId: 5 }, -32602, /taskId must be/],
  ['a cursor of its own', 'tasks/list', { cursor: 'x' }, -32602, /cursor is not one/],
  ['answers to a task', 'tasks/update', { taskId: 'x', inputResponses: {} }, -32601, /not part of/],
  ['a task that is no object', 'tools/call', { name: 'work', task: true }, -32602, /task must be an object/],
  ['a ttl that is negative', 'tools/call', { name: 'work', task: { ttl: -1 } }, -32602, /ttl must be/],
  ['a ttl that is a fraction', 'tools/call', { name: 'work', task: { ttl: 0.5 } }, -32602, /ttl must be/],
  ['a task of a tool without tasks', 'tools/call', { name: 'plain', task: {} }, -32601, /without task/],
  ['a plain call of a tool that is only a task', 'tools/call', { name: 'must' }, -32601, /with task/],
  ['a task of an unknown tool', 'tools/call', { name: 'none', task: {} }, -32602, /unknown tool/],
];
test.each(refusals)('%s is refused', async (_what, method, params, code, message) => {
  const talk = await requestor(stage({}));
  const { error } = await talk.request(method, params);
  expect(error).toEqual({ code, message: expect.stringMatching(message) });
});

test('a tool with optional tasks is also called without one', async () => {
  const scene = stage({});
  const talk = await requestor(scene);
  scene.open('a');
  expect((await talk.call('work', { label: 'a' })).result.structuredContent).toEqual({ done: 'a' });
});

test('the requested ttl of a task is granted up to the limit', async () => {
  const talk = await requestor(stage({ maxTtl: 60_000 }));
  const ttls = [{ ttl: 30_000 }, { ttl: 90_000 }, { ttl: 0 }, {}];
  const granted = await Promise.all(ttls.map((task) => begin(talk, 'fail', {}, task)));
  expect(granted.map(({ ttl }) => ttl)).toEqual([30_000, 60_000, 1000, 60_000]);
});

test('a list has pages, oldest first, with every task once', async () => {
  const talk = await requestor(stage({}, { pageSize: 2 }));
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await begin(talk, 'fail')).taskId);
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { result } = await talk.request('tasks/list', cursor === undefined ? {} : { cursor });
    pages.push(result.tasks.map(({ taskId }: Message) => taskId));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat().sort()).toEqual(ids.sort());
});

test('a server without tasks ignores task params and has no task methods', async () => {
  const scene = stage();
  const talk = await requestor(scene);
  expect(talk.wire.heard[0]!.result.capabilities.tasks).toBe(undefined);
  scene.open('a');
  const { result } = await talk.call('work', { label: 'a' }, { task: { ttl: 5 } });
  expect(result.structuredContent).toEqual({ done: 'a' });
  expect((await talk.request('tasks/list')).error).toEqual({
    code: -32601,
    message: 'this server has no tasks',
  });
});

test.each(handshakeRevisions.filter((revision) => revision !== '2025-11-25'))(
  '%s has no tasks',
  async (revision) => {
    const scene = stage({});
    const talk = await talkTo(scene.server, revision, { capabilities: everything });
    expect(talk.wire.heard[0]!.result.capabilities).toEqual({ tools: {}, logging: {} });
    const { result } = await talk.request('tools/list');
    const tools: Message[] = result.tools;
    expect(tools.some((each) => 'execution' in each)).toBe(false);
    // a tool that runs only as a task cannot be called
    expect(tools.map(({ name }) => name)).not.toContain('must');
    expect((await talk.call('must')).error.code).toBe(-32602);
    scene.open('a');
    const called = await talk.call('work', { label: 'a' }, { task: {} });
    expect(called.result.content).toEqual([{ type: 'text', text: '{"done":"a"}' }]);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel', 'tasks/update'])
      expect((await talk.request(method, { taskId: 'x' })).error.code).toBe(-32601);
    expect(talk.wire.lines.join('\n')).not.toMatch(/related-task|notifications\/tasks/);
  },
);
