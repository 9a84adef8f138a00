import type { IncomingMessage } from 'node:http';
import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { spec } from '../../src/spec.ts';
import { call, newest, Served, type Setting } from '../harness.ts';
import { Site } from '../site.ts';

interface Answered {
  status: number;
  final_url: string;
  headers: Record<string, string>;
  content: string;
  total_length: number;
  truncated: boolean;
  untrusted: true;
  failure?: { code: string; status?: number; message: string };
}

interface Heard {
  method: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

const served = new Served('file');
let site: Site;
let client: Client;
const heard: Heard[] = [];

beforeAll(async () => {
  site = await new Site().start();
  client = await open();
  site.paths.set('/api', (request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => {
      heard.push({ method: request.method, headers: request.headers, body });
      response.writeHead(201, {
        'content-type': 'application/json',
        location: '/api/1',
        'set-cookie': 'a=b',
      });
      response.end('{"id":1}');
    });
  });
});
afterAll(() => site.close());
beforeEach(() => {
  heard.length = 0;
});

function open(setting: Setting = {}): Promise<Client> {
  return served.client({ ...setting, extra: { 'allow-private': [site.host], ...setting.extra } });
}

const send = (args: Record<string, unknown>, by: Client = client) =>
  call<Answered>(by, 'request', { url: site.url('/api'), ...args });

test('it is not offered unless the operator asks for it, and never by a server that only reads', async () => {
  expect(spec.defaultTools).not.toContain('request');
  expect(spec.defaultTools).toContain('fetch');
  const reading = await (await open({ readOnly: true })).listTools();
  expect(reading.map(({ name }) => name)).not.toContain('request');
  const tool = (await client.listTools()).find(({ name }) => name === 'request');
  expect(tool?.annotations).toMatchObject({ destructiveHint: true, idempotentHint: false });
});

test.each([
  ['JSON', { json: { a: [1] } }, 'application/json', '{"a":[1]}'],
  ['a form', { form: { a: 'x y', b: ['1', '2'] } }, 'application/x-www-form-urlencoded', 'a=x+y&b=1&b=2'],
  ['text', { body: 'tea é' }, 'text/plain; charset=utf-8', 'tea é'],
  [
    'text of a type that is said',
    { body: '<a/>', headers: { 'Content-Type': 'application/xml' } },
    'application/xml',
    '<a/>',
  ],
])('%s is sent as the body, and the response is returned as text', async (_what, args, type, body) => {
  const { facts, text, failed } = await send({ method: 'POST', ...args });
  expect(failed).toBe(false);
  expect(heard).toMatchObject([{ method: 'POST', body, headers: { 'content-type': type } }]);
  expect(facts).toMatchObject({
    status: 201,
    headers: { location: '/api/1' },
    untrusted: true,
    truncated: false,
  });
  expect([facts.content.includes('"id"'), text.includes('untrusted'), JSON.stringify(facts)]).toEqual([
    true,
    true,
    expect.not.stringContaining('a=b'),
  ]);
});

test.each(['PUT', 'PATCH', 'DELETE', 'HEAD', 'GET'])('%s is sent unchanged', async (method) => {
  const { failed, facts } = await send({ method, headers: { 'x-mark': 'm' } });
  expect([failed, facts.status]).toEqual([false, 201]);
  expect(heard).toMatchObject([{ method, headers: { 'x-mark': 'm' } }]);
});

test.each([
  ['host', 'evil.example'],
  ['cookie', 'a=b'],
  ['authorization', 'Bearer x'],
  ['connection', 'close'],
  ['transfer-encoding', 'chunked'],
  ['content-length', '3'],
  ['proxy-authorization', 'x'],
  ['x-mark', 'a\r\nhost: b'],
])('the header %s as %j is refused and nothing is sent', async (name, value) => {
  const { failed, facts } = await send({ method: 'POST', headers: { [name]: value } });
  expect([failed, facts.failure?.code, heard]).toEqual([true, 'invalid-request', []]);
});

test.each([
  ['two bodies', { method: 'POST', body: 'a', json: 1 }],
  ['a body of GET', { method: 'GET', body: 'a' }],
  ['a field that is there twice', { method: 'POST', headers: { 'x-a': '1', 'X-A': '2' } }],
])('%s is an invalid argument, and nothing is sent', async (_what, args) => {
  const { code } = await send(args);
  expect([code, heard]).toEqual(['invalid-arguments', []]);
});

