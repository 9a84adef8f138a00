import { createRequire } from 'node:module';
import { afterEach, expect, test, vi } from 'vitest';
import { connect, http } from '../../src/client.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { Site } from './client.ts';

const site = new Site();
const me = { name: 'tester', version: '1.0.0' };
const interop = createRequire(new URL('../../../../test/interop/package.json', import.meta.url));

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each(['sdk-2024-11-05', 'sdk-2025-03-26', 'sdk-2025-06-18', 'sdk-2025-11-25'])(
  'the client of %s is served',
  async (sdk) => {
    const old = sdk === 'sdk-2024-11-05';
    // the oldest uses that of the page; the others have their own
    if (old) {
      const newer = createRequire(interop.resolve('sdk-2025-11-25/client/sse.js'));
      vi.stubGlobal('EventSource', newer('eventsource').EventSource);
    }
    const load = old
      ? (path: string) => import(interop.resolve(path))
      : async (path: string) => interop(path);
    const { Client } = await load(`${sdk}/client/index.js`);
    const { SSEClientTransport } = await load(`${sdk}/client/sse.js`);
    const stage = new Stage();
    const listening = await site.serve(fixtureServer(stage));
    const client = new Client(me, { capabilities: {} });
    await client.connect(new SSEClientTransport(new URL(`${listening.origin}/sse`)));
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: 'add', arguments: { a: 20, b: 3 } });
    const { contents } = await client.readResource({ uri: 'memo://today' });
    expect([tools.length > 5, content[0].text, contents[0].text]).toEqual([
      true,
      '{"sum":23}',
      'water the plants',
    ]);
    const controller = new AbortController();
    const held = client.callTool({ name: 'hold' }, undefined, { signal: controller.signal });
    await client.ping();
    controller.abort('enough');
    await expect(held).rejects.toThrow();
    await vi.waitFor(() => expect(stage.aborted).toHaveLength(1), { timeout: 120_000 });
    await client.close();
    await vi.waitFor(() => expect(listening.routes.sessions).toBe(0), { timeout: 120_000 });
  },
);

test('the client of this package finds the stream by itself and exchanges messages', async () => {
  const listening = await site.serve(fixtureServer());
  const client = await connect(http(`${listening.origin}/sse`), {
    ...me,
    era: 'handshake',
    revision: '2024-11-05',
  });
  expect((await client.callTool('add', { a: 1, b: 2 })).content[0]).toMatchObject({ text: '{"sum":3}' });
  expect([client.revision, listening.routes.sessions]).toEqual(['2024-11-05', 1]);
  await client.close();
  await vi.waitFor(() => expect(listening.routes.sessions).toBe(0), { timeout: 120_000 });
});
