import { createServer as createPlain } from 'node:http';
import { createServer, tool } from '@rootbound/protocol';
import { serveHttp } from '@rootbound/protocol/http';
import { expect } from 'vitest';
import * as z from 'zod';
import { validateMessage } from '../../schema/validate.ts';
import type { Message } from '../message.ts';
import { between, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { another, bareSite, site } from './site.ts';
import { over } from './world.ts';

const http = between('2025-03-26');
const sessions = between('2025-03-26', '2025-11-25');
const headed = between('2025-06-18', '2025-11-25');

over(
  http,
  'one endpoint takes POST, for any number of clients',
  async ({ proves, revision, stateless: modern }) => {
    const first = await site(revision);
    const second = another(first);
    if (!modern) await second.initialize();
    const answers = await Promise.all([
      first.call('later', { text: 'a' }),
      second.call('later', { text: 'b' }),
    ]);
    proves('2025-03-26/transport-http/serves-multiple-clients', () =>
      expect(answers.map(({ message }) => message.result.content[0].text)).toEqual(['a', 'b']),
    );
    const { body, headers } = first.posting('tools/list');
    const elsewhere = await first.ask({ path: '/other', ...(body && { body }), ...(headers && { headers }) });
    proves('2025-03-26/transport-http/single-mcp-endpoint', () =>
      expect([answers[0].status, elsewhere.status]).toEqual([200, 404]),
    );
    if (!modern) {
      const get = await first.get();
      proves('2025-03-26/transport-http/endpoint-supports-post-and-get', () =>
        expect([answers[0].status, get.status]).toEqual([200, 200]),
      );
    }
    proves('2026-07-28/transport-http/endpoint-supports-post', () => expect(answers[1].status).toBe(200));
  },
);

over(
  http,
  'a request is answered by JSON, or by events that end with its response',
  async ({ proves, revision }) => {
    const to = await site(revision);
    const plain = await to.call('echo', { text: 'x' });
    const streamed = await to.call('steps', { values: [1, 2], total: 2 }, { meta: { progressToken: 'p' } });
    proves('2025-03-26/transport-http/request-post-gets-json-or-sse', () =>
      expect([plain.headers['content-type'], streamed.headers['content-type']]).toEqual([
        'application/json',
        'text/event-stream',
      ]),
    );
    proves('2025-03-26/transport-http/post-stream-delivers-every-response', () =>
      expect(streamed.message.result.content[0].text).toBe('done'),
    );
    proves('2025-03-26/transport-http/post-stream-messages-relate-to-request', () =>
      expect(
        streamed.messages.slice(0, -1).map(({ method, params }) => [method, params.progressToken]),
      ).toEqual([
        ['notifications/progress', 'p'],
        ['notifications/progress', 'p'],
      ]),
    );
    proves('2025-03-26/transport-http/post-stream-closed-after-response', () =>
      expect(streamed.messages.findIndex(({ result }) => result)).toBe(streamed.messages.length - 1),
    );
    proves('2025-03-26/transport-http/post-stream-not-closed-before-response', () =>
      expect(streamed.message.result).toBeDefined(),
    );
    for (const message of [...plain.messages, ...streamed.messages])
      expect(() => validateMessage(revision, 'server', message)).not.toThrow();
  },
);

over(
  http,
  'a notification is accepted with 202 and no body, an invalid message is refused',
  async ({ proves, revision, stateless: modern }) => {
    const to = await site(revision);
    const accepted = await to.notify('notifications/unheard');
    proves('2025-03-26/transport-http/notification-or-response-post-gets-202', () =>
      expect([accepted.status, accepted.text]).toEqual([202, '']),
    );
    const wrong = [
      await to.ask({ body: '{"jsonrpc":"2.0",' }),
      await to.ask({ body: '{"jsonrpc":"1.0","method":"a"}' }),
      await to.ask({ body: '{"jsonrpc":"2.0","method":7}' }),
    ];
    proves('2025-03-26/transport-http/unacceptable-input-gets-error-status', () =>
      expect(wrong.map(({ status }) => status >= 400 && status < 500)).toEqual([true, true, true]),
    );
    expect(modern).toBe(revision === '2026-07-28');
  },
);

over(http, 'requests of other origins are refused', async ({ proves, revision }) => {
  const to = await site(revision);
  const asking = to.posting('tools/list');
  const from = async (origin: string | undefined) =>
    (await to.ask({ ...asking, headers: { ...asking.headers, Origin: origin } })).status;
  const statuses = [
    await from('https://evil.example'),
    await from('null'),
    await from('http://localhost.evil.example'),
    await from('http://localhost:3000'),
    await from(undefined),
  ];
  proves('2025-03-26/transport-http/origin-validated', () =>
    expect(statuses).toEqual([403, 403, 403, 200, 200]),
  );
  proves('2025-11-25/transport-http/invalid-origin-answered-403', () =>
    expect(statuses.slice(0, 3)).toEqual([403, 403, 403]),
  );
});

over(http, 'a server listens on loopback only, unless it has authorization', async ({ proves }) => {
  const local = await serveHttp(fixture(), { port: 0 });
  const address = local.listener.address();
  await local.close(0);
  proves('2025-03-26/transport-http/local-server-binds-localhost', () =>
    expect(address).toMatchObject({ address: '127.0.0.1' }),
  );
  const open = serveHttp(fixture(), { port: 0, host: '0.0.0.0' });
  await proves('2025-03-26/transport-http/connections-authenticated', async () => {
    await expect(open).rejects.toThrow('set an authorizer');
  });
});

over(
  sessions,
  'a session has an unguessable id, and begins with initialize',
  async ({ proves, revision }) => {
    const to = await bareSite(revision);
    const ids: string[] = [];
    for (let session = 0; session < 20; session++)
      ids.push(String((await to.initialize()).headers['mcp-session-id']));
    proves('2025-03-26/transport-http/session-id-is-visible-ascii', () =>
      expect(ids.filter((id) => !/^[\x21-\x7e]+$/.test(id))).toEqual([]),
    );
    proves('2025-03-26/transport-http/session-id-globally-unique', () => expect(new Set(ids).size).toBe(20));
    proves('2025-03-26/transport-http/session-id-cryptographically-secure', () =>
      expect(Math.min(...ids.map((id) => id.length))).toBeGreaterThanOrEqual(32),
    );
    proves('2025-06-18/security/session-ids-non-deterministic', () =>
      expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(20),
    );
    proves('2025-06-18/security/session-ids-from-secure-random', () =>
      expect(ids.every((id) => Buffer.from(id, 'base64url').length >= 16)).toBe(true),
    );
    proves('2025-06-18/security/session-ids-not-predictable', () =>
      expect([...ids].toSorted()).not.toEqual(ids),
    );
    const bare = another(to);
    const missing = await bare.request('tools/list');
    proves('2025-03-26/transport-http/missing-session-id-gets-400', () => expect(missing.status).toBe(400));
  },
);

over(sessions, 'an ended session is not found', async ({ proves, revision }) => {
  const stage = new Stage();
  const to = await site(revision, { server: fixture(stage) });
  const stream = await to.get();
  const deleted = await to.ask({ method: 'DELETE' });
  const after = [
    await to.request('tools/list'),
    await to.ask({ method: 'GET' }),
    await to.ask({ method: 'DELETE' }),
  ];
  proves('2025-03-26/transport-http/terminated-session-gets-404', () =>
    expect([deleted.status, ...after.map(({ status }) => status)]).toEqual([204, 404, 404, 404]),
  );
  const rest = await stream.rest();
  proves('2025-03-26/transport-http/closing-connections-is-shutdown', () => expect(rest).toEqual([]));
  const unknown = another(to);
  unknown.session = { 'Mcp-Session-Id': 'made-up' };
  expect((await unknown.request('tools/list')).status).toBe(404);
});

over(
  sessions,
  'the GET stream has unsolicited messages, once, and no responses',
  async ({ proves, revision }) => {
    const stage = new Stage();
    const server = fixture(stage);
    const to = await site(revision, { server, capabilities: { roots: {} } });
    const stream = await to.get();
    proves('2025-03-26/transport-http/get-answered-with-sse-or-405', () =>
      expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']),
    );
    const roots = await stream.message();
    const second = await to.get();
    proves('2025-03-26/transport-http/message-sent-on-one-stream', () =>
      expect([roots.method, second.status]).toEqual(['roots/list', 409]),
    );
    await to.ask({ body: JSON.stringify({ jsonrpc: '2.0', id: roots.id, result: { roots: [] } }) });
    const streamed = to.call('steps', { values: [1], total: 1 }, { meta: { progressToken: 'p' } });
    const { messages } = await streamed;
    server.listChanged('tools');
    const unasked: Message[] = [await stream.message()];
    if (unasked[0].method === 'notifications/resources/list_changed') unasked.push(await stream.message());
    proves('2025-03-26/transport-http/get-stream-messages-unrelated-to-running-requests', () =>
      expect(unasked.at(-1).method).toBe('notifications/tools/list_changed'),
    );
    proves('2025-03-26/transport-http/no-response-on-get-stream', () =>
      expect(unasked.filter((message) => 'result' in message)).toEqual([]),
    );
    proves('2025-03-26/transport-http/message-not-broadcast', () => {
      expect(messages.filter(({ method }) => method === 'notifications/progress')).toHaveLength(1);
      expect(unasked.filter(({ method }) => method === 'notifications/progress')).toEqual([]);
    });
  },
);

over(
  sessions,
  'a broken stream is resumed after its last event, and no other stream',
  async ({ proves, revision }) => {
    const stage = new Stage();
    const server = fixture(stage);
    const to = await site(revision, { server });
    const standalone = await to.get();
    const call = to.stream(
      to.posting(
        'tools/call',
        { name: 'hold', arguments: { text: 'held' } },
        { meta: { progressToken: 'p' } },
      ),
    );
    call.catch(() => {});
    server.listChanged('tools');
    await standalone.message();
    const last = standalone.seen.findLast(({ id }) => id !== undefined)?.id;
    standalone.leave();
    server.listChanged('prompts');
    server.listChanged('resources');
    const taken = async () => {
      for (;;) {
        const stream = await to.get({ 'Last-Event-ID': last });
        // the server may not have detected the end of the first connection yet
        if (stream.status !== 409) return stream;
        await stream.rest();
      }
    };
    const resumed = await taken();
    const missed = [await resumed.message(), await resumed.message()];
    proves('2025-03-26/transport-http/no-replay-from-other-streams', () =>
      expect(missed.map(({ method }) => method)).toEqual([
        'notifications/prompts/list_changed',
        'notifications/resources/list_changed',
      ]),
    );
    const ids = [...standalone.seen, ...resumed.seen].flatMap(({ id }) => id ?? []);
    proves('2025-03-26/transport-http/event-ids-assigned-per-stream', () =>
      expect(ids.length).toBeGreaterThan(2),
    );
    const other = await to.call('steps', { values: [1], total: 1 }, { meta: { progressToken: 'q' } });
    const others = other.events.flatMap(({ id }) => id ?? []);
    proves('2025-03-26/transport-http/event-id-unique-in-session', () => {
      const messageIds = [...new Set(ids), ...others];
      expect(new Set(messageIds).size).toBe(messageIds.length);
      expect(others.length).toBeGreaterThan(0);
    });
    proves('2025-11-25/transport-http/sse-event-ids-identify-their-stream', () =>
      expect(others.every((id) => id.split('-')[0] !== ids[0]?.split('-')[0])).toBe(true),
    );
    const replay = await to.get({ 'Last-Event-ID': others[0] });
    const answered = await replay.rest();
    proves('2025-11-25/transport-http/resumption-always-via-get', () =>
      expect(answered.at(-1).result.content[0].text).toBe('done'),
    );
    stage.release();
  },
);

over(sessions, 'a disconnect is not a cancellation', async ({ proves, revision }) => {
  const stage = new Stage();
  const to = await site(revision, { server: fixture(stage) });
  const stream = await to.stream(
    to.posting(
      'tools/call',
      { name: 'steps', arguments: { values: [1], total: 1 } },
      { meta: { progressToken: 'p' } },
    ),
  );
  await stream.message();
  const held = to.begin(to.posting('tools/call', { name: 'hold', arguments: { text: 'held' } }));
  held.catch(() => {});
  while (stage.ran.length === 0) await to.request('ping');
  stream.leave();
  await to.request('ping');
  proves('2025-03-26/transport-http/disconnection-is-not-cancellation', () =>
    expect(stage.aborted).toEqual([]),
  );
  stage.release();
});

over(['2025-03-26'], 'batches are accepted and answered', async ({ proves, revision }) => {
  const to = await site(revision);
  const one = JSON.parse(to.posting('tools/call', { name: 'echo', arguments: { text: 'x' } }).body!);
  const two = JSON.parse(to.posting('ping').body!);
  const both = await to.ask({ body: JSON.stringify([one, two]) });
  proves('2025-03-26/transport-http/json-response-to-batch', () => {
    expect(both.headers['content-type']).toBe('application/json');
    expect(both.message.map(({ id }: Message) => id)).toEqual([one.id, two.id]);
  });
  const none = await to.ask({
    body: '[{"jsonrpc":"2.0","method":"notifications/a"},{"jsonrpc":"2.0","id":99,"result":{}}]',
  });
  proves('2025-03-26/transport-http/array-of-notifications-or-responses-gets-202', () =>
    expect([none.status, none.text]).toEqual([202, '']),
  );
});

over(
  headed,
  'the version header applies: absent is 2025-03-26, unknown is refused',
  async ({ proves, revision }) => {
    const to = await bareSite(revision);
    await to.initialize('2025-03-26');
    to.session = { ...to.session, 'MCP-Protocol-Version': undefined };
    const batch = await to.ask({ body: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]' });
    proves('2025-06-18/transport-http/missing-version-header-means-2025-03-26', () =>
      expect(batch.message).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]),
    );
    const statuses: number[] = [];
    for (const version of ['1900-01-01', 'latest', '2099-12-31'])
      statuses.push((await to.request('ping', {}, { headers: { 'MCP-Protocol-Version': version } })).status);
    proves('2025-06-18/transport-http/unsupported-version-header-gets-400', () =>
      expect(statuses).toEqual([400, 400, 400]),
    );
  },
);

