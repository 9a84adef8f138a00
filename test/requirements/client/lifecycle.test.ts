import {
  AnswerError,
  CapabilityError,
  type Client,
  ConnectionError,
  connect,
} from '@rootbound/protocol/client';
import { expect, vi } from 'vitest';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { answers, capable, everything, tour } from './tour.ts';
import { over } from './world.ts';

over(
  handshake,
  'the first message is initialize, with version, capabilities and name',
  async ({ script, proves, revision }) => {
    const server = script();
    await server.connect(everything());
    const [first] = server.heard;
    proves('2024-11-05/lifecycle/client-sends-initialize-request', () =>
      expect(server.all('initialize')).toHaveLength(1),
    );
    proves('2024-11-05/lifecycle/initialization-is-first-interaction', () =>
      expect(first.method).toBe('initialize'),
    );
    const { params } = first;
    proves('2024-11-05/lifecycle/initialize-has-protocol-version', () =>
      expect(params.protocolVersion).toBeTypeOf('string'),
    );
    proves('2024-11-05/lifecycle/version-is-a-date-string', () =>
      expect(params.protocolVersion).toMatch(/^\d{4}-\d\d-\d\d$/),
    );
    proves('2024-11-05/lifecycle/client-sends-version-it-supports', () =>
      expect(params.protocolVersion).toBe(revision),
    );
    proves('2024-11-05/lifecycle/initialize-has-client-capabilities', () =>
      expect(params.capabilities).toMatchObject({ roots: {}, sampling: {} }),
    );
    proves('2024-11-05/lifecycle/capabilities-declared-during-initialization', () =>
      expect(Object.keys(params.capabilities).toSorted()).toEqual([
        ...(revision >= '2025-06-18' ? ['elicitation'] : []),
        'roots',
        'sampling',
      ]),
    );
    proves('2024-11-05/lifecycle/initialize-has-client-info', () =>
      expect(params.clientInfo).toBeTypeOf('object'),
    );
    proves('2024-11-05/lifecycle/client-info-has-name-and-version', () =>
      expect(params.clientInfo).toEqual({ name: 'tester', version: '1.0.0' }),
    );
  },
);

over(
  handshake,
  'the client sends initialized after the response, and nothing before',
  async ({ script, proves }) => {
    let answer = (): void => {};
    const server = script({
      capabilities: { tools: {} },
      answers: {
        initialize: ({ id, params }) => {
          const result = {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          };
          answer = () => server.say({ id, result });
          return undefined;
        },
        'tools/list': { tools: [] },
      },
    });
    const connecting = server.connect();
    const used = connecting.then((client: Client) => client.listTools());
    await server.awaitMessage('initialize');
    server.say({ id: 'early', method: 'ping' });
    await server.hears(({ id }) => id === 'early');
    const before = server.heard.filter(({ method }) => method !== undefined).map(({ method }) => method);
    proves('2024-11-05/lifecycle/client-waits-for-initialize-response', () =>
      expect(before).toEqual(['initialize']),
    );
    proves('2024-11-05/ping/ping-allowed-before-initialization-completes', () =>
      expect(server.heard.at(-1).result).toEqual({}),
    );
    answer();
    await used;
    const after = server.heard.filter(({ method }) => method !== undefined).map(({ method }) => method);
    proves('2024-11-05/lifecycle/client-sends-initialized-notification', () =>
      expect(after).toEqual(['initialize', 'notifications/initialized', 'tools/list']),
    );
  },
);

over(['2025-11-25'], 'a client requests its newest version by default', async ({ script, proves }) => {
  const server = script();
  await connect(server.transport, { name: 'tester', version: '1', era: 'handshake' }).then((client) =>
    client.close(),
  );
  proves('2025-11-25/lifecycle/client-sends-latest-version', () =>
    expect(server.heard[0].params.protocolVersion).toBe('2025-11-25'),
  );
});

