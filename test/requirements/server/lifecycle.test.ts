import { createServer } from '@rootbound/protocol';
import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { everything, person, tour } from './tour.ts';
import { over, shakeHands } from './world.ts';

over(
  handshake,
  'the response to initialize has revision, capabilities and name',
  async ({ raw, proves, revision }) => {
    const { result } = await shakeHands(raw());
    proves('2024-11-05/lifecycle/initialize-result-has-capabilities', () =>
      expect(result.capabilities).toMatchObject({ tools: {}, resources: {}, prompts: {}, logging: {} }),
    );
    proves('2024-11-05/lifecycle/capabilities-declared-during-initialization', () =>
      expect(result.capabilities.tools).toEqual({ listChanged: true }),
    );
    proves('2024-11-05/lifecycle/initialize-result-has-server-info', () =>
      expect(result.serverInfo).toBeTypeOf('object'),
    );
    proves('2024-11-05/lifecycle/server-info-has-name-and-version', () =>
      expect(result.serverInfo).toMatchObject({ name: 'fixture', version: '1.2.3' }),
    );
    proves('2024-11-05/lifecycle/initialize-result-has-protocol-version', () =>
      expect(result.protocolVersion).toBeTypeOf('string'),
    );
    proves('2024-11-05/lifecycle/server-echoes-supported-version', () =>
      expect(result.protocolVersion).toBe(revision),
    );
    proves('2024-11-05/lifecycle/version-is-a-date-string', () =>
      expect(result.protocolVersion).toMatch(/^\d{4}-\d\d-\d\d$/),
    );
    proves('2025-06-18/lifecycle/implementation-title-is-optional', () =>
      expect(result.serverInfo.title).toBe(revision >= '2025-06-18' ? 'Fixture' : undefined),
    );
  },
);

over(handshake, 'every feature of a server is declared', async ({ raw, proves, revision }) => {
  const { result } = await shakeHands(raw());
  const declared = [
    'tools',
    'resources',
    'prompts',
    'logging',
    ...(revision === '2024-11-05' ? [] : ['completions']),
  ];
  proves('2024-11-05/lifecycle/implemented-server-features-advertised', () => {
    expect(Object.keys(result.capabilities).toSorted()).toEqual(declared.toSorted());
    expect(result.capabilities.resources).toEqual({ subscribe: true, listChanged: true });
  });
});

over(
  handshake,
  'nothing but initialize and ping is served before initialize',
  async ({ raw, proves, revision }) => {
    const stage = new Stage();
    const talk = raw(fixture(stage));
    const { error } = await talk.call('echo', { text: 'early' });
    proves('2024-11-05/lifecycle/initialization-is-first-interaction', () =>
      expect([error?.code, stage.ran]).toEqual([-32602, []]),
    );
    const { result } = await shakeHands(talk);
    expect(result.protocolVersion).toBe(revision);
  },
);

over(handshake, 'the server sends no request before initialized', async ({ raw, proves }) => {
  const talk = raw();
  await shakeHands(talk, everything);
  await talk.request('tools/list');
  const before = talk.heard.filter(({ method, id }) => method !== undefined && id !== undefined);
  proves('2024-11-05/lifecycle/server-waits-for-initialized', () => expect(before).toEqual([]));
  talk.notify('notifications/initialized');
  expect((await talk.awaitMessage('roots/list')).id).toBeDefined();
});

over(handshake, 'an unsupported version is answered with the newest', async ({ raw, proves }) => {
  const talk = raw();
  const { result } = await shakeHands(talk, {}, '1999-01-01');
  const known = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
  proves('2024-11-05/lifecycle/server-offers-other-supported-version', () =>
    expect(known).toContain(result.protocolVersion),
  );
  proves('2024-11-05/lifecycle/server-offers-latest-version', () =>
    expect(result.protocolVersion).toBe('2025-11-25'),
  );
  proves('2024-11-05/lifecycle/handles-version-mismatch', () =>
    expect(result.serverInfo.name).toBe('fixture'),
  );
  const listed = await talk.request('tools/list');
  expect(listed.result.tools.length).toBeGreaterThan(0);
});

over(handshake, 'an initialize without a valid version is refused with -32602', async ({ raw, proves }) => {
  const { error } = await raw().request('initialize', {
    protocolVersion: 7,
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  });
  proves('2024-11-05/lifecycle/unsupported-version-error-32602', () => expect(error.code).toBe(-32602));
});

over(handshake, 'a session has one version until its end', async ({ open, proves, revision }) => {
  const talk = await open();
  const again = await shakeHands(talk, {}, revision === '2025-11-25' ? '2024-11-05' : '2025-11-25');
  const { result } = await talk.request('tools/list');
  proves('2024-11-05/lifecycle/one-version-per-session', () => {
    expect(again.error.code).toBe(-32600);
    expect(result.tools[0].icons !== undefined).toBe(revision === '2025-11-25');
  });
});

over(handshake, 'features that an older revision lacks are not sent', async ({ open, proves, revision }) => {
  const { result } = await (await open()).request('tools/list');
  const add = result.tools.find(({ name }: Message) => name === 'add');
  const has = (member: string) => member in add;
  const expected = {
    annotations: revision >= '2025-03-26',
    outputSchema: revision >= '2025-06-18',
    icons: revision >= '2025-11-25',
  };
  const respected = () =>
    expect({
      annotations: has('annotations'),
      outputSchema: has('outputSchema'),
      icons: has('icons'),
    }).toEqual(expected);
  proves('2024-11-05/lifecycle/negotiated-version-respected', respected);
  if (revision >= '2025-06-18') proves('2025-06-18/lifecycle/negotiated-version-respected', respected);
});

