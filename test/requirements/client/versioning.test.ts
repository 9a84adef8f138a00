import { CapabilityError, connect, type RpcError } from '@rootbound/protocol/client';
import { expect, vi } from 'vitest';
import { written } from '../documents.ts';
import { stateless } from '../revisions.ts';
import { everything } from './tour.ts';
import { over, type World } from './world.ts';

const hello = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'old', version: '1' } };
const modernCodes = [-32020, -32021, -32022];

/** Creates a server with this answer to the probe, and a valid handshake. */
function probed({ script }: World, answer: object | undefined) {
  return script({ lenient: true, answers: { 'server/discover': answer, initialize: hello } });
}

const methodsOf = (server: { heard: { method?: string }[] }) => server.heard.map(({ method }) => method);

over(
  stateless,
  'the first message is server/discover, with the preferred version and nothing else',
  async ({ script, proves }) => {
    const server = script();
    const client = await server.connect();
    const [probe] = server.heard;
    proves('2026-07-28/versioning/dual-era-client-probes-with-discover', () =>
      expect([probe.method, probe.params._meta['io.modelcontextprotocol/protocolVersion']]).toEqual([
        'server/discover',
        '2026-07-28',
      ]),
    );
    proves('2026-07-28/discover/discover-request-has-only-meta', () =>
      expect(Object.keys(probe.params)).toEqual(['_meta']),
    );
    proves('2026-07-28/versioning/discover-result-selects-modern-version', () =>
      expect([client.era, client.revision]).toEqual(['stateless', '2026-07-28']),
    );
    proves('2026-07-28/versioning/dual-era-client-works-with-modern-server', () =>
      expect(methodsOf(server)).toEqual(['server/discover']),
    );
  },
);

over(stateless, 'later requests use a discovered version', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: {
      'server/discover': () =>
        server.done({
          supportedVersions: ['2099-01-01', '2026-07-28', '2025-11-25'],
          capabilities: { tools: {} },
        }),
      'tools/list': () => server.done({ tools: [] }),
    },
  });
  const client = await server.connect();
  await client.listTools();
  await client.listTools({ fresh: true });
  proves('2026-07-28/discover/client-uses-a-discovered-version', () =>
    expect(
      server.all('tools/list').map(({ params }) => params._meta['io.modelcontextprotocol/protocolVersion']),
    ).toEqual(['2026-07-28', '2026-07-28']),
  );
  proves('2026-07-28/versioning/stdio-era-cached-for-process-lifetime', () =>
    expect(server.all('server/discover')).toHaveLength(1),
  );
});

over(stateless, 'a modern error forbids the handshake', async (world) => {
  const { proves } = world;
  const outcomes: unknown[] = [];
  for (const code of modernCodes) {
    const server = probed(world, {
      error: { code, message: 'x', data: { supported: ['2099-01-01'], requested: '2026-07-28' } },
    });
    const failed = await server.connect().then(
      () => 'connected',
      (error: unknown) => String(error),
    );
    outcomes.push([failed !== 'connected', server.all('initialize').length]);
  }
  proves('2026-07-28/versioning/modern-error-identifies-modern-server', () =>
    expect(outcomes).toEqual(modernCodes.map(() => [true, 0])),
  );
  const none = probed(world, {
    error: { code: -32022, message: 'no', data: { supported: ['2099-01-01'], requested: '2026-07-28' } },
  });
  const error = await none.connect().catch((reason: unknown) => reason);
  proves('2026-07-28/versioning/probe-modern-error-uses-supported-list', () => {
    expect(String(error)).toContain('the server has 2099-01-01');
    expect(none.all('initialize')).toEqual([]);
  });
  proves('2026-07-28/versioning/client-retries-with-mutually-supported-version', () =>
    expect(String(error)).toContain('no common protocol version'),
  );
});