over(
  between('2024-11-05', '2025-06-18'),
  'the newest version is the default, an older one can be requested',
  async ({ script, proves, revision }) => {
    const server = script({
      lenient: true,
      answers: {
        initialize: () => ({
          protocolVersion: revision,
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        }),
      },
    });
    const client = await server.connect({ era: 'handshake', revision: '2025-11-25' });
    proves('2024-11-05/lifecycle/client-sends-latest-version', () =>
      expect(server.heard[0].params.protocolVersion).toBe('2025-11-25'),
    );
    proves('2024-11-05/lifecycle/handles-version-mismatch', () => expect(client.revision).toBe(revision));
  },
);

over(handshake, 'an unknown version ends the connection cleanly', async ({ script, proves }) => {
  const server = script({
    answers: {
      initialize: {
        protocolVersion: '2099-01-01',
        capabilities: {},
        serverInfo: { name: 's', version: '1' },
      },
    },
  });
  const error = await server.connect().catch((reason: unknown) => reason);
  proves('2024-11-05/lifecycle/client-disconnects-on-unsupported-version', () =>
    expect(server.ended).toBe(true),
  );
  proves('2024-11-05/lifecycle/client-disconnects-on-unsupported-version-schema', () =>
    expect([server.ended, server.heard.map(({ method }) => method)]).toEqual([true, ['initialize']]),
  );
  proves('2024-11-05/lifecycle/version-failure-ends-gracefully', () =>
    expect(error).toBeInstanceOf(AnswerError),
  );
  proves('2024-11-05/lifecycle/handles-version-mismatch', () =>
    expect(String(error)).toContain('the server has 2099-01-01'),
  );
});

over(handshake, 'a session has one version until its end', async ({ script, proves, revision }) => {
  const server = script({ capabilities: capable, answers: answers((result) => result) });
  const client = await server.connect();
  await client.listTools();
  await client.ping();
  proves('2024-11-05/lifecycle/one-version-per-session', () =>
    expect([client.revision, server.all('initialize').length]).toEqual([revision, 1]),
  );
});

over(handshake, 'only features of the revision are used', async ({ script, proves, revision }) => {
  const server = script({ capabilities: capable, answers: answers((result) => result) });
  const client = await server.connect({
    ...everything(),
    title: 'Tester',
    icons: [{ src: 'data:image/png;base64,AA==' }],
  });
  const refused = await client.request('server/discover').catch((error: unknown) => error);
  const respected = () => {
    expect(refused).toBeInstanceOf(CapabilityError);
    const { clientInfo, capabilities } = server.heard[0].params;
    expect(['title' in clientInfo, 'icons' in clientInfo, 'elicitation' in capabilities]).toEqual([
      revision >= '2025-06-18',
      revision >= '2025-11-25',
      revision >= '2025-06-18',
    ]);
  };
  proves('2024-11-05/lifecycle/negotiated-version-respected', respected);
  if (revision >= '2025-06-18') proves('2025-06-18/lifecycle/negotiated-version-respected', respected);
});

over(
  handshake,
  'undeclared features of the server are not used, and requests for undeclared features of the client are refused',
  async ({ script, proves, revision }) => {
    const server = script({ capabilities: { tools: {} }, answers: answers((result) => result) });
    const client = await server.connect();
    const errors = [
      await client.listPrompts().catch((error: unknown) => error),
      await client.readResource('memo://a').catch((error: unknown) => error),
      await client.setLogLevel('info').catch((error: unknown) => error),
    ];
    const asked = await server.ask(1, 'sampling/createMessage', { messages: [], maxTokens: 1 });
    const onlyNegotiated = () => {
      expect(errors.map((error) => error instanceof CapabilityError)).toEqual([true, true, true]);
      expect(server.heard.map(({ method }) => method)).toEqual([
        'initialize',
        'notifications/initialized',
        undefined,
      ]);
      expect(asked.error.code).toBe(-32601);
    };
    proves('2024-11-05/lifecycle/only-negotiated-capabilities-used', onlyNegotiated);
    if (revision >= '2025-06-18')
      proves('2025-06-18/lifecycle/only-negotiated-capabilities-used', onlyNegotiated);
    proves('2024-11-05/lifecycle/handles-capability-negotiation-failure', () =>
      expect(String(errors[0])).toContain('needs the capability prompts'),
    );
    proves('2024-11-05/lifecycle/absent-capability-means-unsupported', () =>
      expect(errors[1]).toBeInstanceOf(CapabilityError),
    );
    await client.listTools();
    proves('2024-11-05/lifecycle/declared-capabilities-respected-all-session', () =>
      expect(server.all('tools/list')).toHaveLength(1),
    );
  },
);