over(
  ['2025-11-25'],
  'a stream primes its client, and may be cut off for polling',
  async ({ proves, revision }) => {
    let release = (): void => {};
    const server = createServer({
      name: 's',
      version: '1',
      tools: [
        tool({
          name: 'slow',
          description: 'Lets go of its connection.',
          input: z.object({}),
          run: async (_args, context) => {
            context.progress(1);
            context.releaseConnection(10);
            await new Promise<void>((resolve) => {
              release = resolve;
            });
            return 'late';
          },
        }),
      ],
    });
    const to = await site(revision, { server });
    const stream = await to.stream(
      to.posting('tools/call', { name: 'slow', arguments: {} }, { meta: { progressToken: 'p' } }),
    );
    await stream.rest();
    const [first] = stream.seen;
    proves('2025-11-25/transport-http/sse-stream-primes-client-with-event-id', () =>
      expect([typeof first?.id, first?.data]).toEqual(['string', '']),
    );
    proves('2025-11-25/transport-http/sse-retry-sent-before-early-close', () =>
      expect(stream.seen.at(-1)).toEqual({ retry: '10' }),
    );
    release();
    const resumed = await to.get({ 'Last-Event-ID': stream.seen.findLast(({ id }) => id)?.id });
    const answered = await resumed.rest();
    proves('2025-11-25/transport-http/resumption-always-via-get', () =>
      expect(answered.at(-1).result.content[0].text).toBe('late'),
    );
    const standalone = await to.get();
    await standalone.next();
    proves('2025-11-25/transport-http/get-stream-early-close-sends-retry', () =>
      expect(standalone.seen[0]).toMatchObject({ data: '' }),
    );
  },
);

