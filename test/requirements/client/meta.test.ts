import { CapabilityError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { metaKeysOf } from '../meta-keys.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { answers, capable, everything, tour } from './tour.ts';
import { over } from './world.ts';

const own = { 'example.com/own': { a: 1 }, plain: true };
const trace = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'a=1,b=2',
  baggage: 'user=1;ttl=2',
};

over(all, 'metadata of the server is tolerated in every place', async ({ script, proves, revision }) => {
  const modern = revision >= '2025-06-18';
  const server = script({
    capabilities: capable,
    answers: {
      'tools/list': () =>
        server.done({
          tools: [{ name: 'a', inputSchema: { type: 'object' }, ...(modern && { _meta: own }) }],
          _meta: own,
        }),
      'resources/read': () =>
        server.done({
          contents: [{ uri: 'memo://a', text: 'x', ...(modern && { _meta: own }) }],
          _meta: { ...own, 'io.modelcontextprotocol/odd': 7 },
        }),
      'tools/call': () =>
        server.done({ content: [{ type: 'text', text: 'x', ...(modern && { _meta: own }) }], _meta: own }),
    },
  });
  const heard: unknown[] = [];
  const client = await server.connect({
    onNotification: (method, params) => heard.push([method, params._meta]),
  });
  server.say({ method: 'notifications/message', params: { level: 'info', data: 'x', _meta: own } });
  const tools = await client.listTools();
  const read = await client.readResource('memo://a');
  const called = await client.callTool('a');
  proves('2024-11-05/meta/result-meta-reserved', () => expect(called._meta).toMatchObject(own));
  proves('2024-11-05/meta/notification-meta-reserved', () =>
    expect(heard).toEqual([['notifications/message', own]]),
  );
  proves('2025-06-18/meta/no-assumptions-about-reserved-keys', () => expect(read.contents).toHaveLength(1));
  if (modern) {
    proves('2025-06-18/meta/meta-on-content-blocks', () => expect(called.content[0]?._meta).toEqual(own));
    expect([tools[0]?._meta, read.contents[0]?._meta]).toEqual([own, own]);
  }
});

over(all, 'a request has the metadata that its caller adds', async ({ script, proves, revision }) => {
  const server = script({ capabilities: capable, answers: answers((result) => server.done(result)) });
  const client = await server.connect();
  await client.request('tools/call', { name: 'a', _meta: { ...own, progressToken: 7 } });
  const { _meta } = (await server.awaitMessage('tools/call')).params;
  proves('2025-06-18/meta/request-meta-accepts-any-key', () =>
    expect(_meta).toMatchObject({ ...own, progressToken: 7 }),
  );
  if (revision <= '2025-03-26')
    proves('2024-11-05/meta/request-meta-holds-progress-token', () => expect(_meta.progressToken).toBe(7));
  proves('2025-06-18/meta/prefix-is-optional', () => expect(_meta.plain).toBe(true));
  await client.request('tools/call', { name: 'b', _meta: { 'example.com/': 1 } });
  const named = await server.hears(({ params }) => params?.name === 'b');
  proves('2025-06-18/meta/name-may-be-empty', () => expect(named.params._meta['example.com/']).toBe(1));
});

over(between('2025-06-18'), 'malformed and reserved keys are not sent', async ({ script, proves }) => {
  const server = script({ capabilities: capable, answers: answers((result) => server.done(result)) });
  const client = await server.connect();
  const refused = async (key: string) => {
    const before = server.heard.length;
    const failed = await client.request('tools/list', { _meta: { [key]: 1 } }).then(
      () => false,
      (error: unknown) => error instanceof TypeError,
    );
    return [failed, server.heard.length - before];
  };
  const outcomes = async (...keys: string[]) => Promise.all(keys.map(refused));
  const none = (count: number) => Array.from({ length: count }, () => [true, 0]);
  const prefixes = await outcomes('a..b/x', '/x', 'a./x', 'a b/x');
  proves('2025-06-18/meta/prefix-is-dotted-labels-and-slash', () => expect(prefixes).toEqual(none(4)));
  const starts = await outcomes('1a.b/x', '-a/x', 'a.2b/x');
  proves('2025-06-18/meta/label-starts-with-letter', () => expect(starts).toEqual(none(3)));
  const ends = await outcomes('a-/x', 'a.b-/x');
  proves('2025-06-18/meta/label-ends-with-letter-or-digit', () => expect(ends).toEqual(none(2)));
  const inside = await outcomes('a_b/x', 'ä/x');
  proves('2025-06-18/meta/label-interior-characters', () => expect(inside).toEqual(none(2)));
  const names = await outcomes('_x', 'x-', 'example.com/.x', 'ü');
  proves('2025-06-18/meta/name-begins-and-ends-alphanumeric', () => expect(names).toEqual(none(4)));
  const reserved = await outcomes('com.mcp.tools/x', 'dev.mcp/x');
  proves('2025-06-18/meta/mcp-prefixes-reserved', () => expect(reserved).toEqual(none(2)));
  proves('2025-11-25/meta/meta-prefix-with-mcp-second-label-is-reserved', () =>
    expect(reserved).toEqual(none(2)),
  );
  await client.request('tools/list', { _meta: { 'com.example.mcp/x': 1 } });
  const keys = metaKeysOf(server.heard);
  proves('2025-06-18/meta/schema-reserved-names-honored', () =>
    expect(keys.filter(({ key }) => key === 'progressToken')).toEqual([]),
  );
  proves('2025-11-25/meta/meta-prefix-uses-reverse-dns', () =>
    expect(
      keys.filter(({ prefix }) => prefix !== '' && !prefix.startsWith('io.') && !prefix.startsWith('com.')),
    ).toEqual([]),
  );
  proves('2026-07-28/meta/third-party-extension-keys-use-vendor-prefix', () =>
    expect(keys.filter(({ valid }) => !valid)).toEqual([]),
  );
});