over(stateless, 'any other response, or none, causes the handshake', async (world) => {
  const { proves } = world;
  const codes = [-32601, -32600, -32602, -32700, -32000, -32001, 7];
  const eras: unknown[] = [];
  for (const code of codes)
    eras.push((await probed(world, { error: { code, message: 'what?' } }).connect()).era);
  proves('2026-07-28/versioning/fallback-not-keyed-to-one-error-code', () =>
    expect(eras).toEqual(codes.map(() => 'handshake')),
  );
  const old = probed(world, { error: { code: -32601, message: 'Method not found' } });
  const client = await old.connect();
  proves('2026-07-28/versioning/dual-era-client-works-with-legacy-server', () => {
    expect([client.revision, methodsOf(old)]).toEqual([
      '2025-11-25',
      ['server/discover', 'initialize', 'notifications/initialized'],
    ]);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const silent = probed(world, undefined);
    const connecting = silent.connect({ probeTimeout: 100 });
    await silent.awaitMessage('server/discover');
    await vi.advanceTimersByTimeAsync(100);
    const late = await connecting;
    proves('2026-07-28/versioning/probe-other-error-or-timeout-falls-back', () =>
      expect([late.era, late.verdict]).toEqual(['handshake', 'handshake']),
    );
  } finally {
    vi.useRealTimers();
  }
});

over(stateless, 'a client pinned to this revision fails at an older server with a message', async (world) => {
  const { proves } = world;
  const server = probed(world, { error: { code: -32601, message: 'Method not found' } });
  const client = await connect(server.transport, server.clientOptions({ era: { pinned: '2026-07-28' } }));
  const error = await client.discover().catch((reason: unknown) => reason);
  proves('2026-07-28/versioning/modern-only-client-also-probes', () =>
    expect(methodsOf(server)).toEqual(['server/discover']),
  );
  proves('2026-07-28/versioning/modern-client-reports-legacy-server', () =>
    expect([(error as RpcError).code, (error as Error).message]).toEqual([-32601, 'Method not found']),
  );
  await client.close();
});

over(
  stateless,
  'extensions are declared by name, and a server without them works the same',
  async ({ script, proves }) => {
    const extensions = { 'com.example/odd': {}, 'io.modelcontextprotocol/other': { a: 1 } };
    const server = script({
      capabilities: { tools: {}, extensions },
      answers: { 'tools/call': () => server.done({ content: [] }) },
    });
    const client = await server.connect(everything());
    proves('2026-07-28/versioning/extensions-advertised-in-capabilities', () =>
      expect(client.capabilities?.extensions).toEqual(extensions),
    );
    const { content } = await client.callTool('a');
    proves('2026-07-28/versioning/one-sided-extension-falls-back-or-rejects', () =>
      expect(content).toEqual([]),
    );
    const own = Object.keys(
      server.heard[0].params._meta['io.modelcontextprotocol/clientCapabilities'].extensions ?? {},
    );
    proves('2026-07-28/versioning/extension-identifiers-follow-meta-key-rules', () =>
      expect(own.filter((name) => !/^[a-z][a-z0-9.-]*[a-z0-9]\/[A-Za-z0-9._-]+$/.test(name))).toEqual([]),
    );
    proves('2026-07-28/versioning/extension-identifiers-have-prefix', () =>
      expect(own.filter((name) => !name.includes('/'))).toEqual([]),
    );
  },
);

over(
  stateless,
  'a client answers the input requests that its request declares, and no other',
  async ({ script, proves }) => {
    const asking = {
      resultType: 'input_required',
      inputRequests: { s: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } },
    };
    const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => asking } });
    const client = await server.connect({ roots: () => [] });
    const error = await client.callTool('a').catch((reason: unknown) => reason);
    proves('2026-07-28/stateless/declared-capabilities-respected-per-request', () => {
      expect(String(error)).toContain('this client has no sampling/createMessage');
      expect(server.all('tools/call')).toHaveLength(1);
    });
    const refused = await client.listPrompts().catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(CapabilityError);
  },
);

over(stateless, 'connections share one server process', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/call': () => server.done({ content: [] }) },
  });
  const client = await server.connect();
  for (let conversation = 0; conversation < 5; conversation++) await client.callTool('a', { conversation });
  proves('2026-07-28/stateless/process-lifetime-not-bound-to-conversation', () =>
    expect([server.starts, server.ended]).toEqual([1, false]),
  );
});

over(
  stateless,
  'the behaviour of tasks at a server without them is documented',
  async ({ script, proves }) => {
    const server = script({
      capabilities: { tools: {} },
      answers: { 'tools/call': () => server.done({ content: [] }) },
    });
    const client = await server.connect();
    const refused = await client.tasks.call('slow').catch((error: Error) => error.name);
    const plain = await client.callTool('slow');
    const text = written('packages/protocol/src/client/tasks.ts');
    proves('2026-07-28/versioning/extension-documents-fallback', () => {
      expect(text).toMatch(/Throws CapabilityError if the server or the tool does not support tasks/);
      expect([refused, plain.content]).toEqual(['CapabilityError', []]);
    });
  },
);