over(stateless, 'errors have their HTTP status', async ({ proves, revision }) => {
  const to = await site(revision);
  const version = 'io.modelcontextprotocol/protocolVersion';
  const { body } = to.posting('tools/list');
  const message = JSON.parse(body!);
  delete message.params._meta['io.modelcontextprotocol/clientCapabilities'];
  const missing = await to.ask({ ...to.posting('tools/list'), body: JSON.stringify(message) });
  proves('2026-07-28/transport-http/missing-required-meta-http-status-400', () =>
    expect([missing.status, missing.message.error.code]).toEqual([400, -32602]),
  );
  const capability = await to.call('think');
  proves('2026-07-28/transport-http/missing-client-capability-http-status-400', () =>
    expect([capability.status, capability.message.error.code]).toEqual([400, -32021]),
  );
  const unsupported = await to.request(
    'tools/list',
    {},
    { meta: { [version]: '1900-01-01' }, headers: { 'MCP-Protocol-Version': '1900-01-01' } },
  );
  proves('2026-07-28/transport-http/unsupported-version-http-status-400', () =>
    expect([unsupported.status, unsupported.message.error.code]).toEqual([400, -32022]),
  );
  const unknown = await to.request('no/such/method');
  proves('2026-07-28/transport-http/unknown-method-http-status-404', () => expect(unknown.status).toBe(404));
  proves('2026-07-28/transport-http/unknown-method-body-has-32601', () =>
    expect(unknown.message.error.code).toBe(-32601),
  );
});