over(between('2025-06-18', '2025-11-25'), 'a root has its metadata', async ({ script, proves }) => {
  const server = script();
  await server.connect({ roots: () => [{ uri: 'file:///a', _meta: own }] });
  const { result } = await server.ask(1, 'roots/list');
  proves('2025-06-18/meta/meta-on-roots', () =>
    expect(result.roots).toEqual([{ uri: 'file:///a', _meta: own }]),
  );
});

over(stateless, 'a root in an input response has its metadata', async ({ script, proves }) => {
  let calls = 0;
  const server = script({
    capabilities: { tools: {} },
    answers: {
      'tools/call': () =>
        calls++ === 0
          ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } }
          : server.done({ content: [] }),
    },
  });
  const client = await server.connect({ roots: () => [{ uri: 'file:///a', _meta: own }] });
  await client.callTool('a');
  proves('2026-07-28/meta/meta-on-roots', () =>
    expect(server.heard.at(-1).params.inputResponses.r.roots[0]._meta).toEqual(own),
  );
});

over(stateless, 'every request has revision, capabilities and name', async (world) => {
  const { proves } = world;
  const { heard } = await tour(world);
  const metas = heard.filter(({ id }) => id !== undefined).map(({ params }) => params._meta);
  expect(metas.length).toBeGreaterThan(8);
  proves('2026-07-28/meta/request-meta-has-protocol-version', () =>
    expect(metas.filter((meta) => meta['io.modelcontextprotocol/protocolVersion'] !== '2026-07-28')).toEqual(
      [],
    ),
  );
  const capabilities = metas.map((meta) => meta['io.modelcontextprotocol/clientCapabilities']);
  proves('2026-07-28/meta/request-meta-has-client-capabilities', () =>
    expect(new Set(capabilities.map((one) => Object.keys(one).toSorted().join()))).toEqual(
      new Set(['elicitation,roots,sampling']),
    ),
  );
  proves('2026-07-28/meta/request-meta-has-client-info', () =>
    expect(metas.filter((meta) => meta['io.modelcontextprotocol/clientInfo']?.name !== 'tester')).toEqual([]),
  );
  const bare = world.script();
  await bare.connect();
  expect(bare.heard[0].params._meta['io.modelcontextprotocol/clientCapabilities']).toEqual({});
});

over(stateless, 'the name of a server changes nothing', async ({ script, proves }) => {
  const connectTo = async (name: string) => {
    const info = { 'io.modelcontextprotocol/serverInfo': { name, version: '1' } };
    const server = script({
      answers: {
        'server/discover': () =>
          server.done({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, _meta: info }),
        'tools/list': () => server.done({ tools: [] }),
      },
    });
    const client = await server.connect(everything());
    await client.listTools();
    const refused = await client.listPrompts().catch((error: unknown) => error instanceof CapabilityError);
    return [server.heard.map(({ method, params }) => [method, params]), refused];
  };
  const [trusted, unknown] = [await connectTo('github-official'), await connectTo('x')];
  proves('2026-07-28/meta/self-reported-info-does-not-change-behavior', () =>
    expect(trusted[0]).toEqual(unknown[0]),
  );
  proves('2026-07-28/meta/self-reported-info-not-used-for-security', () =>
    expect([trusted[1], unknown[1]]).toEqual([true, true]),
  );
});

over(stateless, 'trace context is sent in its defined format or not at all', async ({ script, proves }) => {
  const server = script({ capabilities: capable, answers: answers((result) => server.done(result)) });
  const client = await server.connect();
  await client.request('tools/call', { name: 'a', _meta: trace });
  const { _meta } = (await server.awaitMessage('tools/call')).params;
  const refused = async (meta: object) =>
    client.request('tools/list', { _meta: { ...meta } }).then(
      () => false,
      () => true,
    );
  const [parent, state, baggage] = [
    await refused({ traceparent: 'x' }),
    await refused({ tracestate: 'ä' }),
    await refused({ baggage: 7 }),
  ];
  proves('2026-07-28/meta/trace-context-in-w3c-format', () =>
    expect([_meta.traceparent, _meta.tracestate, parent, state]).toEqual([
      trace.traceparent,
      trace.tracestate,
      true,
      true,
    ]),
  );
  proves('2026-07-28/meta/baggage-in-w3c-format', () =>
    expect([_meta.baggage, baggage]).toEqual([trace.baggage, true]),
  );
  proves('2026-07-28/meta/trace-keys-need-no-prefix', () => expect(_meta).toMatchObject(trace));
});

over(handshake, 'a request with metadata is answered', async ({ script }) => {
  const server = script();
  await server.connect(everything());
  const { result } = await server.ask(1, 'roots/list', { _meta: own });
  expect(result.roots).toHaveLength(1);
});
