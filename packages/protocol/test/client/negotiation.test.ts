import { expect, test } from 'vitest';
import { type ClientOptions, ConnectionError, connect, streams } from '../../src/client.ts';
import { handshakeRevisions } from '../../src/protocol/revisions.ts';
import { serveMemory } from '../../src/testing.ts';
import { fixtureServer } from '../wire/fixture.ts';
import { complete, scripted, welcome } from './scripted.ts';
import { Tap } from './tap.ts';

const me: ClientOptions = { name: 'tester', version: '1.0.0' };
const methods = (messages: { method?: string }[]): (string | undefined)[] =>
  messages.map(({ method }) => method);

test('a server of both eras is used without a handshake', async () => {
  const tap = new Tap(
    streams(() => serveMemory(fixtureServer())),
    '2026-07-28',
  );
  const client = await connect(tap, me);
  expect([client.era, client.revision, client.verdict]).toEqual([
    'stateless',
    '2026-07-28',
    { pinned: '2026-07-28' },
  ]);
  expect(client.serverInfo).toMatchObject({ name: 'fixture', version: '1.2.3' });
  expect(client.capabilities?.resources).toEqual({ subscribe: true, listChanged: true });
  expect(client.instructions).toBe('Add numbers.');
  expect(methods(tap.sent)).toEqual(['server/discover']);
  expect(tap.faults).toEqual([]);
  await client.close();
});

test('a pinned server is not probed, and can be asked for its capabilities', async () => {
  const tap = new Tap(
    streams(() => serveMemory(fixtureServer())),
    '2026-07-28',
  );
  const client = await connect(tap, { ...me, era: { pinned: '2026-07-28' } });
  expect([tap.sent.length, client.capabilities, client.serverInfo]).toEqual([0, undefined, undefined]);
  await client.callTool('add', { a: 1, b: 2 });
  expect(client.serverInfo?.name).toBe('fixture');
  await client.discover();
  expect(client.capabilities?.tools).toEqual({ listChanged: true });
  expect(methods(tap.sent)).toEqual(['tools/call', 'server/discover']);
  expect(tap.faults).toEqual([]);
  await client.close();
});

test.each(handshakeRevisions)('the handshake at %s has the members of that revision', async (revision) => {
  const tap = new Tap(
    streams(() => serveMemory(fixtureServer())),
    revision,
  );
  const client = await connect(tap, {
    ...me,
    title: 'Tester',
    description: 'tests',
    icons: [{ src: 'data:,x' }],
    era: 'handshake',
    revision,
    roots: () => [{ uri: 'file:///home/ada' }],
    sampling: {
      createMessage: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: '' } }),
      tools: true,
    },
    elicitation: () => ({ action: 'decline' }),
  });
  expect([client.era, client.revision, client.verdict]).toEqual(['handshake', revision, 'handshake']);
  expect(methods(tap.sent).slice(0, 2)).toEqual(['initialize', 'notifications/initialized']);
  const { capabilities } = tap.sent[0].params;
  expect(capabilities.roots).toEqual({ listChanged: true });
  expect(capabilities.sampling).toEqual(revision === '2025-11-25' ? { tools: {} } : {});
  const modes = { '2025-06-18': {}, '2025-11-25': { form: {}, url: {} } } as Record<string, object>;
  expect(capabilities.elicitation).toEqual(modes[revision]);
  expect(tap.faults).toEqual([]);
  await client.close();
});

test.each([-32601, -32600, -32602, -32000, -32603, -1, 0])(
  'error %d at the probe leads to the handshake on the same connection',
  async (code) => {
    const server = scripted((message, act) => {
      if (message.method === 'server/discover')
        act.say({ id: message.id, error: { code, message: 'what?' } });
      welcome(message, act);
    });
    const client = await connect(server.transport, me);
    expect([client.revision, server.starts]).toEqual(['2025-11-25', 1]);
    expect(methods(server.heard).slice(0, 2)).toEqual(['server/discover', 'initialize']);
    await client.close();
  },
);

test.each([{ id: null }, {}])('an error without an id (%j) answers the probe', async (id) => {
  const server = scripted((message, act) => {
    if (message.method === 'server/discover')
      act.say({ ...id, error: { code: -32600, message: 'unreadable' } });
    welcome(message, act);
  });
  const client = await connect(server.transport, { ...me, probeTimeout: 1_000_000 });
  expect(client.era).toBe('handshake');
  await client.close();
});

