import { expect, test } from 'vitest';
import * as z from 'zod';
import { catalogOf, tool } from '../../src/index.ts';
import { everything, talkTo, textOf } from '../server/talk.ts';
import type { Message } from '../wire/message.ts';
import { begin, happens, modern, stage, takingTasks, until, untilIt } from './stage.ts';

const missing = {
  code: -32021,
  message: 'this needs the client extension io.modelcontextprotocol/tasks',
  data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
};
const named = (name: string) => ({ action: 'accept', content: { name } });

test('a server with tasks advertises the extension and not the capability of older revisions', async () => {
  const talk = await modern(stage({}));
  const { result } = await talk.request('server/discover');
  expect(result.capabilities).toEqual({
    tools: {},
    logging: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  });
  const without = await (await modern(stage())).request('server/discover');
  expect(without.result.capabilities).toEqual({ tools: {}, logging: {} });
});

test('tools are listed without task support, all of them for every client', async () => {
  const scene = stage({});
  for (const capabilities of [everything, takingTasks]) {
    const { result } = await (await modern(scene, capabilities)).request('tools/list');
    const tools: Message[] = result.tools;
    expect(tools.some((tool) => 'execution' in tool)).toBe(false);
    expect(tools.map(({ name }) => name)).toContain('must');
  }
});

test('the server decides to create a task for a call and returns only its state', async () => {
  const scene = stage({ ttl: 5000, pollInterval: 25 });
  const talk = await modern(scene);
  const { result } = await talk.call('work', { label: 'a' });
  expect(result).toEqual({
    resultType: 'task',
    taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'working',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    lastUpdatedAt: result.createdAt,
    ttlMs: 5000,
    pollIntervalMs: 25,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'stage', version: '1.0.0' } },
  });
  // it exists as soon as its notification was sent
  expect((await talk.request('tasks/get', { taskId: result.taskId })).result.status).toBe('working');
});

test('a completed task has the result of the call, without its id', async () => {
  const scene = stage({});
  const talk = await modern(scene);
  const { taskId } = await begin(talk, 'work', { label: 'a' });
  scene.open('a');
  const task = await until(talk, taskId, 'completed');
  expect(task.resultType).toBe('complete');
  expect(task.result).toEqual({
    resultType: 'complete',
    content: [{ type: 'text', text: '{"done":"a"}' }],
    structuredContent: { done: 'a' },
  });
});

test('a failed tool completes its task, and only an error of the call fails one', async () => {
  const talk = await modern(stage({}));
  const failed = await until(talk, (await begin(talk, 'fail')).taskId, 'completed', 'failed');
  expect(failed).toMatchObject({ status: 'completed', result: { isError: true } });
  const broken = await until(talk, (await begin(talk, 'break')).taskId, 'completed', 'failed');
  expect(broken).toMatchObject({
    status: 'failed',
    statusMessage: 'it broke',
    error: { code: -32603, message: 'it broke', data: { part: 'spring' } },
  });
  expect(broken).not.toHaveProperty('result');
});

test('a tool that throws completes its task without the error text, and the server reports it', async () => {
  const bug = tool({
    name: 'bug',
    description: 'Has a bug.',
    input: z.object({}),
    taskSupport: 'optional',
    run: () => {
      throw new Error('the secret is 1234');
    },
  });
  const scene = stage({}, { tools: [bug] });
  const talk = await modern(scene);
  const task = await until(talk, (await begin(talk, 'bug')).taskId, 'completed', 'failed');
  expect(task).toMatchObject({ status: 'completed', result: { isError: true } });
  expect(JSON.stringify(task)).not.toContain('1234');
  expect(scene.faults).toMatchObject([{ message: 'the secret is 1234' }]);
});

