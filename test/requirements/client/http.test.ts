import { AnswerError, HttpError } from '@rootbound/protocol/client';
import { expect, vi } from 'vitest';
import { between, stateless } from '../revisions.ts';
import { everything } from './tour.ts';
import { type Asked, type Web, web } from './web.ts';
import { over } from './world.ts';

const http = between('2025-03-26');
const sessions = between('2025-03-26', '2025-11-25');
const headed = between('2025-06-18', '2025-11-25');
const capabilities = { tools: { listChanged: true } };
const isMessage = ({ message }: Asked): boolean => 'jsonrpc' in message;

over(
  http,
  'each message is its own POST that accepts JSON and events',
  async ({ proves, revision, stateless: modern }) => {
    const site = await web(revision, { capabilities, session: 'one' });
    const client = await site.connect();
    await client.listTools();
    await Promise.all([client.callTool('a'), client.callTool('b')]);
    const posts = site.asked.filter(isMessage);
    proves('2025-03-26/transport-http/each-message-is-a-new-post', () =>
      expect(posts.map(({ message }) => message.method)).toEqual(
        expect.arrayContaining(['tools/list', 'tools/call', 'tools/call']),
      ),
    );
    proves('2025-03-26/transport-http/client-sends-with-post', () =>
      expect(new Set(posts.map(({ method }) => method))).toEqual(new Set(['POST'])),
    );
    proves('2025-03-26/transport-http/post-accepts-json-and-sse', () =>
      expect(
        posts.filter(
          ({ headers }) =>
            !/application\/json/.test(headers.accept ?? '') ||
            !/text\/event-stream/.test(headers.accept ?? ''),
        ),
      ).toEqual([]),
    );
    proves('2025-03-26/transport-http/post-body-is-one-message-or-uniform-batch', () =>
      expect(posts.filter(({ message }) => Array.isArray(message))).toEqual([]),
    );
    proves('2025-06-18/transport-http/post-body-is-one-message', () =>
      expect(posts.filter(({ body }) => !body.startsWith('{'))).toEqual([]),
    );
    proves('2026-07-28/transport-http/post-body-is-one-request-or-notification', () =>
      expect(posts.filter(({ message }) => typeof message.method !== 'string')).toEqual([]),
    );
    proves('2025-03-26/transport-http/client-accepts-json-response', () =>
      expect(client.capabilities).toEqual(capabilities),
    );
    expect([site.misfits, modern]).toEqual([[], revision === '2026-07-28']);
  },
);

