import { rmSync } from 'node:fs';
import type { Change } from '@rootbound/protocol/client';
import { afterEach, expect, test } from 'vitest';
import { toSqliteUri } from '../../src/resources/uri.ts';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { inBothEras, Notifications, subscribed } from './notifications.ts';
import { Writer } from './writer.ts';

const served = new Served();
const writers: Writer[] = [];
afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.kill();
});

const table = (name: string) => ({ kind: 'table', table: name }) as const;
const schema = `PRAGMA journal_mode = wal;
  CREATE TABLE a (id INTEGER PRIMARY KEY, n); CREATE TABLE b (id INTEGER PRIMARY KEY, n);
  CREATE TABLE fence (n); INSERT INTO fence VALUES (0); INSERT INTO a VALUES (1, 'one');
  CREATE TRIGGER copied AFTER UPDATE ON a WHEN new.n = 'copy' BEGIN INSERT INTO b (n) VALUES (new.n); END;
`;
const fence = 'UPDATE fence SET n = n + 1 WHERE true';

function shop() {
  const made = scratch();
  return { ...made, path: made.database('shop.db', schema) };
}

inBothEras((revision) => {
  test('a commit of a write tool is reported once, by the tables that it wrote', async () => {
    const { folder, path } = shop();
    const client = await served.client([folder], { revision });
    const write = async (query: string): Promise<void> => {
      const { failed, text } = await call(client, 'write_query', { query });
      expect(failed, text).toBe(false);
    };
    const all = await subscribed(client, path, { a: table('a'), b: table('b'), fence: table('fence') });
    const notifiedBy = (query: string) =>
      all.notifiedBy(
        () => write(query),
        'fence',
        () => write(fence),
      );
    expect(await notifiedBy("INSERT INTO a (n) VALUES ('two')")).toEqual(['a']);
    expect(await notifiedBy("UPDATE a SET n = 'copy' WHERE id = 1")).toEqual(['a', 'b']);
    expect(await notifiedBy('DELETE FROM b WHERE id = 99')).toEqual([]);
    const other = new Writer(path);
    writers.push(other);
    // by now a second notification would have arrived
    await all.byName('b').of(() => other.run('DELETE FROM b'));
    expect(all.counts()).toEqual({ a: 2, b: 2, fence: 3 });
  });
});

test('a client is notified of changes by another client in a table that both may read', async () => {
  const { folder, path } = shop();
  const [one, two] = [await served.client([folder]), await served.client([folder])];
  const notifications = await subscribed(one, path, { a: table('a'), fence: table('fence') });
  const notifiedBy = (query: string) =>
    notifications.notifiedBy(
      () => call(two, 'write_query', { query }),
      'fence',
      () => call(two, 'write_query', { query: fence }),
    );
  expect(await notifiedBy("INSERT INTO a (n) VALUES ('three')")).toEqual(['a']);
});

inBothEras((revision) => {
  test('clients are notified when a table or database is added or removed, by this server or another process', async () => {
    const { folder, path, database } = shop();
    const notifications = new Notifications();
    const client = await served.client([folder], { revision });
    const listed = await client.listResources();
    expect(listed.map(({ uri }) => uri)).toContain(toSqliteUri(path, table('a')));
    const heard = (change: Change): void => notifications.heard(change);
    await client.subscribe({ resourcesListChanged: true }, heard);
    await notifications.of(() => call(client, 'write_query', { query: 'CREATE TABLE own (n)' }));
    const other = new Writer(path);
    writers.push(other);
    await notifications.of(() => other.run('CREATE TABLE theirs (n)'));
    await notifications.of(() => void database('new.db', 'CREATE TABLE t (n)'));
    const uris = (await client.listResources()).map(({ uri }) => uri);
    await notifications.of(() => other.run('DROP TABLE b'));
    await notifications.of(() => rmSync(`${folder}/new.db`));
    const left = (await client.listResources()).map(({ uri }) => uri);
    expect(left.filter((uri) => uri.includes('new.db') || uri === toSqliteUri(path, table('b')))).toEqual([]);
    expect(uris).toEqual(
      expect.arrayContaining([
        toSqliteUri(path, table('own')),
        toSqliteUri(path, table('theirs')),
        toSqliteUri(`${folder}/new.db`),
      ]),
    );
  });
});

test('a path outside the roots cannot be watched and is reported as missing', async () => {
  const { folder } = shop();
  const { database } = scratch();
  const outside = database('outside.db', 'CREATE TABLE t (n)');
  const client = await served.client([folder]);
  const refused = async (path: string) =>
    client
      .subscribe(toSqliteUri(path), () => {})
      .then(
        () => 'watched',
        (error: unknown) => String(error).replaceAll(path, 'PATH'),
      );
  expect(await refused(outside)).not.toBe('watched');
  expect(await refused(outside)).toBe(await refused(`${outside}-missing`));
});
