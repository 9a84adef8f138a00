import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ListeningHttp, serveHttp } from '../../src/http.ts';
import { demandOf } from '../../src/inspect/check/demand.ts';
import { examine, rules } from '../../src/inspect/check/examine.ts';
import { Broken } from '../../src/inspect/check/finding.ts';
import { type HttpCall, HttpWire } from '../../src/inspect/check/http-wire.ts';
import type { RequirementId } from '../../src/inspect/check/requirements.ts';
import { Scene } from '../../src/inspect/check/scene.ts';
import type { HttpReply, Wire } from '../../src/inspect/check/wire.ts';
import { allRevisions, type Revision } from '../../src/protocol/revisions.ts';
import { fixtureServer } from '../wire/fixture.ts';
import { type Corrupt, CorruptedHttp, corrupted, type Intrude, type Loose } from './corrupted.ts';
import { run } from './stage.ts';

const [A, B, C, D, E] = allRevisions as readonly [Revision, Revision, Revision, Revision, Revision];
/** Long for responses; short for the few that never come. */
const patience = 30_000;
const SHORT = 2000;
const call = { name: 'add', argsFor: () => ({ a: 1, b: 2 }) };
const seen = new Set<RequirementId>();

/** Runs the rule of one requirement after some messages; returns the fault. */
async function breaks(
  id: RequirementId,
  revision: Revision,
  open: () => Promise<Wire>,
  limit = patience,
): Promise<unknown> {
  const scene = await Scene.open({ open, revision, patience: limit, call });
  if (scene === undefined) throw new Error('the server does not speak it');
  try {
    await scene.talk.ask('tools/list');
    await scene.talk.ask('inspect/none');
    await rules[id]!(scene);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await scene.close();
  }
}

const on =
  (method: string, change: (result: Loose) => unknown): Corrupt =>
  (message, request) =>
    request.method === method && message.result !== undefined
      ? { ...message, result: change(structuredClone(message.result)) }
      : message;
const onErrors =
  (change: (error: Loose) => unknown): Corrupt =>
  (message) =>
    message.error === undefined ? message : { ...message, error: change(message.error) };
const andAlso =
  (method: string, more: unknown): Corrupt =>
  (message, request) =>
    request.method === method ? [message, more] : message;
const otherCodes = onErrors((error) => ({ ...error, code: 1 }));
const resultsForErrors: Corrupt = (message) =>
  message.error === undefined
    ? message
    : { jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', content: [], contents: [] } };
const errorsFor =
  (isMeant: (request: Loose) => boolean): Corrupt =>
  (message, request) =>
    isMeant(request) ? { jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'no' } } : message;
const first =
  (member: string, change: (item: Loose) => unknown) =>
  (result: Loose): unknown => ({
    ...result,
    [member]: result[member].map((item: Loose, index: number) => (index === 0 ? change(item) : item)),
  });
const without =
  (...members: string[]) =>
  (result: Loose): unknown =>
    Object.fromEntries(Object.entries(result).filter(([key]) => !members.includes(key)));
const twice = (member: string) => (result: Loose) => ({
  ...result,
  [member]: [...result[member], ...result[member]],
});
/** Returns a list whose first page has a cursor, with the second page. */
const paged =
  (page: (result: Loose) => unknown): Corrupt =>
  (message, request) => {
    if (request.method !== 'tools/list') return message;
    if (request.params?.cursor === undefined)
      return { ...message, result: { ...message.result, nextCursor: 'more' } };
    const base = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [] };
    return { jsonrpc: '2.0', id: message.id, result: page(base) };
  };
const request = (method: string): unknown => ({ jsonrpc: '2.0', id: 'own-1', method });
const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
const acknowledged =
  (change: (message: Loose) => unknown): Corrupt =>
  (message) =>
    message.method === 'notifications/subscriptions/acknowledged'
      ? change(structuredClone(message))
      : message;