over(stateless, 'a capability that was not declared counts as unsupported', async ({ script, proves }) => {
  const server = script({ capabilities: { tools: {} } });
  const client = await server.connect();
  const error = await client.listPrompts().catch((reason: unknown) => reason);
  proves('2026-07-28/versioning/absent-capability-means-unsupported', () => {
    expect(error).toBeInstanceOf(CapabilityError);
    expect(server.all('prompts/list')).toEqual([]);
  });
});

over(all, 'unknown capabilities are tolerated', async ({ script, proves }) => {
  const server = script({
    capabilities: { experimental: { 'example.com/odd': { a: 1 } }, telepathy: { range: 1 } },
  });
  const client = await server.connect();
  proves('2024-11-05/lifecycle/experimental-capabilities-allowed', () =>
    expect(client.capabilities?.experimental).toEqual({ 'example.com/odd': { a: 1 } }),
  );
  proves('2024-11-05/lifecycle/unknown-capabilities-tolerated', () => expect(server.starts).toBe(1));
});

over(
  all,
  'instructions reach the caller if present',
  async ({ script, proves, stateless: modern, revision }) => {
    const base = modern
      ? { supportedVersions: [revision], capabilities: {} }
      : { protocolVersion: revision, capabilities: {}, serverInfo: { name: 's', version: '1' } };
    const seen: unknown[] = [];
    for (const more of [{}, { instructions: 'Add numbers.' }]) {
      const server = script({
        answers: { [modern ? 'server/discover' : 'initialize']: () => server.done({ ...base, ...more }) },
      });
      seen.push((await server.connect()).instructions);
    }
    proves('2024-11-05/lifecycle/instructions-are-optional', () =>
      expect(seen).toEqual([undefined, 'Add numbers.']),
    );
  },
);

over(handshake, 'closing the client ends the streams, without a message', async ({ script, proves }) => {
  const server = script();
  const client = await server.connect();
  const before = server.heard.length;
  await client.close();
  proves('2024-11-05/lifecycle/termination-signalled-by-transport', () =>
    expect([server.ended, server.heard.length]).toEqual([true, before]),
  );
});

over(handshake, 'a whole session runs: initialize, operation, end', async (world) => {
  const server = await tour(world);
  await server.close();
  world.proves('2024-11-05/base/lifecycle-management-supported', () => {
    const methods = server.heard.map(({ method }: Message) => method);
    expect(methods.slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
    expect([methods.length > 15, server.ended]).toEqual([true, true]);
  });
});

over(
  between('2025-06-18'),
  'the title of an implementation is optional',
  async ({ script, proves, stateless: modern }) => {
    const [plain, titled] = [script(), script()];
    await plain.connect();
    const client = await titled.connect({ title: 'Tester' });
    const infoOf = ({ params }: Message) =>
      modern ? params._meta['io.modelcontextprotocol/clientInfo'] : params.clientInfo;
    proves('2025-06-18/lifecycle/implementation-title-is-optional', () => {
      expect([infoOf(plain.heard[0]).title, infoOf(titled.heard[0]).title]).toEqual([undefined, 'Tester']);
      expect(client.serverInfo).toEqual({ name: 'script', version: '1' });
    });
  },
);

over(stateless, 'the name of the client is in every request', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/list': () => server.done({ tools: [] }) },
  });
  await (await server.connect()).listTools();
  proves('2026-07-28/meta/client-info-has-name-and-version', () =>
    expect(server.heard.map(({ params }) => params._meta['io.modelcontextprotocol/clientInfo'])).toEqual(
      server.heard.map(() => ({ name: 'tester', version: '1.0.0' })),
    ),
  );
  proves('2026-07-28/versioning/version-is-a-date-string', () =>
    expect(server.heard[0].params._meta['io.modelcontextprotocol/protocolVersion']).toMatch(
      /^\d{4}-\d\d-\d\d$/,
    ),
  );
});

