import { expect, test } from 'vitest';
import {
  ask,
  begin,
  call,
  listen,
  nextEvent,
  nextMessage,
  readEvents,
  STATELESS,
  sampleServer,
  stateless,
} from './wire.ts';

const add = { name: 'add', arguments: { a: 1, b: 2 } };

test('a request without a session gets JSON, and no session id is sent or required', async () => {
  const to = await listen(sampleServer().server);
  const asking = stateless(1, 'tools/call', add, {
    headers: { 'Mcp-Session-Id': 'none', 'Last-Event-ID': 'x' },
  });
  const { status, headers, json } = await ask(to, asking);
  expect(status).toBe(200);
  expect(headers['mcp-session-id']).toBeUndefined();
  expect(json.result).toMatchObject({ resultType: 'complete', structuredContent: { sum: 3 } });
});

test('a stream without ids has the messages before the response', async () => {
  const to = await listen(sampleServer().server);
  const params = { name: 'report', arguments: {} };
  const { events, headers } = await ask(
    to,
    stateless(1, 'tools/call', params, { meta: { progressToken: 1 } }),
  );
  expect(headers['content-type']).toBe('text/event-stream');
  expect(headers['x-accel-buffering']).toBe('no');
  expect(events.map(({ id }) => id)).toEqual([undefined, undefined, undefined]);
  expect(JSON.parse(events.at(-1)?.data ?? '').id).toBe(1);
});

test.each([
  ['no version header', { 'MCP-Protocol-Version': undefined }, 400, -32020],
  ['another version in the header', { 'MCP-Protocol-Version': '2025-11-25' }, 400, -32020],
  ['no method header', { 'Mcp-Method': undefined }, 400, -32020],
  ['another method in the header', { 'Mcp-Method': 'tools/list' }, 400, -32020],
  ['a method header in another case', { 'Mcp-Method': 'Tools/Call' }, 400, -32020],
  ['no name header', { 'Mcp-Name': undefined }, 400, -32020],
  ['another name in the header', { 'Mcp-Name': 'sub' }, 400, -32020],
  ['a name that is no base64', { 'Mcp-Name': '=?base64?%%?=' }, 400, -32020],
  ['a name in base64', { 'Mcp-Name': `=?base64?${Buffer.from('add').toString('base64')}?=` }, 200, undefined],
])('%s gets %#', async (_what, headers, status, code) => {
  const to = await listen(sampleServer().server);
  const answer = await ask(to, stateless(9, 'tools/call', add, { headers }));
  expect([answer.status, answer.json.error?.code, answer.json.id]).toEqual([status, code, 9]);
});

test.each([
  ['an unknown method', stateless(1, 'no/such'), 404, -32601],
  ['a method of the other era', stateless(1, 'initialize'), 404, -32601],
  ['a tool that does not exist', stateless(1, 'tools/call', { name: 'none' }), 200, -32602],
  ['a resource that does not exist', stateless(1, 'resources/read', { uri: 'test://none' }), 200, -32602],
  ['bad params', stateless(1, 'subscriptions/listen', { notifications: 1 }), 200, -32602],
  [
    'a capability that the client lacks',
    stateless(1, 'tools/call', { name: 'ask', arguments: {} }),
    400,
    -32021,
  ],
  [
    'capabilities that are not there',
    stateless(1, 'tools/list', {}, { meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } }),
    400,
    -32602,
  ],
  [
    'a version that is not served',
    stateless(
      1,
      'tools/list',
      {},
      {
        meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
        headers: { 'MCP-Protocol-Version': '2099-01-01' },
      },
    ),
    400,
    -32022,
  ],
])('%s has its status and its code', async (_what, asking, status, code) => {
  const to = await listen(sampleServer().server);
  const answer = await ask(to, asking);
  expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([status, code, 1]);
});

test('a stateless version header requires a stateless body', async () => {
  const to = await listen(sampleServer().server);
  const headers = { 'MCP-Protocol-Version': STATELESS };
  const { status, json } = await ask(to, { headers, body: call(1, 'tools/list') });
  expect([status, json.error.code, json.id]).toEqual([400, -32602, 1]);
  expect(json.error.message).toContain('io.modelcontextprotocol/protocolVersion');
});

test.each(['GET', 'DELETE'])('%s is not part of the stateless era', async (method) => {
  const to = await listen(sampleServer().server);
  const { status, headers } = await ask(to, { method, headers: { 'MCP-Protocol-Version': STATELESS } });
  expect([status, headers.allow]).toEqual([405, 'POST']);
});