over(
  stateless,
  'headers repeat the values of the body, or the request is refused',
  async ({ proves, revision }) => {
    const to = await site(revision);
    const call = { name: 'echo', arguments: { text: 'x' } };
    const refused = async (headers: Record<string, string | undefined>, params: Message = call) => {
      const { status, message } = await to.request('tools/call', params, { headers });
      return [status, message.error?.code];
    };
    const mismatch = [400, -32020];
    const version = await refused({ 'MCP-Protocol-Version': '2025-11-25' });
    proves('2026-07-28/transport-http/version-header-mismatch-rejected', () =>
      expect(version).toEqual(mismatch),
    );
    const absent = await refused({ 'MCP-Protocol-Version': undefined });
    proves('2026-07-28/transport-http/missing-version-header-rejected', () =>
      expect(absent).toEqual(mismatch),
    );
    const missing = [
      await refused({ 'Mcp-Method': undefined }),
      await refused({ 'Mcp-Name': undefined }),
      absent,
    ];
    proves('2026-07-28/transport-http/missing-standard-header-rejected', () =>
      expect(missing).toEqual([mismatch, mismatch, mismatch]),
    );
    const different = [await refused({ 'Mcp-Method': 'tools/list' }), await refused({ 'Mcp-Name': 'add' })];
    proves('2026-07-28/transport-http/header-body-mismatch-rejected', () =>
      expect(different).toEqual([mismatch, mismatch]),
    );
    proves('2026-07-28/transport-http/header-validation-failure-status-400', () =>
      expect(different.map(([status]) => status)).toEqual([400, 400]),
    );
    proves('2026-07-28/transport-http/header-validation-failure-body-32020', () =>
      expect(different.map(([, code]) => code)).toEqual([-32020, -32020]),
    );
    const values = await refused({ 'Mcp-Method': 'Tools/Call' });
    proves('2026-07-28/transport-http/header-values-case-sensitive', () => expect(values).toEqual(mismatch));
    const names = await to.ask({
      body: to.posting('tools/call', call).body!,
      headers: { 'mcp-PROTOCOL-version': revision, 'MCP-METHOD': 'tools/call', 'mcp-name': 'echo' },
    });
    proves('2026-07-28/transport-http/header-names-case-insensitive', () =>
      expect(names.message.result.content[0].text).toBe('x'),
    );
    const odd = [await refused({ 'Mcp-Name': 'éch\u00f8' }), await refused({ 'Mcp-Name': '=?base64?!!?=' })];
    proves('2026-07-28/transport-http/header-with-invalid-characters-rejected', () =>
      expect(odd).toEqual([mismatch, mismatch]),
    );
    const encoded = await to.request(
      'resources/read',
      { uri: 'memo://days/mönday' },
      { headers: { 'Mcp-Name': `=?base64?${Buffer.from('memo://days/mönday').toString('base64')}?=` } },
    );
    proves('2026-07-28/transport-http/server-decodes-encoded-values', () =>
      expect(encoded.message.error).toMatchObject({ code: -32602, message: 'resource not found' }),
    );
  },
);