over(
  http,
  'a response may be an event stream with comments and notifications before it',
  async ({ proves, revision }) => {
    const site: Web = await web(revision, {
      capabilities,
      play: (asked) => {
        if (asked.message.method !== 'tools/call') return true;
        const { progressToken } = asked.message.params._meta ?? {};
        asked.stream(': hello\n\n');
        if (progressToken !== undefined)
          asked.event({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
        asked.response.write(':\n\nevent: message\r\n');
        asked.response.write(
          `data: {"jsonrpc":"2.0",\ndata: "id":${JSON.stringify(asked.message.id)},"result":${JSON.stringify(site.done({ content: [] }))}}\n\n`,
        );
        asked.end();
        return false;
      },
    });
    const client = await site.connect();
    const heard: number[] = [];
    const { content } = await client.callTool(
      'a',
      {},
      { onProgress: ({ progress }) => heard.push(progress) },
    );
    proves('2025-03-26/transport-http/client-accepts-sse-response', () =>
      expect([content, heard]).toEqual([[], [1]]),
    );
    proves('2026-07-28/transport-http/sse-comment-lines-ignored', () => expect(site.faults).toEqual([]));
  },
);

over(
  sessions,
  'the session id is in every request, and the session is deleted at the end',
  async ({ proves, revision }) => {
    const site = await web(revision, { capabilities, session: '!secret~1' });
    const client = await site.connect();
    await client.listTools();
    const get = await site.hears(({ method }) => method === 'GET');
    await client.close();
    await site.hears(({ method }) => method === 'DELETE');
    const [first, ...later] = site.asked;
    proves('2025-03-26/transport-http/client-echoes-session-id', () => {
      expect(first?.headers['mcp-session-id']).toBeUndefined();
      expect(new Set(later.map(({ headers }) => headers['mcp-session-id']))).toEqual(new Set(['!secret~1']));
    });
    proves('2025-03-26/transport-http/get-accepts-sse', () =>
      expect(get.headers.accept).toContain('text/event-stream'),
    );
    proves('2025-03-26/transport-http/client-deletes-unneeded-session', () =>
      expect(later.at(-1)?.method).toBe('DELETE'),
    );
    proves('2025-03-26/transport-http/closing-connections-is-shutdown', () =>
      expect(site.asked.filter(({ method }) => method === 'DELETE')).toHaveLength(1),
    );
    proves('2025-11-25/transport-http/session-id-handled-securely', () => {
      expect(
        site.asked.filter(({ url, body }) => url.href.includes('secret') || body.includes('secret')),
      ).toEqual([]);
      expect(site.faults.map(String).join()).not.toContain('secret');
    });
  },
);

over(headed, 'the negotiated version is in every request after initialize', async ({ proves, revision }) => {
  const site = await web(revision, { capabilities, session: 's' });
  const client = await site.connect();
  await client.listTools();
  await site.hears(({ method }) => method === 'GET');
  await client.close();
  const versions = site.asked.slice(1).map(({ headers }) => headers['mcp-protocol-version']);
  proves('2025-06-18/transport-http/protocol-version-header-sent', () =>
    expect(versions.filter((version) => version === undefined)).toEqual([]),
  );
  proves('2025-06-18/transport-http/protocol-version-header-is-negotiated-version', () =>
    expect(new Set(versions)).toEqual(new Set([revision])),
  );
});

over(
  sessions,
  'a session that the server has dropped is replaced by a new one',
  async ({ proves, revision }) => {
    let sessionsMade = 0;
    const site: Web = await web(revision, {
      capabilities,
      play: (asked) => {
        if (asked.message.method === 'initialize') {
          sessionsMade += 1;
          asked.result(
            { protocolVersion: revision, capabilities, serverInfo: { name: 's', version: '1' } },
            { 'Mcp-Session-Id': `session-${sessionsMade}` },
          );
          return false;
        }
        if (asked.headers['mcp-session-id'] === 'session-1' && asked.message.method === 'tools/call') {
          asked.send(404);
          return false;
        }
        return true;
      },
    });
    const client = await site.connect();
    const outcome = await client.callTool('a').then(
      ({ content }) => content,
      () => 'failed',
    );
    await client.listTools();
    const [, again] = site.posts('initialize');
    proves('2025-03-26/transport-http/client-starts-new-session-on-404', () => {
      expect([again?.headers['mcp-session-id'], sessionsMade]).toEqual([undefined, 2]);
      expect(site.posts('tools/list').at(-1)?.headers['mcp-session-id']).toBe('session-2');
    });
    expect(['failed', []]).toContainEqual(outcome);
  },
);

over(sessions, 'an aborted call is cancelled by a notification', async ({ proves, revision }) => {
  const site = await web(revision, {
    capabilities,
    session: 's',
    play: ({ message }) => message.method !== 'tools/call',
  });
  const client = await site.connect();
  const controller = new AbortController();
  const call = client.callTool('slow', {}, { signal: controller.signal }).catch(() => 'cancelled');
  const { message } = await site.awaitRequest('tools/call');
  controller.abort();
  const cancelled = await site.awaitRequest('notifications/cancelled');
  proves('2025-03-26/transport-http/client-cancels-explicitly', () =>
    expect(cancelled.message.params.requestId).toBe(message.id),
  );
  expect(await call).toBe('cancelled');
});

over(sessions, 'a broken stream is resumed after its last event', async ({ proves, revision }) => {
  const site: Web = await web(revision, {
    capabilities,
    session: 's',
    play: (asked) => {
      if (asked.message.method === 'tools/call') {
        asked.stream('id: a-1\ndata: \n\n');
        asked.event({ method: 'notifications/message', params: { level: 'info', data: 'half' } }, 'a-2');
        setImmediate(() => asked.response.destroy());
        return false;
      }
      if (asked.headers['last-event-id'] === undefined) return true;
      const call = site.posts('tools/call')[0]!;
      asked
        .stream()
        .event({ id: call.message.id, result: { content: [{ type: 'text', text: 'late' }] } }, 'a-3');
      asked.end();
      return false;
    },
  });
  const client = await site.connect();
  const { content } = await client.callTool('slow');
  const resumed = await site.hears(({ headers }) => headers['last-event-id'] !== undefined);
  proves('2025-03-26/transport-http/client-resumes-with-last-event-id', () =>
    expect([resumed.method, resumed.headers['last-event-id'], content]).toEqual([
      'GET',
      'a-2',
      [{ type: 'text', text: 'late' }],
    ]),
  );
  proves('2025-11-25/transport-http/resumption-always-via-get', () => expect(resumed.method).toBe('GET'));
});

over(
  ['2025-11-25'],
  'a stream that the server closed is polled after its retry time',
  async ({ proves, revision }) => {
    const hour = 3_600_000;
    const site: Web = await web(revision, {
      capabilities,
      session: 's',
      play: (asked) => {
        if (asked.message.method === 'tools/call') {
          asked.stream(`id: p-1\nretry: ${hour}\ndata: \n\n`).end();
          return false;
        }
        const after = asked.headers['last-event-id'];
        if (after === undefined) return true;
        if (after === 'p-1') asked.stream(`id: p-2\nretry: ${hour}\ndata: \n\n`).end();
        else
          asked
            .stream()
            .event({ id: site.posts('tools/call')[0]!.message.id, result: { content: [] } }, 'p-9')
            .end();
        return false;
      },
    });
    const client = await site.connect();
    const polls = () => site.asked.filter(({ headers }) => headers['last-event-id'] !== undefined);
    const turns = async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const call = client.callTool('slow', {}, { timeout: 24 * hour, maxTimeout: 24 * hour });
      await (await site.awaitRequest('tools/call')).over;
      const seen: number[] = [];
      for (const wait of [hour - 1, 1, hour - 1, 1]) {
        await turns();
        await vi.advanceTimersByTimeAsync(wait);
        await turns();
        seen.push(polls().length);
      }
      proves('2025-11-25/transport-http/client-honours-sse-retry', () => expect(seen).toEqual([0, 1, 1, 2]));
      const { content } = await call;
      proves('2025-11-25/transport-http/client-polls-sse-stream-by-reconnecting', () =>
        expect([content, polls().map(({ headers }) => headers['last-event-id'])]).toEqual([
          [],
          ['p-1', 'p-2'],
        ]),
      );
    } finally {
      vi.useRealTimers();
    }
  },
);

over(stateless, 'headers repeat the values of the body', async ({ proves, revision }) => {
  const site = await web(revision, {
    capabilities: { tools: {}, prompts: {}, resources: {} },
    play: ({ message }) => !['prompts/get', 'resources/read'].includes(message.method),
  });
  const client = await site.connect();
  await client.listTools();
  await client.callTool('Größe');
  await client.callTool(' padded ');
  await client.callTool('=?base64?eA==?=');
  client.getPrompt('greet').catch(() => {});
  client.readResource('memo://a').catch(() => {});
  await Promise.all([site.awaitRequest('prompts/get'), site.awaitRequest('resources/read')]);
  const posts = site.asked.filter(isMessage);
  const standard = posts.map(({ headers, message }) => [
    headers['mcp-protocol-version'],
    headers['mcp-method'],
    message.params._meta['io.modelcontextprotocol/protocolVersion'],
    message.method,
  ]);
  proves('2026-07-28/transport-http/version-header-on-every-post', () =>
    expect(standard.map(([version]) => version)).toEqual(standard.map(() => revision)),
  );
  proves('2026-07-28/transport-http/version-header-matches-body', () =>
    expect(standard.filter(([header, , body]) => header !== body)).toEqual([]),
  );
  proves('2026-07-28/transport-http/mcp-method-header-on-every-request', () =>
    expect(standard.filter(([, header, , body]) => header !== body)).toEqual([]),
  );
  const names = ['tools/call', 'prompts/get', 'resources/read'].map((method) =>
    site.posts(method).map(({ headers }) => headers['mcp-name']),
  );
  proves('2026-07-28/transport-http/mcp-name-header-on-call-read-get', () =>
    expect(names.slice(1)).toEqual([['greet'], ['memo://a']]),
  );
  proves('2026-07-28/transport-http/post-has-request-metadata-headers', () =>
    expect([names.flat().includes(undefined), standard.flat().includes(undefined)]).toEqual([false, false]),
  );
  const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  proves('2026-07-28/transport-http/unsafe-mcp-name-is-base64-encoded', () =>
    expect(names[0]).toEqual([encoded('Größe'), encoded(' padded '), encoded('=?base64?eA==?=')]),
  );
});

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    where: {
      type: 'object',
      properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' }, region: { type: 'string' } },
    },
  },
};

