import type { Revision } from '@rootbound/protocol';
import { type Client, connect, http } from '@rootbound/protocol/client';
import { serveHttp } from '@rootbound/protocol/http';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createSqliteServer } from '../../src/server.ts';
import { spec } from '../../src/spec.ts';
import { call } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { inBothEras, Notifications, subscribed } from './notifications.ts';

const { folder, database } = scratch();

/** One server over HTTP, and its clients, each authenticated as a user. */
async function people(revision: Revision): Promise<(name: string) => Promise<Client>> {
  const { server, close } = createSqliteServer({
    roots: [{ path: folder, readOnly: false }],
    readOnly: false,
    tools: spec.tools,
    clientRoots: 'narrow',
    maxOutput: 102_400,
    laneFile: inject('laneFile'),
  });
  const listening = await serveHttp(server, {
    port: 0,
    authorizer: {
      authorize: ({ header }) => ({ principal: String(header('x-name')), scopes: [] }),
    },
  });
  onTestFinished(async () => {
    await listening.close(0);
    await close();
  });
  const era =
    revision === '2026-07-28' ? { era: { pinned: revision } } : { era: 'handshake' as const, revision };
  return async (name) => {
    const client = await connect(http(listening.url, { headers: { 'X-Name': name } }), {
      name,
      version: '1.0.0',
      ...era,
    });
    onTestFinished(() => client.close());
    return client;
  };
}

inBothEras((revision) => {
  test('changes by one user are reported to another, but results and insights are private', async () => {
    const path = database(
      `${revision}.db`,
      'CREATE TABLE a (n); CREATE TABLE fence (n); INSERT INTO a VALUES (7)',
    );
    const clientOf = await people(revision);
    const [ann, bob] = [await clientOf('ann'), await clientOf('bob')];
    const table = (name: string) => ({ kind: 'table', table: name }) as const;
    const notifications = await subscribed(ann, path, { a: table('a'), fence: table('fence') });
    const write = (query: string) => call(bob, 'write_query', { query, database: path });
    const heard = await notifications.notifiedBy(
      () => write('INSERT INTO a VALUES (8)'),
      'fence',
      () => write('INSERT INTO fence VALUES (1)'),
    );
    expect(heard).toEqual(['a']);

    const { facts } = await call<{ result: { uri: string } }>(ann, 'read_query', {
      query: 'SELECT n FROM a ORDER BY n',
      database: path,
      format: 'csv',
    });
    const { uri } = facts.result;
    const [content] = (await ann.readResource(uri)).contents;
    expect(content).toMatchObject({ uri, mimeType: 'text/csv', text: 'n\r\n7\r\n8\r\n' });
    await expect(bob.readResource(uri)).rejects.toThrow('not found');
    const listed = async (client: Client) => (await client.listResources()).some((each) => each.uri === uri);
    expect([await listed(ann), await listed(bob)]).toEqual([true, false]);

    const memos = { ann: new Notifications(), bob: new Notifications() };
    await ann.subscribe('memo://insights', memos.ann.heard);
    await bob.subscribe('memo://insights', memos.bob.heard);
    await call(ann, 'append_insight', { insight: 'hers' });
    await memos.bob.of(() => call(bob, 'append_insight', { insight: 'his' }));
    await memos.ann.reaches(1);
    expect([memos.ann.seen.length, memos.bob.seen.length]).toEqual([1, 1]);
  });
});