const region = z.string().meta({ 'x-mcp-header': 'Region' });
const deploy = (input: z.ZodObject) =>
  createServer({
    name: 's',
    version: '1',
    tools: [tool({ name: 'deploy', description: 'x', input, run: () => 'deployed' })],
  });

over(
  stateless,
  'arguments that are mirrored into headers are the same there',
  async ({ proves, revision }) => {
    const input = z.object({
      region: region.optional(),
      count: z.int().meta({ 'x-mcp-header': 'Count' }).optional(),
      where: z.object({ zone: z.string().meta({ 'x-mcp-header': 'Zone' }).optional() }).optional(),
    });
    const to = await site(revision, { server: deploy(input) });
    const outcome = async (args: object, headers: Record<string, string>) => {
      const { status, message } = await to.call('deploy', args, { headers });
      return message.error === undefined
        ? (message.result.isError ?? 'deployed')
        : [status, message.error.code];
    };
    const mismatch = [400, -32020];
    const same = await outcome(
      { region: 'eu', where: { zone: 'a' } },
      { 'Mcp-Param-Region': 'eu', 'mcp-param-zone': 'a' },
    );
    const other = await outcome({ region: 'eu' }, { 'Mcp-Param-Region': 'us' });
    const stray = await outcome({}, { 'Mcp-Param-Region': 'eu' });
    proves('2026-07-28/transport-http/param-headers-validated-against-body', () =>
      expect([same, other, stray]).toEqual(['deployed', mismatch, mismatch]),
    );
    proves('2026-07-28/transport-http/param-header-mismatch-answered-400-32020', () =>
      expect(other).toEqual(mismatch),
    );
    const missing = [await outcome({ region: 'eu' }, {}), await outcome({ where: { zone: 'a' } }, {})];
    proves('2026-07-28/transport-http/missing-param-header-with-body-value-rejected', () =>
      expect(missing).toEqual([mismatch, mismatch]),
    );
    const none = [await outcome({}, {}), await outcome({ count: null }, {})];
    proves('2026-07-28/transport-http/no-header-expected-for-absent-parameter', () =>
      expect(none[0]).toBe('deployed'),
    );
    proves('2026-07-28/transport-http/no-header-expected-for-null-parameter', () =>
      expect(none[1]).toBe(true),
    );
    const numbers = [
      await outcome({ count: 42 }, { 'Mcp-Param-Count': '42.0' }),
      await outcome({ count: 42 }, { 'Mcp-Param-Count': '43' }),
    ];
    proves('2026-07-28/transport-http/integer-headers-compared-numerically', () =>
      expect(numbers).toEqual(['deployed', mismatch]),
    );
    const encoded = `=?base64?${Buffer.from('zürich').toString('base64')}?=`;
    const decoded = [
      await outcome({ region: 'zürich' }, { 'Mcp-Param-Region': encoded }),
      await outcome({ region: 'x' }, { 'Mcp-Param-Region': '=?base64?%%?=' }),
    ];
    proves('2026-07-28/transport-http/server-decodes-encoded-values', () =>
      expect(decoded[0]).toBe('deployed'),
    );
    proves('2026-07-28/transport-http/param-header-with-invalid-characters-rejected', () =>
      expect(decoded[1]).toEqual(mismatch),
    );
    const large = await outcome(
      { count: Number.MAX_SAFE_INTEGER },
      { 'Mcp-Param-Count': String(Number.MAX_SAFE_INTEGER) },
    );
    const unsafe = await to.call(
      'deploy',
      { count: 2 ** 53 },
      { headers: { 'Mcp-Param-Count': String(2 ** 53) } },
    );
    proves('2026-07-28/transport-http/header-integers-in-safe-range', () =>
      expect([large, unsafe.message.error !== undefined || unsafe.message.result.isError]).toEqual([
        'deployed',
        true,
      ]),
    );
  },
);