/** Runs with fake timers. */
async function withTimers(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

over(handshake, 'an initialize without a response times out', async ({ script, proves }) => {
  await withTimers(async () => {
    const server = script({ answers: { initialize: undefined } });
    const connecting = outcome(server.connect({ timeout: 50 }));
    await server.awaitMessage('initialize');
    await vi.advanceTimersByTimeAsync(50);
    const error = await connecting;
    proves('2024-11-05/lifecycle/handles-initialize-timeout', () =>
      expect((error as ConnectionError).reason).toBe('timeout'),
    );
    expect(server.all('notifications/cancelled')).toEqual([]);
  });
});

over(handshake, 'close resolves even if the server does not end', async ({ script, proves }) => {
  await withTimers(async () => {
    const server = script();
    const open = server.transport.open.bind(server.transport);
    const client = await connect({ open }, server.clientOptions());
    const closed = client.close();
    await vi.advanceTimersByTimeAsync(5000);
    await closed;
    proves('2024-11-05/lifecycle/handles-shutdown-timeout', () => expect(server.ended).toBe(true));
  });
});

over(
  all,
  'a request without a response in time ends, is cancelled, and its late response is ignored',
  async ({ script, proves }) => {
    await withTimers(async () => {
      const server = script({
        capabilities: { tools: {} },
        answers: { 'tools/call': () => undefined, 'tools/list': () => server.done({ tools: [] }) },
      });
      const client = await server.connect();
      const call = outcome(client.callTool('slow', {}, { timeout: 100 }));
      const { id } = await server.awaitMessage('tools/call');
      await vi.advanceTimersByTimeAsync(99);
      expect(server.all('notifications/cancelled')).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      const error = await call;
      // messages before the client's next request arrive before its response
      await client.listTools();
      const cancelled = server.all('notifications/cancelled').map(({ params }) => params.requestId);
      proves('2025-03-26/lifecycle/timeouts-configurable-per-request', () =>
        expect(String(error)).toContain('within 100 ms'),
      );
      proves('2025-03-26/lifecycle/timeout-sends-cancellation', () => expect(cancelled).toEqual([id]));
      proves('2026-07-28/cancellation/timeout-cancels-the-request', () => expect(cancelled).toEqual([id]));
      proves('2025-03-26/lifecycle/timeout-stops-waiting', () =>
        expect(error).toBeInstanceOf(ConnectionError),
      );
      proves('2025-03-26/lifecycle/handles-request-timeouts', () =>
        expect((error as ConnectionError).reason).toBe('timeout'),
      );
      server.say({ id, result: server.done({ content: [] }) });
      const plain = outcome(client.callTool('slow'));
      await vi.advanceTimersByTimeAsync(60_000);
      const late = await plain;
      proves('2024-11-05/lifecycle/all-requests-have-timeouts', () =>
        expect((late as ConnectionError).reason).toBe('timeout'),
      );
      expect(await client.listTools()).toEqual([]);
    });
  },
);

over(
  between('2025-03-26'),
  'progress extends a timeout, up to the maximum of the request',
  async ({ script, proves }) => {
    await withTimers(async () => {
      const server = script({ capabilities: { tools: {} }, answers: { 'tools/call': () => undefined } });
      const client = await server.connect();
      let seen = 0;
      const onProgress = (): void => {
        seen += 1;
      };
      const call = outcome(client.callTool('slow', {}, { timeout: 100, maxTimeout: 250, onProgress }));
      const { params } = await server.awaitMessage('tools/call');
      const { progressToken } = params._meta;
      for (const progress of [1, 2, 3]) {
        await vi.advanceTimersByTimeAsync(80);
        server.say({ method: 'notifications/progress', params: { progressToken, progress } });
        await vi.advanceTimersByTimeAsync(0);
      }
      await vi.advanceTimersByTimeAsync(10);
      const error = await call;
      proves('2025-03-26/lifecycle/maximum-timeout-enforced', () => {
        expect(seen).toBe(3);
        expect(String(error)).toContain('within 250 ms');
      });
    });
  },
);
