import { describe, expect } from 'vitest';
import { test } from './fixtures.ts';
import { claimKey } from './message.ts';
import { envelope, initialize, initialized, request, start, stateless } from './wire.ts';
import { uriOf } from './workspace.ts';

const probe =
  '{"jsonrpc":"2.0","id":"server-discover-probe-1","method":"server/discover","params":{"_meta":{' +
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"2.1.329"},' +
  '"io.modelcontextprotocol/clientCapabilities":{"roots":{},"elicitation":{}}}}}';

describe.concurrent('a client that probes', () => {
  test('a probe with a string id is answered, and the same process then shakes hands', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    server.say(probe);
    const discovered = await server.transcript.answer('server-discover-probe-1');
    expect(discovered.result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] });
    const hello = await server.ask(initialize('2025-11-25'));
    expect(hello.result?.protocolVersion).toBe('2025-11-25');
    server.say(initialized);
    const listed = await server.ask(request(1, 'tools/list'));
    expect(listed.result).not.toHaveProperty('resultType');
  });

  test('a probe without a wait for its response does not disturb the following handshake', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    server.say(probe);
    server.say(initialize('2025-06-18', {}, 1));
    server.say(initialized);
    server.say(request(2, 'tools/list'));
    await server.transcript.answer(2);
    expect(server.transcript.received.map(({ id, error }) => [id, error])).toEqual([
      ['server-discover-probe-1', undefined],
      [1, undefined],
      [2, undefined],
    ]);
  });

  test('a probe without its envelope is an error, and the same process then shakes hands', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    const refused = await server.ask(request('server-discover-probe-1', 'server/discover'));
    expect(refused.error?.code).toBe(-32602);
    const hello = await server.ask(initialize('2024-11-05'));
    expect(hello.result?.protocolVersion).toBe('2024-11-05');
  });

  test('a probe for a future revision is answered with the supported ones', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    const params = { _meta: { ...envelope, [claimKey]: '2099-01-01' } };
    const refused = await server.ask(request('server-discover-probe-1', 'server/discover', params));
    expect(refused.error).toMatchObject({
      code: -32022,
      data: { requested: '2099-01-01', supported: ['2026-07-28'] },
    });
    const discovered = await server.ask(stateless(2, 'server/discover'));
    expect(discovered.result?.supportedVersions).toEqual(['2026-07-28']);
  });

  test('a client that discovers twice, listens and lists is served without a handshake', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    server.say(probe);
    await server.transcript.answer('server-discover-probe-1');
    const again = await server.ask(stateless(1, 'server/discover'));
    const filter = { resourcesListChanged: true, resourceSubscriptions: [uriOf(workspace.notes)] };
    server.say(stateless('listen-1', 'subscriptions/listen', { notifications: filter }));
    const acknowledged = await server.transcript.until(
      ({ method }) => method === 'notifications/subscriptions/acknowledged',
    );
    const listed = await server.ask(stateless(2, 'tools/list'));
    const [first] = server.transcript.received;
    expect(again.result).toEqual(first!.result);
    expect(acknowledged.params?.notifications).toEqual(filter);
    expect(listed.result?.resultType).toBe('complete');
  });

  test.for(['end of input', 'SIGTERM', 'SIGKILL'] as const)(
    'a process that is started only for the probe and terminated by %s does not affect the next one',
    async (by, { servers, workspace }) => {
      const sibling = await start(servers, [workspace.root]);
      sibling.say(probe);
      await sibling.transcript.answer('server-discover-probe-1');
      if (by === 'end of input') sibling.endInput();
      else sibling.signal(by);
      const ending = by === 'SIGKILL' ? { code: null, signal: by } : { code: 0, signal: null };
      expect(await sibling.ended).toEqual(ending);
      const server = await start(servers, [workspace.root]);
      const listed = await server.ask(stateless(1, 'tools/list'));
      expect(listed.error).toBeUndefined();
    },
  );
});