/** Changes only the second connection. */
const onSecond = (change: Corrupt): (() => Corrupt) => {
  let conversations = 0;
  return () => {
    conversations += 1;
    return conversations > 1 ? change : (message) => message;
  };
};
const onRepeat = (method: string, change: Corrupt): Corrupt => {
  let times = 0;
  return (message, asked) => {
    if (asked.method === method) times += 1;
    return times > 2 ? change(message, asked) : message;
  };
};

const corruptions: [RequirementId, Revision, Corrupt | (() => Corrupt)][] = [
  ['jsonrpc/jsonrpc-member-is-2-0', D, (message) => ({ ...message, jsonrpc: '1.0' })],
  [
    'jsonrpc/result-response-echoes-request-id',
    D,
    andAlso('tools/list', { jsonrpc: '2.0', id: 99, result: {} }),
  ],
  ['jsonrpc/response-id-keeps-type', D, (m) => (m.id === 770_001 ? { ...m, id: '770001' } : m)],
  [
    'jsonrpc/result-response-has-result-member',
    D,
    (m, r) => (r.method === 'tools/list' ? { ...m, result: 1 } : m),
  ],
  [
    'jsonrpc/response-not-both-result-and-error',
    D,
    (m, r) => (r.method === 'tools/list' ? { ...m, error: {} } : m),
  ],
  ['jsonrpc/error-response-echoes-request-id', D, (m) => (m.error ? { ...m, id: null } : m)],
  ['jsonrpc/error-has-code-and-message', D, onErrors(({ code }) => ({ code }))],
  ['jsonrpc/error-code-is-integer', D, onErrors((error) => ({ ...error, code: 1.5 }))],
  ['jsonrpc/parse-error-32700', D, otherCodes],
  ['jsonrpc/invalid-request-32600', D, otherCodes],
  ['jsonrpc/method-not-found-32601', D, otherCodes],
  ['jsonrpc/invalid-params-32602', D, otherCodes],
  [
    'jsonrpc/unadvertised-feature-answered-32601',
    E,
    on('server/discover', (r) => ({ ...r, capabilities: {} })),
  ],
  [
    'jsonrpc/extra-members-tolerated',
    D,
    errorsFor(({ params }) => params?.['example.com/extra'] !== undefined),
  ],
  ['jsonrpc/no-batch-arrays-sent', D, (m, r) => (r.method === 'tools/list' ? JSON.stringify([m]) : m)],
  ['jsonrpc/request-id-not-null', D, andAlso('tools/list', { jsonrpc: '2.0', id: null, method: 'ping' })],
  ['jsonrpc/result-has-result-type', E, on('tools/list', without('resultType'))],
  ['jsonrpc/retired-code-32002-not-emitted', E, onErrors((error) => ({ ...error, code: -32002 }))],
  ['jsonrpc/retired-code-32042-not-emitted', E, onErrors((error) => ({ ...error, code: -32042 }))],
  ['jsonrpc/undefined-reserved-codes-not-emitted', E, onErrors((error) => ({ ...error, code: -32050 }))],
  [
    'jsonrpc/finished-request-id-may-be-reused',
    E,
    onRepeat(
      'server/discover',
      errorsFor(() => true),
    ),
  ],
  [
    'batching/receiving-batches-supported',
    B,
    (m) =>
      String(m.id ?? m[0]?.id).startsWith('batch')
        ? { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }
        : m,
  ],
  [
    'batching/one-response-per-batched-request',
    B,
    (m) => (String(m.id ?? m[0]?.id).startsWith('batch') ? [m, m] : m),
  ],
  [
    'base/schema-is-source-of-truth',
    D,
    on(
      'tools/list',
      first('tools', (tool) => ({ ...tool, name: 7 })),
    ),
  ],
  ['base/server-initiates-no-requests', E, andAlso('tools/list', request('roots/list'))],
  ['transport-stdio/server-writes-no-requests', E, andAlso('tools/list', request('roots/list'))],
  ['transport-http/no-requests-on-response-stream', E, andAlso('tools/list', request('roots/list'))],
  ['lifecycle/only-negotiated-capabilities-used', D, andAlso('tools/list', request('roots/list'))],
  ['base/removed-methods-answered-as-unknown', E, otherCodes],
  ['lifecycle/initialize-result-has-protocol-version', D, on('initialize', without('protocolVersion'))],
  ['lifecycle/initialize-result-has-capabilities', D, on('initialize', without('capabilities'))],
  ['lifecycle/initialize-result-has-server-info', D, on('initialize', without('serverInfo'))],
  [
    'lifecycle/server-info-has-name-and-version',
    D,
    on('initialize', (r) => ({ ...r, serverInfo: { name: 'x' } })),
  ],
  ['lifecycle/version-is-a-date-string', D, on('initialize', (r) => ({ ...r, protocolVersion: 1 }))],
  [
    'lifecycle/server-echoes-supported-version',
    D,
    onSecond(on('initialize', (r) => ({ ...r, protocolVersion: C }))),
  ],
  [
    'lifecycle/server-offers-other-supported-version',
    D,
    onSecond(on('initialize', (r) => ({ ...r, protocolVersion: '1999-12-31' }))),
  ],
  ['lifecycle/server-waits-for-initialized', D, onSecond(andAlso('initialize', request('roots/list')))],
  [
    'lifecycle/unknown-capabilities-tolerated',
    D,
    errorsFor(({ params }) => params?.capabilities?.experimental !== undefined),
  ],
  ['ping/answered-promptly-with-empty-result', D, on('ping', (r) => ({ ...r, pong: true }))],
  [
    'ping/ping-allowed-before-initialization-completes',
    D,
    onSecond(errorsFor(({ method }) => method === 'ping')),
  ],
  ['discover/server-implements-discover', E, errorsFor(({ method }) => method === 'server/discover')],
  ['discover/discover-result-has-supported-versions', E, on('server/discover', without('supportedVersions'))],
  ['discover/discover-result-has-capabilities', E, on('server/discover', without('capabilities'))],
  ['versioning/unsupported-version-answered-32022', E, otherCodes],
  ['versioning/unsupported-version-error-lists-supported', E, onErrors(without('data'))],
  ['versioning/unsupported-version-error-names-requested', E, onErrors(without('data'))],
  [
    'versioning/version-is-a-date-string',
    E,
    on('server/discover', (r) => ({ ...r, supportedVersions: ['1.0'] })),
  ],
  [
    'versioning/unknown-capabilities-tolerated',
    E,
    errorsFor(({ params }) => JSON.stringify(params ?? {}).includes('unheard')),
  ],
  [
    'versioning/extension-identifiers-have-prefix',
    E,
    on('server/discover', (r) => ({ ...r, capabilities: { extensions: { bare: {} } } })),
  ],
  ['meta/missing-required-meta-answered-32602', E, otherCodes],
  ['meta/result-meta-has-server-info', E, on('tools/list', without('_meta'))],
  ['stateless/no-reliance-on-prior-requests', E, onSecond(errorsFor(() => true))],
  ['caching/discover-result-has-cache-hints', E, on('server/discover', without('ttlMs'))],
  ['caching/tools-list-result-has-cache-hints', E, on('tools/list', without('cacheScope'))],
  ['caching/resources-list-result-has-cache-hints', E, on('resources/list', without('ttlMs'))],
  [
    'caching/resource-templates-list-result-has-cache-hints',
    E,
    on('resources/templates/list', without('ttlMs')),
  ],
  ['caching/prompts-list-result-has-cache-hints', E, on('prompts/list', without('ttlMs'))],
  ['caching/resources-read-result-has-cache-hints', E, on('resources/read', without('ttlMs'))],
  ['caching/ttl-is-not-negative', E, on('prompts/list', (r) => ({ ...r, ttlMs: -1 }))],
  [
    'caching/same-cache-scope-on-all-pages',
    E,
    paged((page) => ({ ...(page as object), cacheScope: 'public' })),
  ],
  ['tools/declares-capability', D, on('initialize', (r) => ({ ...r, capabilities: {} }))],
  ['resources/declares-capability', D, on('initialize', (r) => ({ ...r, capabilities: {} }))],
  ['prompts/declares-capability', D, on('initialize', (r) => ({ ...r, capabilities: {} }))],
  ['tools/list-returns-tools', D, on('tools/list', without('tools'))],
  ['resources/list-returns-resources', D, on('resources/list', without('resources'))],
  [
    'resources/templates-list-returns-templates',
    D,
    on('resources/templates/list', without('resourceTemplates')),
  ],
  ['prompts/list-returns-prompts', D, on('prompts/list', without('prompts'))],
  ['tools/name-identifies-tool-uniquely', D, on('tools/list', twice('tools'))],
  ['resources/uri-identifies-resource-uniquely', D, on('resources/list', twice('resources'))],
  ['prompts/name-identifies-prompt-uniquely', D, on('prompts/list', twice('prompts'))],
  ['tools/tool-set-not-per-connection', E, onSecond(on('tools/list', (r) => ({ ...r, tools: [] })))],
  [
    'resources/resource-set-not-per-connection',
    E,
    onSecond(on('resources/list', (r) => ({ ...r, resources: [] }))),
  ],
  ['prompts/prompt-set-not-per-connection', E, onSecond(on('prompts/list', (r) => ({ ...r, prompts: [] })))],
  [
    'tools/tools-in-deterministic-order',
    E,
    onRepeat(
      'tools/list',
      on('tools/list', (r) => ({ ...r, tools: r.tools.toReversed() })),
    ),
  ],
  [
    'tools/tool-name-length-1-to-128',
    D,
    on(
      'tools/list',
      first('tools', (tool) => ({ ...tool, name: '' })),
    ),
  ],
  [
    'tools/tool-name-characters',
    D,
    on(
      'tools/list',
      first('tools', (tool) => ({ ...tool, name: 'a b' })),
    ),
  ],
  ['tools/input-schema-is-object-schema', D, on('tools/list', first('tools', without('inputSchema')))],
  [
    'tools/output-schema-is-optional-object-schema',
    D,
    on(
      'tools/list',
      first('tools', (tool) => ({ ...tool, outputSchema: { type: 'array' } })),
    ),
  ],
  [
    'schema-json/published-schemas-valid-in-their-dialect',
    D,
    on(
      'tools/list',
      first('tools', (tool) => ({ ...tool, inputSchema: { type: 'nothing' } })),
    ),
  ],
  ['tools/unknown-tool-is-protocol-error-32602', D, resultsForErrors],
  ['tools/malformed-tool-call-is-protocol-error', D, resultsForErrors],
  ['tools/call-returns-content', D, on('tools/call', without('content'))],
  ['tools/output-schema-tool-returns-structured-content', D, on('tools/call', without('structuredContent'))],
  [
    'tools/structured-content-conforms-to-output-schema',
    D,
    on('tools/call', (r) => ({ ...r, structuredContent: { sum: 'three' } })),
  ],
  ['tools/structured-content-repeated-as-text', D, on('tools/call', (r) => ({ ...r, content: [] }))],
  ['resources/resource-has-uri-and-name', D, on('resources/list', first('resources', without('name')))],
  [
    'resources/custom-uri-scheme-follows-rfc3986',
    D,
    on(
      'resources/list',
      first('resources', (one) => ({ ...one, uri: 'no uri' })),
    ),
  ],
  [
    'resources/template-uri-is-rfc6570',
    D,
    on(
      'resources/templates/list',
      first('resourceTemplates', (one) => ({ ...one, uriTemplate: 'memo://{' })),
    ),
  ],
  ['resources/read-returns-contents', D, on('resources/read', without('contents'))],
  ['resources/contents-item-has-uri', D, on('resources/read', first('contents', without('uri')))],
  [
    'resources/binary-data-properly-encoded',
    D,
    on(
      'resources/read',
      first('contents', (one) => ({ ...one, blob: '%' })),
    ),
  ],
  ['resources/not-found-error-32002', D, otherCodes],
  ['resources/not-found-error-32602', E, otherCodes],
  ['resources/no-empty-contents-for-missing-resource', E, resultsForErrors],
  ['resources/subscribe-returns-empty-result', D, on('resources/unsubscribe', (r) => ({ ...r, done: true }))],
  [
    'prompts/get-returns-messages',
    D,
    (m, r) =>
      r.method === 'prompts/list'
        ? { ...m, result: { prompts: [{ name: 'greet' }] } }
        : resultsForErrors(m, r),
  ],
  ['prompts/invalid-name-error-32602', D, otherCodes],
  ['prompts/missing-arguments-error-32602', D, otherCodes],
  ['completion/declares-capability', D, on('initialize', (r) => ({ ...r, capabilities: {} }))],
  ['completion/unsupported-completion-error-32601', D, on('initialize', (r) => ({ ...r, capabilities: {} }))],
  ['completion/invalid-prompt-name-error-32602', D, otherCodes],
  [
    'completion/request-returns-values',
    D,
    on('completion/complete', () => ({ completion: { values: [1] } })),
  ],
  [
    'completion/at-most-100-values',
    D,
    on('completion/complete', () => ({ completion: { values: Array.from({ length: 101 }, String) } })),
  ],
  [
    'logging/declares-capability',
    D,
    (m, r) => (r.method === 'initialize' ? [{ ...m, result: { ...m.result, capabilities: {} } }, log] : m),
  ],
  ['logging/set-level-returns-empty-result', D, on('logging/setLevel', (r) => ({ ...r, done: true }))],
  ['logging/invalid-level-error-32602', D, otherCodes],
  ['logging/no-log-without-requested-level', E, andAlso('tools/list', log)],
  ['logging/invalid-log-level-in-meta-error-32602', E, otherCodes],
  [
    'pagination/cursor-is-opaque-string',
    D,
    (m, r) => (r.method === 'tools/list' ? { ...m, result: { ...m.result, nextCursor: 7 } } : m),
  ],
  ['pagination/next-cursor-omitted-at-end', D, on('tools/list', (r) => ({ ...r, nextCursor: null }))],
  [
    'pagination/page-starts-after-cursor',
    D,
    paged((page) => ({ ...(page as object), tools: [{ name: 'add', inputSchema: { type: 'object' } }] })),
  ],
  ['pagination/invalid-cursor-error-32602', D, otherCodes],
  ['subscriptions/acknowledged-is-first-subscription-message', E, acknowledged((m) => [log, m])],
  [
    'subscriptions/subscription-id-is-listen-request-id',
    E,
    acknowledged((m) => ({ ...m, params: { ...m.params, _meta: {} } })),
  ],
  [
    'subscriptions/acknowledgment-lists-honored-subset',
    E,
    acknowledged((m) => ({ ...m, params: { ...m.params, notifications: { more: true } } })),
  ],
  [
    'subscriptions/only-requested-notification-types-sent',
    E,
    (m, r) =>
      r.method === 'server/discover'
        ? { ...m, result: { ...m.result, capabilities: { tools: { listChanged: true } } } }
        : acknowledged((acknowledgement) => [
            { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' },
            acknowledgement,
          ])(m, r),
  ],
  ['subscriptions/listen-notifications-carry-subscription-id', E, acknowledged((m) => [log, m])],
  [
    'transport-stdio/server-stdout-carries-only-mcp',
    D,
    (m, r) => (r.method === 'tools/list' ? ['"hello"', m] : m),
  ],
  ['transport-stdio/no-embedded-newlines', D, (m, r) => (r.method === 'tools/list' ? ['{"jsonrpc":', m] : m)],
  [
    'transport-stdio/line-is-an-individual-message',
    D,
    (m, r) => (r.method === 'tools/list' ? JSON.stringify([m]) : m),
  ],
];

/** Rules whose responses belong to no request. */
const unanswered = new Set<RequirementId>([
  'jsonrpc/response-id-keeps-type',
  'jsonrpc/error-response-echoes-request-id',
]);

describe('faults of a server on standard streams are found', () => {
  test.each(corruptions)('a violation of %s in %s', async (id, revision, corrupt) => {
    seen.add(id);
    const maker = corrupt.length === 0 ? (corrupt as () => Corrupt) : () => corrupt as Corrupt;
    const limit = unanswered.has(id) ? SHORT : patience;
    expect(await breaks(id, revision, () => corrupted(maker()), limit)).toBeInstanceOf(Broken);
  });

  const intrusions: [RequirementId, Revision, Intrude][] = [
    [
      'jsonrpc/no-response-to-notification',
      D,
      ({ method }) =>
        method === 'notifications/cancelled' ? [{ jsonrpc: '2.0', id: 'inspect-none', result: {} }] : [],
    ],
    [
      'jsonrpc/unknown-notification-not-answered',
      D,
      ({ method }) =>
        method === 'notifications/inspect/unheard'
          ? [{ jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }]
          : [],
    ],
    [
      'jsonrpc/batch-arrays-not-supported',
      E,
      (message) => (Array.isArray(message) ? [{ jsonrpc: '2.0', id: 'batch-1', result: {} }] : []),
    ],
    [
      'batching/batch-array-received-is-invalid-request',
      C,
      (message) => (Array.isArray(message) ? [{ jsonrpc: '2.0', id: 'batch-1', result: {} }] : []),
    ],
  ];
  test.each(intrusions)('an additional message for %s in %s', async (id, revision, intrude) => {
    seen.add(id);
    expect(await breaks(id, revision, () => corrupted(undefined, intrude))).toBeInstanceOf(Broken);
  });

  test('a server that runs on after the end of its input', async () => {
    seen.add('transport-stdio/server-exits-when-stdin-closes');
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 6000));
    try {
      const id = 'transport-stdio/server-exits-when-stdin-closes';
      expect(await breaks(id, D, () => corrupted())).toBeInstanceOf(Broken);
    } finally {
      clock.mockRestore();
    }
  });
});