test('input requests of a task are part of its state and are answered one by one', async () => {
  const talk = await modern(stage({}));
  const { taskId } = await begin(talk, 'introduce');
  const asking = await until(talk, taskId, 'input_required');
  expect(Object.keys(asking.inputRequests)).toEqual(['first', 'last']);
  expect(asking.inputRequests.first.method).toBe('elicitation/create');
  const { result } = await talk.request('tasks/update', { taskId, inputResponses: { first: named('Ada') } });
  expect(result).toEqual({
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'stage', version: '1.0.0' } },
  });
  const waiting = await talk.request('tasks/get', { taskId });
  expect(waiting.result.status).toBe('input_required');
  expect(Object.keys(waiting.result.inputRequests)).toEqual(['last']);
  // a response to an answered input request changes nothing, and keys are unique
  await talk.request('tasks/update', {
    taskId,
    inputResponses: { first: named('Eve'), last: named('Lovelace'), other: named('x') },
  });
  const again = await untilIt(talk, taskId, ({ inputRequests: open = {} }) => 'first-2' in open);
  expect(Object.keys(again.inputRequests)).toEqual(['first-2']);
  await talk.request('tasks/update', { taskId, inputResponses: { 'first-2': named('AAL') } });
  const done = await until(talk, taskId, 'completed');
  expect(done.result.content[0].text).toBe('Ada Lovelace AAL');
});

test('an invalid response is refused, and its input request stays open', async () => {
  const talk = await modern(stage({}));
  const { taskId } = await begin(talk, 'introduce');
  await until(talk, taskId, 'input_required');
  for (const first of [{ action: 'accept', content: { name: 5 } }, { action: 'perhaps' }, 'text', null]) {
    const { error } = await talk.request('tasks/update', {
      taskId,
      inputResponses: { first, last: named('Lovelace') },
    });
    expect(error.code).toBe(-32602);
  }
  const { result } = await talk.request('tasks/get', { taskId });
  expect(Object.keys(result.inputRequests)).toEqual(['first', 'last']);
});

test('a declined question ends its task and withdraws the others', async () => {
  const talk = await modern(stage({}));
  const { taskId } = await begin(talk, 'introduce');
  await until(talk, taskId, 'input_required');
  await talk.request('tasks/update', { taskId, inputResponses: { last: { action: 'decline' } } });
  const task = await until(talk, taskId, 'completed');
  expect(task.result).toMatchObject({ isError: true });
  expect(task.result.content[0].text).toContain('declined');
});

test('a task that asks for an undeclared capability fails as the call would', async () => {
  const talk = await modern(stage({}), { extensions: takingTasks.extensions });
  const { taskId } = await begin(talk, 'remove', { file: 'x' });
  expect(await until(talk, taskId, 'failed')).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
  });
});

test('a tool with askFirst gets its answers by repeated calls, and then becomes a task', async () => {
  const scene = stage({});
  const talk = await modern(scene);
  const first = await talk.call('greet_later');
  expect(first.result).toMatchObject({ resultType: 'input_required', inputRequests: { user_name: {} } });
  expect(first.result).not.toHaveProperty('taskId');
  const { requestState } = first.result;
  const second = await talk.call(
    'greet_later',
    {},
    { requestState, inputResponses: { user_name: named('Ada') } },
  );
  expect(second.result).toMatchObject({ resultType: 'task', status: 'working' });
  expect(second.result).not.toHaveProperty('requestState');
  const task = await until(talk, second.result.taskId, 'completed', 'failed');
  expect(task.result.content[0].text).toBe('Hello, Ada!');
  expect(scene.did).toEqual(['greet Ada']);
});

test('a tool with askFirst that is declined responds directly', async () => {
  const scene = stage({});
  const talk = await modern(scene);
  const { requestState } = (await talk.call('greet_later')).result;
  const inputResponses = { user_name: { action: 'decline' } };
  const { result } = await talk.call('greet_later', {}, { requestState, inputResponses });
  expect(result).toMatchObject({ resultType: 'complete', isError: true });
  expect(scene.did).toEqual([]);
});

