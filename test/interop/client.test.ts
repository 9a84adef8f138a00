import { describe, expect } from 'vitest';
import { modes } from './client.ts';
import { test } from './fixtures.ts';
import { describeClient } from './matrix.ts';
import { metaOf, serverKey } from './message.ts';
import { uriOf } from './workspace.ts';

for (const kind of Object.values(modes)) describeClient(kind);

describe.concurrent('how client 2.4.0 finds the era', () => {
  test('legacy never probes', async ({ servers, workspace }) => {
    const { server } = await modes.legacy.connect({ servers, args: [workspace.root] });
    expect(server.transcript.methods()).toEqual(['initialize', 'notifications/initialized']);
    expect(servers.all).toHaveLength(1);
  });

  test('auto probes in a separate process, which exits cleanly, and then needs no handshake', async ({
    servers,
    workspace,
  }) => {
    const session = await modes.auto.connect({ servers, args: [workspace.root] });
    await session.listTools();
    const [probe, serving] = servers.all;
    expect(servers.all).toHaveLength(2);
    expect(probe!.transcript.methods()).toEqual(['server/discover']);
    expect(await probe!.ended).toEqual({ code: 0, signal: null });
    expect(serving!.transcript.methods()).toEqual(['tools/list']);
  });

  test('pinned discovers and stays at its revision', async ({ servers, workspace }) => {
    const session = await modes.pinned.connect({ servers, args: [workspace.root] });
    const discovered = await session.client.discover();
    expect(discovered.supportedVersions).toContain('2026-07-28');
    expect(servers.all.flatMap(({ transcript }) => transcript.methods())).not.toContain('initialize');
  });
});

describe.concurrent.each([modes.auto, modes.pinned])('features of the stateless era, $name', (kind) => {
  test(`${kind.name} gets an acknowledgement without the paths that cannot be watched`, async ({
    servers,
    workspace,
  }) => {
    const { client } = await kind.connect({ servers, args: [workspace.root] });
    const subscription = await client.listen({
      toolsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: [uriOf(workspace.notes), uriOf(workspace.secret)],
    });
    expect(subscription.honoredFilter).toEqual({
      resourcesListChanged: true,
      resourceSubscriptions: [uriOf(workspace.notes)],
    });
    await subscription.close();
    expect(await subscription.closed).toBe('local');
  });

  test(`${kind.name} sees its subscription end when the server is terminated`, async ({
    servers,
    workspace,
  }) => {
    const { client, server } = await kind.connect({ servers, args: [workspace.root] });
    const subscription = await client.listen({ resourcesListChanged: true });
    server.signal('SIGTERM');
    expect(await subscription.closed).toBe('graceful');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  test(`${kind.name} requests a cacheable list once`, async ({ servers, workspace }) => {
    const { client, server } = await kind.connect({ servers, args: [workspace.root] });
    const [first, second] = [await client.listTools(), await client.listTools()];
    expect(second.tools).toEqual(first.tools);
    await client.listPrompts();
    await client.listPrompts();
    const asked = server.transcript.methods().filter((method) => method.endsWith('/list'));
    expect(asked).toEqual(['tools/list', 'prompts/list']);
    const answers = server.transcript.received.filter(({ result }) => result?.tools ?? result?.prompts);
    expect(answers.map(({ result }) => [result!.ttlMs, result!.cacheScope])).toEqual([
      [60_000, 'private'],
      [60_000, 'private'],
    ]);
  });

  test(`${kind.name} reads a changed resource again`, async ({ servers, workspace }) => {
    const { client } = await kind.connect({ servers, args: [workspace.root] });
    const uri = uriOf(workspace.notes);
    const before = await client.readResource({ uri });
    await client.callTool({ name: 'write_file', arguments: { path: workspace.notes, content: 'new\n' } });
    const after = await client.readResource({ uri });
    expect([before.contents, after.contents]).toMatchObject([
      [{ text: 'alpha\nbeta\n' }],
      [{ text: 'new\n' }],
    ]);
  });

  test(`${kind.name} gets structured content and the server's name with each result`, async ({
    servers,
    workspace,
  }) => {
    const { client } = await kind.connect({ servers, args: [workspace.root] });
    await client.listTools();
    const result = await client.callTool({ name: 'list_directory', arguments: { path: workspace.root } });
    expect(result.structuredContent).toMatchObject({
      path: workspace.root,
      entries: [
        { name: 'inner', type: 'directory' },
        { name: 'notes.txt', type: 'file' },
      ],
      truncated: false,
    });
    expect(metaOf(result)[serverKey]).toMatchObject({ name: 'rootbound-filesystem' });
  });
});