test('notifications are accepted, responses are not', async () => {
  const to = await listen(sampleServer().server);
  const { headers, body } = stateless(1, 'notifications/cancelled', { requestId: 5 });
  const { id: _id, ...notification } = JSON.parse(String(body)) as { id: number };
  expect((await ask(to, { ...(headers && { headers }), body: JSON.stringify(notification) })).status).toBe(
    202,
  );
  const response = { jsonrpc: '2.0', id: 1, result: {} };
  const refused = await ask(to, { ...(headers && { headers }), body: JSON.stringify(response) });
  expect(refused.status).toBe(400);
});

const deploy = (args: object, headers: Record<string, string>) =>
  stateless(1, 'tools/call', { name: 'deploy', arguments: args }, { headers });

test.each([
  ['every header as its argument', { region: 'eu', count: 42, dry: true }, ['eu', '42', 'true'], 200],
  ['an integer written otherwise', { count: 42 }, [undefined, '42.0'], 200],
  ['no header for what is not there', { region: null }, [], 200],
  [
    'base64 of what no header can hold',
    { region: 'größe' },
    [`=?base64?${Buffer.from('größe').toString('base64')}?=`],
    200,
  ],
  ['another value', { region: 'eu' }, ['us'], 400],
  ['another number', { count: 42 }, [undefined, '43'], 400],
  ['a value in another case', { dry: true }, [undefined, undefined, 'True'], 400],
  ['no header for an argument', { region: 'eu' }, [], 400],
  ['a header without its argument', {}, ['eu'], 400],
  ['a broken sentinel', { region: 'eu' }, ['=?base64?ZXU?='], 400],
])('of parameters in headers, %s gets %#', async (_what, args, values, status) => {
  const to = await listen(sampleServer().server);
  const headers: Record<string, string> = {};
  for (const [index, name] of ['Region', 'Count', 'Dry'].entries()) {
    const value = values[index];
    if (value !== undefined) headers[`mcp-param-${name}`] = value;
  }
  const { status: answered, json } = await ask(to, deploy(args, headers));
  // null is not a string, which the tool itself reports
  expect([answered, json.error?.code]).toEqual([status, status === 400 ? -32020 : undefined]);
});

test('closing the stream cancels the request', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const { request } = begin(to, stateless(1, 'tools/call', { name: 'hold', arguments: {} }));
  await hooks.started.passed;
  request.destroy();
  await hooks.cancelled.passed;
});

test('a listen stream acknowledges, reports only the requested changes, and ends with a result', async () => {
  const hooks = sampleServer();
  const to = await listen(hooks.server);
  const wanted = { notifications: { toolsListChanged: true, resourceSubscriptions: ['test://a'] } };
  const events = readEvents(await begin(to, stateless('s', 'subscriptions/listen', wanted)).response);
  const acknowledged = await nextMessage(events);
  expect(acknowledged).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['test://a'] } },
  });
  hooks.server.listChanged('prompts');
  hooks.server.listChanged('tools');
  const changed = await nextMessage(events);
  expect(changed).toMatchObject({
    method: 'notifications/tools/list_changed',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 's' } },
  });
  const closed = to.close();
  expect(await nextMessage(events)).toMatchObject({ id: 's', result: { resultType: 'complete' } });
  expect((await events.next()).done).toBe(true);
  await closed;
});

test('a quiet listen stream has keep-alive comments', async () => {
  const to = await listen(sampleServer().server, { keepAlive: 5 });
  const wanted = { notifications: { toolsListChanged: true } };
  const events = readEvents(await begin(to, stateless(1, 'subscriptions/listen', wanted)).response);
  await nextMessage(events);
  expect((await nextEvent(events)).comment).toBe('keep-alive');
});

test('an input request of a tool is answered by repeating the call', async () => {
  const to = await listen(sampleServer().server);
  const capabilities = { elicitation: { form: {} } };
  const first = await ask(to, stateless(1, 'tools/call', { name: 'ask', arguments: {} }, { capabilities }));
  const { resultType, requestState } = first.json.result;
  expect(resultType).toBe('input_required');
  const inputResponses = { sure: { action: 'accept', content: { confirm: true } } };
  const params = { name: 'ask', arguments: {}, requestState, inputResponses };
  const second = await ask(to, stateless(2, 'tools/call', params, { capabilities }));
  expect(second.json.result.content[0].text).toBe('answered true');
});
