import { expect, test } from 'vitest';
import { type Client, type ClientOptions, connect } from '../../src/client.ts';
import type { Message } from '../wire/message.ts';
import { complete, type Scripted, scripted } from './scripted.ts';

const form = (message: string): object => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
});

const done = complete({ content: [{ type: 'text', text: 'done' }] });

/** Returns a stateless server that responds to calls with these results, the last one repeated. */
async function answering(
  results: object[],
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; server: Scripted }> {
  let next = 0;
  const server = scripted((message, act) => {
    if (message.id === undefined) return;
    act.say({ id: message.id, result: results[Math.min(next, results.length - 1)] });
    next += 1;
  });
  const client = await connect(server.transport, {
    name: 'tester',
    version: '1.0.0',
    era: { pinned: '2026-07-28' },
    elicitation: { form: () => ({ action: 'accept', content: { name: 'Ada' } }) },
    ...options,
  });
  return { client, server };
}

const calls = (server: Scripted): Message[] => server.heard.filter(({ method }) => method === 'tools/call');

test('a retry repeats the call with the responses, the same state and a new id', async () => {
  const state = ' "\\u00e9\n{}\u2028';
  const asking = { resultType: 'input_required', inputRequests: { who: form('Who?') }, requestState: state };
  const { client, server } = await answering([asking, done]);
  await client.callTool('greet', { loud: true });
  const [first, second] = calls(server);
  const own = { name: 'greet', arguments: { loud: true } };
  expect(first.params).toEqual({ ...own, _meta: first.params._meta });
  expect(second.params).toEqual({
    ...own,
    inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
    requestState: state,
    _meta: first.params._meta,
  });
  expect(second.id).not.toBe(first.id);
});

test('a retry has no state if none was received, and none of an earlier round', async () => {
  const { client, server } = await answering([
    { resultType: 'input_required', inputRequests: { who: form('Who?') }, requestState: 'one' },
    { resultType: 'input_required', inputRequests: { why: form('Why?') } },
    done,
  ]);
  await client.callTool('greet');
  const last = calls(server)[2].params;
  expect('requestState' in last).toBe(false);
  expect(Object.keys(last.inputResponses)).toEqual(['why']);
});

test('a state without input requests is sent back at once', async () => {
  const { client, server } = await answering([{ resultType: 'input_required', requestState: 's' }, done]);
  await client.callTool('greet');
  expect([calls(server)[1].params.requestState, 'inputResponses' in calls(server)[1].params]).toEqual([
    's',
    false,
  ]);
});

test('a server that always asks is given up after ten rounds', async () => {
  const { client, server } = await answering([
    { resultType: 'input_required', inputRequests: { who: form('Who?') } },
  ]);
  await expect(client.callTool('greet')).rejects.toThrow('tools/call requires input after 10 rounds');
  expect(calls(server)).toHaveLength(10);
});

test.each([
  ['roots', { method: 'roots/list' }, 'this client has no roots/list'],
  [
    'sampling',
    { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    'this client has no sampling/createMessage',
  ],
  [
    'pages',
    { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://example.com/' } },
    'this client did not declare elicitation.url',
  ],
])('an undeclared input request for %s ends the call with a local error', async (_what, question, reason) => {
  const { client, server } = await answering([
    { resultType: 'input_required', inputRequests: { q: question } },
  ]);
  await expect(client.callTool('greet')).rejects.toMatchObject({
    name: 'AnswerError',
    message: `tools/call requires input that this client does not support: ${reason}`,
  });
  expect(calls(server)).toHaveLength(1);
});

test('an input_required result without input requests is an error', async () => {
  const { client } = await answering([{ resultType: 'input_required' }]);
  await expect(client.callTool('greet')).rejects.toMatchObject({ name: 'AnswerError' });
});

test('a list cannot require input', async () => {
  const { client } = await answering([
    { resultType: 'input_required', inputRequests: { who: form('Who?') } },
  ]);
  await expect(client.listTools()).rejects.toMatchObject({ name: 'AnswerError' });
});

test('a result without resultType is complete and an unknown resultType is an error', async () => {
  const bare = await answering([{ content: [] }]);
  expect(await bare.client.callTool('greet')).toEqual({ content: [] });
  const strange = await answering([{ resultType: 'later', content: [] }]);
  await expect(strange.client.callTool('greet')).rejects.toThrow(
    'the response to tools/call has the unknown resultType "later"',
  );
});

test('prompts and resources may require input too', async () => {
  const asking = { resultType: 'input_required', inputRequests: { who: form('Who?') } };
  const prompts = await answering([asking, complete({ messages: [] })]);
  expect((await prompts.client.getPrompt('greet')).messages).toEqual([]);
  const resources = await answering([asking, complete({ contents: [], ttlMs: 0, cacheScope: 'private' })]);
  expect((await resources.client.readResource('memo://x')).contents).toEqual([]);
});

test('a provider whose response does not match the form fails the call before anything is sent', async () => {
  const { client, server } = await answering(
    [{ resultType: 'input_required', inputRequests: { who: form('Who?') } }],
    {
      elicitation: { form: () => ({ action: 'accept', content: { name: 5 } }) },
    },
  );
  await expect(client.callTool('greet')).rejects.toThrow(
    'the response to the form "Who?" does not match: name: ',
  );
  expect(calls(server)).toHaveLength(1);
});

test('a cancelled call aborts the signal of the provider', async () => {
  const controller = new AbortController();
  let notified: (signal: AbortSignal) => void = () => {};
  const asked = new Promise<AbortSignal>((resolve) => {
    notified = resolve;
  });
  const { client } = await answering(
    [{ resultType: 'input_required', inputRequests: { who: form('Who?') } }],
    {
      elicitation: {
        form: (_params, { signal }) => {
          notified(signal);
          return new Promise(() => {});
        },
      },
    },
  );
  const call = client.callTool('greet', {}, { signal: controller.signal });
  const signal = await asked;
  controller.abort();
  expect(signal.aborted).toBe(true);
  await expect(call).rejects.toMatchObject({ name: 'ConnectionError', reason: 'cancelled' });
});

test('input requests of one call do not affect another', async () => {
  const { client, server } = await answering([
    { resultType: 'input_required', inputRequests: { who: form('Who?') }, requestState: 'mine' },
    done,
  ]);
  await client.callTool('greet');
  await client.callTool('other');
  expect(calls(server)[2].params).toEqual({ name: 'other', arguments: {}, _meta: expect.anything() });
});