over(stateless, 'a tool with invalid header marks is not served', async ({ proves, revision }) => {
  const published = async (input: z.ZodObject): Promise<string> => {
    const to = await site(revision, {
      server: createServer({
        name: 's',
        version: '1',
        onError: () => {},
        tools: [tool({ name: 'deploy', description: 'x', input, run: () => 'x' })],
      }),
    });
    const { message } = await to.request('tools/list');
    return message.error === undefined ? 'listed' : 'refused';
  };
  const marked = (header: unknown, schema: z.ZodType = z.string()) =>
    published(z.object({ a: schema.meta({ 'x-mcp-header': header }) }));
  const [fine, empty, token, control] = [
    await marked('Region'),
    await marked(''),
    [await marked('a b'), await marked('a:b'), await marked('é')],
    [await marked('a\r\nb'), await marked('a\u0000')],
  ];
  proves('2026-07-28/transport-http/x-mcp-header-not-empty', () =>
    expect([fine, empty]).toEqual(['listed', 'refused']),
  );
  proves('2026-07-28/transport-http/x-mcp-header-is-http-token', () =>
    expect(token).toEqual(['refused', 'refused', 'refused']),
  );
  proves('2026-07-28/transport-http/x-mcp-header-has-no-control-characters', () =>
    expect(control).toEqual(['refused', 'refused']),
  );
  const twice = await published(
    z.object({
      a: z.string().meta({ 'x-mcp-header': 'Region' }),
      b: z.string().meta({ 'x-mcp-header': 'region' }),
    }),
  );
  proves('2026-07-28/transport-http/x-mcp-header-case-insensitively-unique', () =>
    expect(twice).toBe('refused'),
  );
  const kinds = [
    await marked('A', z.int()),
    await marked('A', z.boolean()),
    await marked('A', z.number()),
    await marked('A', z.array(z.string())),
    await marked('A', z.object({})),
  ];
  proves('2026-07-28/transport-http/x-mcp-header-only-on-integer-string-boolean', () =>
    expect(kinds).toEqual(['listed', 'listed', 'refused', 'refused', 'refused']),
  );
  const nested = await published(z.object({ where: z.object({ zone: region }) }));
  proves('2026-07-28/transport-http/x-mcp-header-statically-reachable', () => expect(nested).toBe('listed'));
  const below = [
    await published(z.object({ list: z.array(region) })),
    await published(z.object({ a: z.union([region, z.int()]) })),
    await published(z.object({ a: z.record(z.string(), region) })),
  ];
  proves('2026-07-28/transport-http/x-mcp-header-not-below-arrays-or-composition', () =>
    expect(below).toEqual(['refused', 'refused', 'refused']),
  );
});