test('an invalid state creates no task', async () => {
  const scene = stage({});
  const talk = await modern(scene);
  for (const name of ['greet_later', 'work']) {
    const { error } = await talk.call(name, { label: 'a' }, { requestState: 'forged' });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('requestState') });
  }
  expect(scene.did).toEqual([]);
});

test('cancelling returns an empty result, stops the work and may be repeated', async () => {
  const scene = stage({});
  const talk = await modern(scene);
  const { taskId } = await begin(talk, 'work', { label: 'a' });
  await happens(scene, 'began a');
  for (let times = 0; times < 2; times++) {
    const { result } = await talk.request('tasks/cancel', { taskId });
    expect(Object.keys(result).sort()).toEqual(['_meta', 'resultType']);
    expect(result.resultType).toBe('complete');
  }
  const { result } = await talk.request('tasks/get', { taskId });
  expect(result.status).toBe('cancelled');
  expect(scene.did).toEqual(['began a', 'aborted a']);
});

test('responses to an ended task are accepted and ignored', async () => {
  const talk = await modern(stage({}));
  const { taskId } = await begin(talk, 'fail');
  await until(talk, taskId, 'completed');
  const { result } = await talk.request('tasks/update', { taskId, inputResponses: { first: named('x') } });
  expect(result.resultType).toBe('complete');
});

test('a client without the extension gets results directly and has no task methods', async () => {
  const scene = stage({});
  const talk = await modern(scene, everything);
  scene.open('a');
  const { result } = await talk.call('work', { label: 'a' });
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { done: 'a' } });
  expect(result).not.toHaveProperty('taskId');
  expect((await talk.call('must')).error).toEqual(missing);
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    expect((await talk.request(method, { taskId: 'x', inputResponses: {} })).error).toEqual(missing);
});

test('one request may declare the extension for itself', async () => {
  const scene = stage({});
  const talk = await modern(scene, {});
  const facts = { 'io.modelcontextprotocol/clientCapabilities': { extensions: takingTasks.extensions } };
  talk.wire.say(talk.line('own', 'tools/call', { name: 'work', arguments: { label: 'a' } }, facts));
  expect((await talk.wire.answer('own')).result.resultType).toBe('task');
});

test('task params of a client of the stateless era are neither refused nor used', async () => {
  const talk = await modern(stage({}));
  const { result } = await talk.call('plain', {}, { task: { ttl: 60_000 } });
  expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'plain' }] });
});

const refusals: [string, string, object, number, RegExp][] = [
  ['an unknown task', 'tasks/get', { taskId: 'nope' }, -32602, /no task of yours/],
  ['answers to an unknown task', 'tasks/update', { taskId: 'nope', inputResponses: {} }, -32602, /no task/],
  ['cancelling an unknown task', 'tasks/cancel', { taskId: 'nope' }, -32602, /no task of yours/],
  [
    'answers that are no object',
    'tasks/update',
    { taskId: 'nope', inputResponses: [] },
    -32602,
    /must be an object/,
  ],
  ['the list of 2025-11-25', 'tasks/list', {}, -32601, /not part of 2026-07-28/],
  ['the result of 2025-11-25', 'tasks/result', { taskId: 'nope' }, -32601, /not part of 2026-07-28/],
];
test.each(refusals)('%s is refused', async (_what, method, params, code, message) => {
  const talk = await modern(stage({}));
  const { error } = await talk.request(method, params);
  expect(error).toEqual({ code, message: expect.stringMatching(message) });
});

test('neither progress nor log messages leave a task; its status message does', async () => {
  const scene = stage({});
  const talk = await modern(scene);
  const facts = { 'io.modelcontextprotocol/logLevel': 'debug', progressToken: 'p' };
  talk.wire.say(talk.line('r', 'tools/call', { name: 'report', arguments: {} }, facts));
  const { taskId } = (await talk.wire.answer('r')).result;
  await untilIt(talk, taskId, ({ statusMessage }) => statusMessage === 'half of it');
  scene.open('report');
  expect(textOf({ result: (await until(talk, taskId, 'completed')).result })).toBe('reported');
  expect(talk.wire.heard.filter(({ method }) => method !== undefined)).toEqual([]);
});