test('an error status is a failure with the text of the response', async () => {
  site.paths.set('/refuses', (_, response) => {
    response.writeHead(422, { 'content-type': 'application/json' }).end('{"error":"no tea"}');
  });
  const { failed, facts, text } = await send({ url: site.url('/refuses'), method: 'POST', json: {} });
  expect([failed, facts.failure?.code, facts.failure?.status]).toEqual([true, 'http-status', 422]);
  expect(text).toContain('no tea');
});

test.each([
  [303, 'GET', ''],
  [307, 'POST', 'tea'],
])('a redirect of status %i is followed by %s', async (status, method, body) => {
  site.paths.set('/moved', (request, response) => {
    request.resume();
    response.writeHead(status, { location: '/api' }).end();
  });
  const { facts } = await send({ url: site.url('/moved'), method: 'POST', body: 'tea' });
  expect(heard).toMatchObject([{ method, body }]);
  expect(facts.final_url).toBe(site.url('/api'));
});

test('a redirect to another site gets no body', async () => {
  const port = new URL(site.url('/')).port;
  const extra = { 'allow-private': [site.host, `127.0.0.1:${port}`] };
  site.paths.set('/away', (request, response) => {
    request.resume();
    response.writeHead(307, { location: `http://127.0.0.1:${port}/api` }).end();
  });
  const { facts } = await send(
    { url: site.url('/away'), method: 'POST', body: 'tea' },
    await open({ extra }),
  );
  expect([facts.failure?.code, heard]).toEqual(['redirect-refused', []]);
});

test('a failing request is sent once', async () => {
  let times = 0;
  site.paths.set('/cuts', (_, response) => {
    times += 1;
    response.destroy();
  });
  const { failed } = await send({ url: site.url('/cuts'), method: 'POST' });
  expect([failed, times]).toEqual([true, 1]);
});

test('its response is never stored, and an unsafe method invalidates the stored response', async () => {
  const url = site.page('/kept', 'old', 'text/plain', { 'cache-control': 'max-age=60' });
  const read = async () => (await call<{ content: string }>(client, 'fetch', { url })).facts.content;
  expect(await read()).toBe('old');
  site.page('/kept', 'new', 'text/plain', { 'cache-control': 'max-age=60' });
  expect((await send({ url, method: 'GET' })).facts.content).toBe('new');
  expect(await read()).toBe('old');
  await send({ url, method: 'PUT', body: 'x' });
  expect(await read()).toBe('new');
});

test('a long response is cut, and says so', async () => {
  const url = site.page('/long', 'tea '.repeat(10_000), 'text/plain');
  const { facts, text } = await send({ url, method: 'POST', max_length: 1000 });
  expect([facts.content.length <= 1000, facts.truncated]).toEqual([true, true]);
  expect(facts.total_length).toBeGreaterThan(10_000);
  expect(text).toContain('max_length gives more');
});

test('a cancelled request closes the connection', async () => {
  let open = 0;
  site.paths.set('/waits', (_, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
  });
  const ending = new AbortController();
  const args = { url: site.url('/waits'), method: 'POST' };
  const sending = call(client, 'request', args, { signal: ending.signal });
  await vi.waitUntil(() => open === 1, { timeout: 120_000 });
  ending.abort();
  await expect(sending).rejects.toThrow();
  await vi.waitUntil(() => open === 0, { timeout: 120_000 });
});

test.each([newest, '2025-11-25'] as const)(
  'a client that can ask lets its user confirm the first unsafe request to an origin, %s',
  async (revision) => {
    const questions: string[] = [];
    let agrees = false;
    const asking = await open({
      revision,
      elicitation: ({ message }) => {
        questions.push(message);
        return agrees ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
      },
    });
    const declined = await send({ method: 'DELETE' }, asking);
    expect([declined.code, heard]).toEqual(['declined', []]);
    expect(questions).toEqual([expect.stringContaining(new URL(site.url('/')).origin)]);
    await send({ method: 'GET' }, asking);
    expect([questions.length, heard.length]).toEqual([1, 1]);
    agrees = true;
    expect((await send({ method: 'DELETE' }, asking)).failed).toBe(false);
    expect((await send({ method: 'POST', json: 1 }, asking)).failed).toBe(false);
    expect([questions.length, heard.length]).toEqual([2, 3]);
  },
);

test('a private host that the operator has not named is refused before a request is sent', async () => {
  const guarded = await served.client();
  const { facts } = await send({ method: 'POST' }, guarded);
  expect([facts.failure?.code, heard]).toEqual(['address-refused', []]);
});