over(stateless, 'closing a stream cancels its request', async ({ proves, revision }) => {
  const stage = new Stage();
  const to = await site(revision, { server: fixture(stage) });
  const holding = to.stream(to.posting('tools/call', { name: 'hold', arguments: { text: 'held' } }));
  while (stage.ran.length === 0) await to.request('tools/list');
  holding.catch(() => {});
  const stream = to.begin(to.posting('tools/call', { name: 'hold', arguments: { text: 'other' } }));
  stream.catch(() => {});
  const left = await leave(
    to.listening.port,
    to.posting('tools/call', { name: 'hold', arguments: { text: 'left' } }),
    () => stage.ran.includes('hold left'),
    () => to.request('tools/list'),
  );
  while (stage.aborted.length === 0) await to.request('tools/list');
  proves('2026-07-28/cancellation/http-stream-close-is-cancellation', () =>
    expect([left, stage.aborted]).toEqual([true, ['left']]),
  );
  stage.release();
});

/** Sends a request and aborts its connection once the server works on it. */
async function leave(
  port: number,
  { body, headers }: { body?: string; headers?: Record<string, string | undefined> },
  begun: () => boolean,
  turn: () => Promise<unknown>,
): Promise<boolean> {
  const { request } = await import('node:http');
  const given = Object.fromEntries(
    Object.entries({ 'Content-Type': 'application/json', ...headers }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const sent = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/mcp',
    agent: false,
    headers: given as Record<string, string>,
  });
  sent.on('error', () => {});
  sent.end(body);
  while (!begun()) await turn();
  sent.destroy();
  return true;
}