test('a listen stream reports the state of its tasks and every change, completely', async () => {
  const scene = stage({});
  const talk = await modern(scene);
  const { taskId } = await begin(talk, 'introduce');
  const other = await begin(talk, 'work', { label: 'a' });
  await until(talk, taskId, 'input_required');
  talk.wire.say(
    talk.line('l', 'subscriptions/listen', { notifications: { taskIds: [taskId, 'unknown', taskId] } }),
  );
  const acknowledged = await talk.wire.next();
  expect(acknowledged).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { taskIds: [taskId] } },
  });
  const tag = { 'io.modelcontextprotocol/subscriptionId': 'l' };
  const { result } = await talk.request('tasks/get', { taskId });
  const { resultType: _type, _meta, ...state } = result;
  const notifications = talk.wire.heard.filter(({ method }) => method === 'notifications/tasks');
  expect(notifications.map(({ params }) => params)).toEqual([{ ...state, _meta: tag }]);
  scene.open('a');
  await until(talk, other.taskId, 'completed');
  await talk.request('tasks/update', { taskId, inputResponses: { first: { action: 'cancel' } } });
  const ended = await talk.wire.until(({ params }) => params?.status === 'completed');
  expect(ended).toMatchObject({
    method: 'notifications/tasks',
    params: { taskId, result: { isError: true }, _meta: tag },
  });
  const ids = talk.wire.heard.filter(({ method }) => method === 'notifications/tasks');
  expect(new Set(ids.map(({ params }) => params.taskId))).toEqual(new Set([taskId]));
});

test('nothing is reported about a task after its listen stream was cancelled', async () => {
  const scene = stage({});
  const talk = await modern(scene);
  const { taskId } = await begin(talk, 'work', { label: 'a' });
  talk.wire.say(talk.line('l', 'subscriptions/listen', { notifications: { taskIds: [taskId] } }));
  await talk.wire.until(({ method }) => method === 'notifications/tasks');
  talk.wire.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}');
  scene.open('a');
  await until(talk, taskId, 'completed');
  const notifications = talk.wire.heard.filter(({ method }) => method === 'notifications/tasks');
  expect(notifications.map(({ params }) => params.status)).toEqual(['working']);
});

test('a listen stream accepts tasks only for a client with the extension', async () => {
  const talk = await modern(stage({}), everything);
  const { error } = await talk.request('subscriptions/listen', { notifications: { taskIds: [] } });
  expect(error).toEqual(missing);
  const { error: malformed } = await talk.request('subscriptions/listen', {
    notifications: { taskIds: [1] },
  });
  expect(malformed).toMatchObject({ code: -32602, message: expect.stringContaining('taskIds') });
});

test('a server without tasks leaves task ids out of its acknowledgement', async () => {
  const talk = await talkTo(stage().server, '2026-07-28', { capabilities: takingTasks });
  talk.wire.say(talk.line('l', 'subscriptions/listen', { notifications: { taskIds: ['x'] } }));
  expect((await talk.wire.next()).params.notifications).toEqual({});
});

test('a catalog has the task support of its tools', async () => {
  const must = tool({
    name: 'must',
    description: 'Runs only as a task.',
    input: z.object({}),
    taskSupport: 'required',
    run: () => 'did it',
  });
  const scene = stage({}, { tools: catalogOf([must]) });
  const talk = await modern(scene);
  const task = await until(talk, (await begin(talk, 'must')).taskId, 'completed');
  expect(textOf({ result: task.result })).toBe('did it');
  const older = await talkTo(scene.server, '2025-06-18');
  expect((await older.request('tools/list')).result.tools).toEqual([]);
  const newer = await talkTo(scene.server, '2025-11-25');
  const { result } = await newer.request('tools/list');
  expect(result.tools).toMatchObject([{ name: 'must', execution: { taskSupport: 'required' } }]);
});