/** Creates a site that lists these tools. */
function listing(tools: object[], play: (asked: Asked, site: Web) => unknown = () => true): Promise<Web> {
  return web('2026-07-28', {
    capabilities,
    play: (asked, site) => {
      if (asked.message.method !== 'tools/list') return play(asked, site);
      asked.result(site.done({ tools }));
      return false;
    },
  });
}

const paramsOf = ({ headers }: Asked) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')));

over(
  stateless,
  'marked arguments of a tool are mirrored into headers, plain or encoded',
  async ({ proves }) => {
    const site = await listing([{ name: 'deploy', inputSchema: schema }]);
    const client = await site.connect();
    await client.listTools();
    const sent = async (args: Record<string, unknown>) => {
      await client.callTool('deploy', args);
      return paramsOf(site.posts('tools/call').at(-1)!);
    };
    const plain = await sent({
      region: 'eu',
      count: 42,
      dry: false,
      where: { zone: 'a', region: 'not this' },
    });
    proves('2026-07-28/transport-http/client-supports-x-mcp-header', () =>
      expect(Object.keys(plain)).toHaveLength(4),
    );
    proves('2026-07-28/transport-http/designated-parameters-mirrored', () =>
      expect(plain['mcp-param-region']).toBe('eu'),
    );
    proves('2026-07-28/transport-http/mcp-param-header-appended', () =>
      expect(plain).toEqual({
        'mcp-param-region': 'eu',
        'mcp-param-count': '42',
        'mcp-param-dry': 'false',
        'mcp-param-zone': 'a',
      }),
    );
    proves('2026-07-28/transport-http/header-value-type-conversion', () =>
      expect([plain['mcp-param-count'], plain['mcp-param-dry']]).toEqual(['42', 'false']),
    );
    proves('2026-07-28/transport-http/header-value-read-at-exact-property-path', () =>
      expect([plain['mcp-param-zone'], plain['mcp-param-region']]).toEqual(['a', 'eu']),
    );
    const base64 = (text: string) => `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
    const values = ['zürich', ' eu', 'eu\t', 'a\r\nX-Evil: 1', '=?base64?eA==?=', '=?BASE64?x?='];
    const coded: unknown[] = [];
    for (const value of values) coded.push((await sent({ region: value }))['mcp-param-region']);
    proves('2026-07-28/transport-http/header-values-are-encoded', () =>
      expect(coded[3]).toBe(base64('a\r\nX-Evil: 1')),
    );
    proves('2026-07-28/transport-http/unsafe-header-values-base64-encoded', () =>
      expect(coded.slice(0, 4)).toEqual(values.slice(0, 4).map(base64)),
    );
    proves('2026-07-28/transport-http/base64-sentinel-is-exact', () =>
      expect(coded.slice(0, 4).every((value) => /^=\?base64\?[A-Za-z0-9+/]+=*\?=$/.test(String(value)))).toBe(
        true,
      ),
    );
    proves('2026-07-28/transport-http/sentinel-lookalikes-base64-encoded', () =>
      expect(coded[4]).toBe(base64('=?base64?eA==?=')),
    );
    const absent = await sent({ count: 1 });
    proves('2026-07-28/transport-http/absent-parameter-header-omitted', () =>
      expect(absent).toEqual({ 'mcp-param-count': '1' }),
    );
    const nothing = await sent({ region: null, count: 1 });
    proves('2026-07-28/transport-http/null-parameter-header-omitted', () =>
      expect(nothing).toEqual({ 'mcp-param-count': '1' }),
    );
    const before = site.posts('tools/call').length;
    const unsafe = await client.callTool('deploy', { count: 2 ** 53 }).then(
      () => paramsOf(site.posts('tools/call').at(-1)!),
      () => 'refused',
    );
    const largest = await sent({ count: Number.MAX_SAFE_INTEGER });
    proves('2026-07-28/transport-http/header-integers-in-safe-range', () => {
      expect(largest['mcp-param-count']).toBe('9007199254740991');
      expect(unsafe === 'refused' || !('mcp-param-count' in Object(unsafe))).toBe(true);
      expect(before).toBeGreaterThan(0);
    });
    proves('2026-07-28/transport-http/header-names-case-insensitive', () =>
      expect(Object.keys(largest)).toEqual(['mcp-param-count']),
    );
  },
);

over(stateless, 'a tool with invalid header marks is omitted and reported', async ({ proves }) => {
  const marked = (name: string, property: object) => ({
    name,
    inputSchema: { type: 'object', properties: { a: property } },
  });
  const wrong = [
    marked('empty', { type: 'string', 'x-mcp-header': '' }),
    marked('space', { type: 'string', 'x-mcp-header': 'a b' }),
    marked('number', { type: 'number', 'x-mcp-header': 'A' }),
    marked('below', { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } }),
  ];
  const site = await listing([...wrong, { name: 'good', inputSchema: schema }]);
  const client = await site.connect();
  const names = (await client.listTools()).map(({ name }) => name);
  const { content } = await client.callTool('good', { region: 'eu' });
  proves('2026-07-28/transport-http/tool-with-invalid-x-mcp-header-rejected', () =>
    expect(names).not.toContain('number'),
  );
  proves('2026-07-28/transport-http/rejected-tool-excluded-from-list', () =>
    expect([names, content]).toEqual([['good'], []]),
  );
  proves('2026-07-28/transport-http/rejected-tool-is-logged', () => {
    const messages = site.faults.map(({ message }) => message);
    for (const { name } of wrong)
      expect(messages.some((line) => line.includes(name) && line.includes('x-mcp-header'))).toBe(true);
  });
});

over(
  stateless,
  'after a header mismatch the tools are listed again and the call is repeated',
  async ({ proves }) => {
    let calls = 0;
    const site = await listing([{ name: 'deploy', inputSchema: schema }], (asked) => {
      if (asked.message.method !== 'tools/call') return true;
      calls += 1;
      if (asked.headers['mcp-param-region'] !== undefined) return true;
      asked.error(-32020, 400);
      return false;
    });
    const client = await site.connect();
    const { content } = await client.callTool('deploy', { region: 'eu' });
    proves('2026-07-28/transport-http/header-mismatch-refreshes-tools-and-retries', () =>
      expect([content, calls, site.posts('tools/list').length]).toEqual([[], 2, 1]),
    );
  },
);

over(stateless, 'an abort closes the stream, and nothing else is sent', async ({ proves, revision }) => {
  const site = await web(revision, {
    capabilities,
    play: (asked) => {
      if (!['tools/call', 'subscriptions/listen'].includes(asked.message.method)) return true;
      asked.stream();
      if (asked.message.method === 'subscriptions/listen')
        asked.event({
          method: 'notifications/subscriptions/acknowledged',
          params: {
            notifications: { toolsListChanged: true },
            _meta: { 'io.modelcontextprotocol/subscriptionId': asked.message.id },
          },
        });
      return false;
    },
  });
  const client = await site.connect(everything());
  const controller = new AbortController();
  const call = client.callTool('slow', {}, { signal: controller.signal }).catch(() => 'cancelled');
  const held = await site.awaitRequest('tools/call');
  controller.abort();
  await held.over;
  const subscription = await client.onListChanged('tools', () => {});
  const listen = await site.awaitRequest('subscriptions/listen');
  await subscription.close();
  await listen.over;
  proves('2026-07-28/subscriptions/http-subscription-ended-by-closing-stream', () =>
    expect(listen.response.closed).toBe(true),
  );
  const outcome = await call;
  await client.listTools();
  proves('2026-07-28/transport-http/no-cancelled-notification-over-http', () =>
    expect([outcome, site.posts('notifications/cancelled')]).toEqual(['cancelled', []]),
  );
  proves('2026-07-28/transport-http/client-posts-no-responses', () =>
    expect(site.asked.filter(({ message }) => 'result' in message || 'error' in message)).toEqual([]),
  );
});

over(stateless, 'a request whose stream broke is repeated with another id', async ({ proves }) => {
  let breaks = 1;
  const site = await listing([], (asked) => {
    if (asked.message.method !== 'prompts/list' && asked.message.method !== 'resources/read') return true;
    if (breaks-- > 0) {
      asked.stream();
      setImmediate(() => asked.response.destroy());
      return false;
    }
    asked.result({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      contents: [{ uri: 'memo://a', text: 'x' }],
    });
    return false;
  });
  const client = await site.connect({ era: { pinned: '2026-07-28' } });
  const { contents } = await client.readResource('memo://a');
  const ids = site.posts('resources/read').map(({ message }) => message.id);
  proves('2026-07-28/transport-http/lost-stream-request-reissued-with-new-id', () =>
    expect([contents.length, new Set(ids).size]).toEqual([1, 2]),
  );
});

over(stateless, 'the body of a 400 response is read before a conclusion', async ({ proves, revision }) => {
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'old', version: '1' },
  };
  const probed = async (answer: (asked: Asked) => void) => {
    const site = await web(revision, {
      play: (asked) => {
        if (asked.message.method === 'server/discover') answer(asked);
        else if (asked.message.method === 'initialize') asked.result(initialize);
        else return true;
        return false;
      },
    });
    const client = await site.connect().catch((error: unknown) => error);
    return { site, client };
  };
  const modern = await probed((asked) =>
    asked.error(-32022, 400, { data: { supported: ['2099-01-01'], requested: revision } }),
  );
  proves('2026-07-28/versioning/http-client-inspects-400-body-before-fallback', () =>
    expect(modern.client).toBeInstanceOf(AnswerError),
  );
  proves('2026-07-28/versioning/http-modern-error-body-prevents-fallback', () =>
    expect(modern.site.posts('initialize')).toEqual([]),
  );
  const others = [
    await probed((asked) => asked.send(400)),
    await probed((asked) => asked.send(400, 'Bad Request: no session')),
    await probed((asked) => asked.error(-32000, 400)),
    await probed((asked) => asked.send(404)),
  ];
  proves('2026-07-28/versioning/http-unrecognized-body-falls-back-to-initialize', () =>
    expect(others.map(({ client }) => (client as { era?: string }).era)).toEqual(
      others.map(() => 'handshake'),
    ),
  );
});

over(stateless, 'the known era of an origin saves the next probe', async ({ proves, revision }) => {
  const site = await web(revision, { capabilities });
  const first = await site.connect();
  const second = await site.connect({ era: first.verdict });
  await second.listTools();
  proves('2026-07-28/versioning/http-era-cached-for-origin', () =>
    expect(site.posts('server/discover')).toHaveLength(1),
  );
});

over(http, 'an error without a message has its status', async ({ revision }) => {
  const site = await web(revision, {
    capabilities,
    play: (asked) => {
      if (asked.message.method !== 'tools/call') return true;
      asked.send(500, 'oops');
      return false;
    },
  });
  const error = await (await site.connect()).callTool('a').catch((reason: unknown) => reason);
  expect([error instanceof HttpError, (error as HttpError).status]).toEqual([true, 500]);
});

over(['2026-07-28'], 'names are unchanged in headers', async ({ proves, revision }) => {
  const site = await web(revision, { capabilities: { tools: {} } });
  const client = await site.connect();
  for (const name of ['Echo', 'echo', 'ECHO']) await client.callTool(name);
  const headers = site.posts('tools/call').map(({ headers: sent }) => [sent['mcp-method'], sent['mcp-name']]);
  proves('2026-07-28/transport-http/header-values-case-sensitive', () =>
    expect(headers).toEqual([
      ['tools/call', 'Echo'],
      ['tools/call', 'echo'],
      ['tools/call', 'ECHO'],
    ]),
  );
});