over(
  stateless,
  'streams have their own messages with keep-alive comments, and cannot be resumed',
  async ({ proves, revision }) => {
    const server = fixture();
    const to = await site(revision, { server, keepAlive: 20, capabilities: { sampling: {} } });
    const listen = await to.stream(
      to.posting('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    await listen.message();
    const logged = await to.call(
      'say',
      { level: 'error', data: 'x' },
      { meta: { 'io.modelcontextprotocol/logLevel': 'debug', progressToken: 'p' } },
    );
    const asked = await to.call('think');
    server.listChanged('tools');
    const changed = await listen.message();
    proves('2026-07-28/transport-http/request-scoped-notifications-not-on-listen-stream', () => {
      expect(logged.messages[0].method).toBe('notifications/message');
      expect(changed.method).toBe('notifications/tools/list_changed');
    });
    proves('2026-07-28/transport-http/no-requests-on-response-stream', () => {
      expect(asked.message.result.resultType).toBe('input_required');
      expect(
        [...logged.messages, ...asked.messages].filter(
          ({ id, method }) => id !== undefined && method !== undefined,
        ),
      ).toEqual([]);
    });
    proves('2026-07-28/transport-http/sse-response-has-x-accel-buffering-no', () =>
      expect([listen.headers['x-accel-buffering'], logged.headers['x-accel-buffering']]).toEqual([
        'no',
        'no',
      ]),
    );
    let quiet = await listen.next();
    while (quiet?.comment === undefined) quiet = await listen.next();
    proves('2026-07-28/transport-http/listen-stream-sends-keep-alive-comments', () =>
      expect(quiet?.comment).toBeTypeOf('string'),
    );
    const ids = [...listen.seen, ...logged.events].filter(({ id }) => id !== undefined);
    const replayed = await to.request('tools/list', {}, { headers: { 'Last-Event-ID': '1-1' } });
    proves('2026-07-28/transport-http/streams-are-not-resumable', () =>
      expect([ids, replayed.messages.length]).toEqual([[], 1]),
    );
    proves('2026-07-28/transport-http/last-event-id-ignored', () =>
      expect(replayed.message.result.tools.length).toBeGreaterThan(5),
    );
    const get = await to.ask({ method: 'GET', headers: { 'MCP-Protocol-Version': revision } });
    const deleted = await to.ask({ method: 'DELETE', headers: { 'MCP-Protocol-Version': revision } });
    proves('2026-07-28/transport-http/get-and-delete-answered-405', () =>
      expect([get.status, deleted.status]).toEqual([405, 405]),
    );
    const odd = await to.request('tools/list', {}, { headers: { 'Mcp-Session-Id': 'made-up' } });
    proves('2026-07-28/transport-http/session-id-header-ignored', () => expect(odd.status).toBe(200));
    proves('2026-07-28/transport-http/session-id-never-minted-or-echoed', () =>
      expect([odd.headers['mcp-session-id'], replayed.headers['mcp-session-id']]).toEqual([
        undefined,
        undefined,
      ]),
    );
  },
);

over(sessions, 'a custom listener serves the same', async ({ revision }) => {
  const { createHttpHandler } = await import('@rootbound/protocol/http');
  const handler = createHttpHandler(fixture());
  const plain = createPlain(handler.node);
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  });
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Host: '127.0.0.1',
    },
  });
  const response = await handler.fetch(request);
  expect([response.status, ((await response.json()) as Message).result.protocolVersion]).toEqual([
    200,
    revision,
  ]);
  plain.close();
  handler.close();
});