test('a server that does not respond to the probe gets the handshake, no cancellation, and its late response is ignored', async () => {
  const server = scripted((message, act, { heard }) => {
    welcome(message, act);
    if (message.method === 'initialize')
      act.say({ id: heard[0].id, result: complete({ supportedVersions: ['2026-07-28'], capabilities: {} }) });
  });
  const client = await connect(server.transport, { ...me, probeTimeout: 1 });
  expect(client.era).toBe('handshake');
  await server.hears(({ method }) => method === 'notifications/initialized');
  expect(methods(server.heard)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  await client.close();
});

test('a server that exits at the probe is started again for the handshake', async () => {
  const server = scripted((message, act) => {
    if (message.method === 'server/discover') act.end();
    welcome(message, act);
  });
  const closed: string[] = [];
  const client = await connect(server.transport, { ...me, onClose: (reason) => closed.push(reason) });
  expect([client.era, server.starts, closed]).toEqual(['handshake', 2, []]);
  await client.close();
  expect(closed).toHaveLength(1);
});

test('a server that refuses a version and lists it gets one more request', async () => {
  const server = scripted((message, act, { heard }) => {
    const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
    if (heard.length === 1) act.say({ id: message.id, error: { code: -32022, message: 'no', data } });
    else
      act.say({ id: message.id, result: complete({ supportedVersions: ['2026-07-28'], capabilities: {} }) });
  });
  const client = await connect(server.transport, me);
  expect([client.era, methods(server.heard)]).toEqual(['stateless', ['server/discover', 'server/discover']]);
  await client.close();
});

test('a server that keeps refusing the only common version is an error, without a handshake', async () => {
  const server = scripted((message, act) => {
    const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
    act.say({ id: message.id, error: { code: -32022, message: 'no', data } });
  });
  await expect(connect(server.transport, me)).rejects.toThrow(
    'no common protocol version: the server has 2026-07-28',
  );
  expect(methods(server.heard)).toEqual(['server/discover', 'server/discover']);
});

test.each([-32020, -32021, -32022])('error %d means that the server has no handshake', async (code) => {
  const server = scripted((message, act) => {
    const error = { code, message: 'no', data: { supported: ['2099-01-01'], requested: '2026-07-28' } };
    act.say({ id: message.id, error });
  });
  await expect(connect(server.transport, me)).rejects.toThrow(
    /^no common protocol version: the server has 2099-01-01, this client /,
  );
  expect(methods(server.heard)).toEqual(['server/discover']);
});

test('a server that discovers only other versions is an error, unless it lists one with a handshake', async () => {
  const discovering = (supportedVersions: string[]) =>
    scripted((message, act) => {
      if (message.method === 'server/discover')
        act.say({ id: message.id, result: complete({ supportedVersions, capabilities: {} }) });
      welcome(message, act);
    });
  await expect(connect(discovering(['2099-01-01']).transport, me)).rejects.toThrow(
    'the server has 2099-01-01',
  );
  const client = await connect(discovering(['2099-01-01', '2025-11-25']).transport, me);
  expect(client.era).toBe('handshake');
  await client.close();
});

test('a handshake answered with an unknown version ends with a clear error and a closed connection', async () => {
  const server = scripted((message, act) => welcome(message, act, {}, '2020-01-01'));
  await expect(connect(server.transport, { ...me, era: 'handshake' })).rejects.toThrow(
    'no common protocol version: the server has 2020-01-01',
  );
  expect(methods(server.heard)).toEqual(['initialize']);
});

test('a handshake answered with an older version uses that version', async () => {
  const server = scripted((message, act) => welcome(message, act, {}, '2024-11-05'));
  const client = await connect(server.transport, { ...me, era: 'handshake' });
  expect(client.revision).toBe('2024-11-05');
  await client.close();
});

test('an invalid discovery is an error, not a fallback', async () => {
  const server = scripted((message, act) => {
    if (message.method === 'server/discover')
      act.say({ id: message.id, result: { supportedVersions: ['2026-07-28'] } });
  });
  await expect(connect(server.transport, me)).rejects.toThrow(
    /^the response to server\/discover is invalid: capabilities: /,
  );
});

test('connecting can be cancelled', async () => {
  const controller = new AbortController();
  const server = scripted(() => controller.abort());
  const connecting = connect(server.transport, { ...me, signal: controller.signal });
  await expect(connecting).rejects.toMatchObject({ name: 'ConnectionError', reason: 'cancelled' });
  await expect(connecting).rejects.toBeInstanceOf(ConnectionError);
  expect(methods(server.heard)).toEqual(['server/discover']);
});

test('requests of a server before the initialized notification are answered', async () => {
  const server = scripted((message, act) => {
    if (message.method === 'initialize') {
      act.say({ id: 'p', method: 'ping' });
      welcome(message, act);
      act.say({ id: 'r', method: 'roots/list' });
    }
  });
  const client = await connect(server.transport, {
    ...me,
    era: 'handshake',
    roots: () => [{ uri: 'file:///a' }],
  });
  expect((await server.hears(({ id }) => id === 'p')).result).toEqual({});
  expect((await server.hears(({ id }) => id === 'r')).result).toEqual({ roots: [{ uri: 'file:///a' }] });
  await client.close();
});

test('contradictory options are refused at once', async () => {
  const { transport } = scripted(() => {});
  await expect(connect(transport, { ...me, revision: '2026-07-28' })).rejects.toThrow(TypeError);
  await expect(connect(transport, { ...me, era: { pinned: '2025-11-25' } })).rejects.toThrow(TypeError);
});