over(handshake, 'a client gets requests only for declared features', async ({ open, proves, revision }) => {
  const talk = await open();
  const outcomes = [await talk.call('where'), await talk.call('think'), await talk.call('register')];
  const asked = talk.heard.filter(({ method, id }) => method !== undefined && id !== undefined);
  const onlyNegotiated = () => {
    expect(asked).toEqual([]);
    expect(outcomes.map(({ result }) => result.isError)).toEqual([true, true, true]);
  };
  proves('2024-11-05/lifecycle/only-negotiated-capabilities-used', onlyNegotiated);
  if (revision >= '2025-06-18')
    proves('2025-06-18/lifecycle/only-negotiated-capabilities-used', onlyNegotiated);
  proves('2024-11-05/lifecycle/handles-capability-negotiation-failure', () =>
    expect(outcomes[1].result.content[0].text).toContain('needs the client capability sampling'),
  );
});

over(handshake, 'declared capabilities apply until the end of the session', async ({ open, proves }) => {
  const talk = await open(undefined, { capabilities: { sampling: {} } });
  const first = await talk.settleCall('think', {}, person);
  const second = await talk.settleCall('think', {}, person);
  const other = await talk.call('where');
  proves('2024-11-05/lifecycle/declared-capabilities-respected-all-session', () => {
    expect([first, second].map(({ answer }) => answer.result.isError)).toEqual([undefined, undefined]);
    expect(other.result.isError).toBe(true);
  });
});

over(all, 'unknown capabilities are tolerated', async ({ open, proves }) => {
  const capabilities = { experimental: { 'example.com/odd': { deep: 1 } }, telepathy: { range: 'far' } };
  const talk = await open(undefined, { capabilities });
  const { result } = await talk.call('echo', { text: 'x' });
  proves('2024-11-05/lifecycle/experimental-capabilities-allowed', () =>
    expect(result.isError).toBeUndefined(),
  );
  proves('2024-11-05/lifecycle/unknown-capabilities-tolerated', () =>
    expect(result.content[0].text).toBe('x'),
  );
});

over(all, 'an undeclared feature is not available', async ({ open, proves, stateless: modern }) => {
  const talk = await open(createServer({ name: 'bare', version: '1', tools: [] }));
  const refused = [
    await talk.request('prompts/list'),
    await talk.request('resources/read', { uri: 'memo://today' }),
  ];
  proves('2024-11-05/lifecycle/absent-capability-means-unsupported', () =>
    expect(refused.map(({ error }) => error?.code)).toEqual([-32601, -32601]),
  );
  const asking = await (await open()).call('think');
  expect(modern ? asking.error.code : asking.result.isError).toEqual(modern ? -32021 : true);
});

over(handshake, 'the end of the streams is the end of the session', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  await talk.request('resources/subscribe', { uri: 'memo://today' });
  expect(stage.watchers('memo://today')).toBe(1);
  await talk.finish();
  proves('2024-11-05/lifecycle/termination-signalled-by-transport', () =>
    expect(stage.watchers('memo://today')).toBe(0),
  );
});

over(handshake, 'a whole session runs: initialize, operation, end', async (world) => {
  const talk = await tour(world);
  await talk.finish();
  world.proves('2024-11-05/base/lifecycle-management-supported', () => {
    const [first] = talk.heard;
    expect(first.result.protocolVersion).toBe(world.revision);
    expect(talk.heard.length).toBeGreaterThan(20);
  });
});

over(between('2025-06-18', '2025-11-25'), 'the title in clientInfo is optional', async ({ raw, proves }) => {
  const introduce = (clientInfo: object) =>
    raw().request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const plain = await introduce({ name: 'a', version: '1' });
  const titled = await introduce({ name: 'a', version: '1', title: 'A' });
  proves('2025-06-18/lifecycle/implementation-title-is-optional', () =>
    expect([plain, titled].map(({ result }) => result?.protocolVersion)).toEqual([
      '2025-06-18',
      '2025-06-18',
    ]),
  );
});

over(stateless, 'the title of an implementation is optional', async ({ open, proves }) => {
  const talk = await open();
  const titled = { 'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1', title: 'A' } };
  const answers = [await talk.request('tools/list'), await talk.request('tools/list', {}, titled)];
  proves('2026-07-28/meta/implementation-title-is-optional', () =>
    expect(answers.map(({ result }) => result?._meta['io.modelcontextprotocol/serverInfo'].title)).toEqual([
      'Fixture',
      'Fixture',
    ]),
  );
});

over(
  ['2024-11-05'],
  'a client that has aborted initialize may send it again',
  async ({ raw, open, proves }) => {
    const stage = new Stage();
    const server = fixture(stage);
    const gone = raw(server);
    const clientInfo = { name: 'tester', version: '1.0.0' };
    gone.start('initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
    gone.notify('notifications/cancelled', { requestId: 1, reason: 'timed out' });
    await gone.finish();
    await raw(server).finish();
    const { result } = await (await open(server)).call('echo', { text: 'x' });
    proves('2024-11-05/lifecycle/handles-initialize-timeout', () =>
      expect([result.content[0].text, stage.faults]).toEqual(['x', []]),
    );
  },
);