/** Passes a request on without its origin. */
function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  url: string,
  change?: (text: string) => string,
): void {
  const { origin: _origin, host: _host, ...headers } = incoming.headers;
  const onward = httpRequest(url, { method: incoming.method ?? 'GET', headers }, (reply) => {
    const { 'content-length': _length, ...others } = reply.headers;
    response.writeHead(reply.statusCode ?? 500, change === undefined ? reply.headers : others);
    if (change === undefined) reply.pipe(response);
    else {
      reply.setEncoding('utf8').on('data', (text: string) => response.write(change(text)));
      reply.on('end', () => response.end());
    }
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

describe('faults of a server over HTTP are found', () => {
  let served: ListeningHttp;
  beforeAll(async () => {
    served = await serveHttp(fixtureServer(), { port: 0 });
  });
  afterAll(() => served.close());

  const replies =
    (change: Partial<HttpReply>, isMeant: (sent: HttpCall) => boolean = () => true) =>
    (wire: CorruptedHttp): void => {
      wire.after = (reply, sent) => (isMeant(sent) ? { ...reply, ...change } : reply);
    };
  const isOf =
    (method: string) =>
    (sent: HttpCall): boolean =>
      sent.body?.includes(`"${method}"`) === true;
  const isForeign = ({ fields }: HttpCall): boolean => fields.origin !== undefined;
  const isPing = ({ body }: HttpCall): boolean => body?.includes('inspect-ping') === true;
  /** Accepts wrong headers. */
  const forgives = (wire: CorruptedHttp): void => {
    wire.before = (sent) =>
      sent.body?.includes('server/discover') === true
        ? { ...sent, fields: { ...sent.fields, 'mcp-method': 'server/discover', 'mcp-protocol-version': E } }
        : sent;
  };
  const stream = { type: 'text/event-stream', asked: 'tools/list' };

  const breaking: [RequirementId, Revision, (wire: CorruptedHttp) => void][] = [
    ['transport-http/origin-validated', D, replies({ status: 200 }, isForeign)],
    ['transport-http/invalid-origin-answered-403', D, replies({ status: 400 }, isForeign)],
    ['transport-http/request-post-gets-json-or-sse', D, replies({ type: 'text/plain' }, isOf('tools/list'))],
    [
      'transport-http/notification-or-response-post-gets-202',
      D,
      replies({ status: 200 }, isOf('notifications/cancelled')),
    ],
    ['transport-http/notification-post-gets-202', E, replies({ body: 'x' }, isOf('notifications/cancelled'))],
    ['transport-http/unacceptable-input-gets-error-status', D, replies({ status: 202 })],
    [
      'transport-http/get-answered-with-sse-or-405',
      D,
      (wire) => {
        wire.looked = { status: 200, type: 'text/html' };
      },
    ],
    [
      'transport-http/session-id-is-visible-ascii',
      D,
      (wire) => {
        wire.renamed = 'a b';
      },
    ],
    [
      'transport-http/session-id-globally-unique',
      D,
      (wire) => {
        wire.renamed = 'the one';
      },
    ],
    ['transport-http/missing-session-id-gets-400', D, replies({ status: 401 }, isPing)],
    ['transport-http/terminated-session-gets-404', D, replies({ status: 400 }, isPing)],
    ['transport-http/unsupported-version-header-gets-400', D, replies({ status: 200 }, isPing)],
    [
      'transport-http/post-stream-delivers-every-response',
      B,
      replies({ ...stream, body: '' }, isOf('tools/list')),
    ],
    [
      'transport-http/sse-stream-carries-the-response',
      D,
      replies({ ...stream, body: '' }, isOf('tools/list')),
    ],
    [
      'transport-http/sse-stream-ends-after-response',
      D,
      replies({ ...stream, ended: false }, isOf('tools/list')),
    ],
    [
      'transport-http/stream-ends-with-final-response',
      E,
      replies({ ...stream, ended: false }, isOf('tools/list')),
    ],
    [
      'transport-http/post-stream-closed-after-response',
      B,
      replies({ ...stream, ended: false }, isOf('tools/list')),
    ],
    ['transport-http/sse-response-has-x-accel-buffering-no', E, replies({ ...stream }, isOf('tools/list'))],
    ['transport-http/missing-standard-header-rejected', E, forgives],
    ['transport-http/missing-version-header-rejected', E, forgives],
    ['transport-http/header-body-mismatch-rejected', E, forgives],
    ['transport-http/version-header-mismatch-rejected', E, forgives],
    ['transport-http/header-validation-failure-status-400', E, forgives],
    ['transport-http/header-validation-failure-body-32020', E, forgives],
    [
      'transport-http/header-names-case-insensitive',
      E,
      (wire) => {
        wire.before = (sent) => ({ ...sent, fields: { ...sent.fields, 'MCP-METHOD': undefined } });
      },
    ],
    ['transport-http/unknown-method-http-status-404', E, replies({ status: 400 })],
    ['transport-http/unknown-method-body-has-32601', E, replies({ body: '{}' })],
    ['transport-http/unsupported-version-http-status-400', E, replies({ status: 404 })],
    ['transport-http/missing-required-meta-http-status-400', E, replies({ status: 404 })],
  ];
  test.each(breaking)('a violation of %s in %s', async (id, revision, change) => {
    seen.add(id);
    const open = async (): Promise<Wire> => {
      const wire = new CorruptedHttp(new URL(served.url), {}, revision, patience);
      change(wire);
      return wire;
    };
    expect(await breaks(id, revision, open)).toBeInstanceOf(Broken);
  });

  test('a server that serves one client at a time', async () => {
    seen.add('transport-http/serves-multiple-clients');
    let wires = 0;
    const open = async (): Promise<Wire> => {
      const wire = new CorruptedHttp(new URL(served.url), {}, E, patience);
      wires += 1;
      if (wires > 1) wire.before = (sent) => ({ ...sent, body: '{}' });
      return wire;
    };
    expect(await breaks('transport-http/serves-multiple-clients', E, open)).toBeInstanceOf(Broken);
  });

  test.each([B, C, D, E])('and there are none in %s without a change', async (revision) => {
    const open = async (): Promise<Wire> => new HttpWire(new URL(served.url), {}, revision, patience);
    const examined = await examine({ open, revision, patience, call }, 'http');
    const wrong = examined?.findings.filter(({ state }) => state === 'fail' || state === 'warn');
    expect(wrong).toEqual([]);
    expect(examined?.findings.filter(({ state }) => state === 'pass').length).toBeGreaterThan(65);
  });

  test('the command line prints only violations with --quiet', async () => {
    const { out } = await run(['--check', '--quiet', '--revision', E, '--', served.url]);
    expect(out).toMatch(/^2026-07-28: \d+ pass, 0 fail, 0 warn, \d+ not observable\n$/);
  });

  test('the command line prints the fault and a link, and ends with 1', async () => {
    const proxy = createServer((incoming, response) => forward(incoming, response, served.url));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo; // it listens on a port
    const argv = ['--check', '--quiet', '--revision', E, '--', `http://127.0.0.1:${port}/`];
    const { status, out } = await run(argv).finally(() => proxy.close());
    expect(status).toBe(1);
    const { level, text, link } = demandOf('transport-http/origin-validated', E)!;
    const why = 'a request from http://inspect.invalid was answered with status 200';
    expect(out).toContain(
      `FAIL  ${E}/transport-http/origin-validated ${level} ${link}\n      ${text}\n      ${why}\n`,
    );
  });

  test('the command line prints a name of the server without characters that move, reorder or hide text, as JSON as well', async () => {
    const name = 'add\u001b[2J\u009b\u202e\u200b\ufe0f\u2028\u{e0041}';
    const proxy = createServer((incoming, response) =>
      forward(incoming, response, served.url, (text) => text.replaceAll('"add"', JSON.stringify(name))),
    );
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo; // it listens on a port
    const argv = ['--check', '--quiet', '--revision', E, '--', `http://127.0.0.1:${port}/`];
    const [lines, json] = [await run(argv), await run(['--json', ...argv])];
    expect(lines.out).toContain('\\u202e\\u200b\\ufe0f\\u2028\\udb40\\udc41');
    const unseen = /[^\n\P{C}]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
    expect([lines.out, json.out].map((out) => unseen.exec(out))).toEqual([null, null]);
    expect(JSON.stringify(JSON.parse(json.out))).toContain(JSON.stringify(JSON.stringify(name)).slice(1, -1));
  });

  test('the command line reports missing credentials', async () => {
    const closed = createServer((_incoming, response) => void response.writeHead(401).end());
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo; // it listens on a port
    const { status, err } = await run(['--check', '--', `http://127.0.0.1:${port}/`]).finally(() =>
      closed.close(),
    );
    expect(status).toBe(1);
    expect(err).toBe('inspect: the server responded with HTTP status 401; give credentials with --header\n');
  });

  test('the command line checks the newest of both eras, and ends with 0', async () => {
    const argv = ['--check', '--strict', '--call', 'add', '--arg', 'a=1', '--arg', 'b=2', '--', served.url];
    const { status, out } = await run(argv);
    expect(status).toBe(0);
    expect(out).toContain(
      'pass  2026-07-28/tools/structured-content-conforms-to-output-schema MUST https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema\n',
    );
    expect(out).toMatch(
      /\n2026-07-28: \d+ pass, 0 fail, 0 warn, \d+ not observable\n2025-11-25: \d+ pass, 0 fail/,
    );
  });
});

test.each([A, B, C, D, E])(
  'a server on standard streams has no faults in %s without a change',
  async (revision) => {
    const examined = await examine({ open: () => corrupted(), revision, patience, call }, 'stdio');
    const wrong = examined?.findings.filter(({ state }) => state === 'fail' || state === 'warn');
    expect(wrong).toEqual([]);
    expect(examined?.findings.filter(({ state }) => state === 'pass').length).toBeGreaterThan(50);
  },
);

test('every rule has failed at least once', () => {
  const unproved = (Object.keys(rules) as RequirementId[]).filter((id) => !seen.has(id)); // the keys are requirements
  expect(unproved).toEqual([]);
});
