import { readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openConnection } from '../../src/lane/connection.ts';
import { call, Served } from '../harness.ts';
import { killWriterAfter } from '../killed-writer.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, database, open } = scratch();
const one = 'CREATE TABLE t (x); INSERT INTO t VALUES (1)';
const two = 'CREATE TABLE t (x); INSERT INTO t VALUES (2)';

function opening(path: string, mode: 'read' | 'write') {
  const { dev, ino } = statSync(path);
  const file = { dev: String(dev), ino: String(ino) };
  return { path, ...file, mode, readOnly: false, ownsSideFiles: false, busyMs: 100, mostBytes: 2 ** 30 };
}

test.each([
  ['read', 1],
  ['write', 0],
] as const)(
  'a connection to %s does not trust the schema and stores temporary data in files',
  (mode, queryOnly) => {
    const { db, close } = bound(openConnection(opening(database(`${mode}.db`, one), mode)));
    const values = ['trusted_schema', 'query_only', 'cell_size_check', 'mmap_size', 'temp_store'].map(
      (name) => db.pragma(name, { simple: true }),
    );
    expect([...values, db.readonly]).toEqual([0, queryOnly, 1, 0, 1, mode === 'read']);
    close();
  },
);

function bound(connection: ReturnType<typeof openConnection>) {
  return { db: connection.db, close: () => connection.close() };
}

test('a file other than the one that the boundary verified is not used', () => {
  const path = database('swapped.db', one);
  const seen = opening(path, 'read');
  renameSync(database('other.db', two), path);
  expect(() => openConnection(seen)).toThrow(expect.objectContaining({ code: 'changed', retryable: true }));
});

test('a file that replaces a database is read and written afterwards', async () => {
  const path = database('in/data.db', one);
  const client = await served.client([dirname(path)]);
  const rows = async (): Promise<unknown> =>
    (await call<{ rows: unknown }>(client, 'read_query', { query: 'SELECT x FROM t', database: path })).facts
      .rows;
  const step = () =>
    call(client, 'write_query', { query: 'UPDATE t SET x = x * 10 WHERE true', database: path });
  expect([(await step()).failed, await rows()]).toEqual([false, [[10]]]);
  renameSync(path, join(folder, 'moved.db'));
  renameSync(database('new.db', two), path);
  expect(await rows()).toEqual([[2]]);
  expect([(await step()).failed, await rows()]).toEqual([false, [[20]]]);
  expect(open(join(folder, 'moved.db')).prepare('SELECT x FROM t').pluck().all()).toEqual([10]);
});

test('in a read-only root a database in WAL mode is read, and its file does not change', async () => {
  const path = database('wal/data.db', `PRAGMA journal_mode = WAL; ${one}`);
  const before = readFileSync(path);
  const client = await served.client([{ path: dirname(path), readOnly: true }]);
  const { facts } = await call(client, 'read_query', { query: 'SELECT x FROM t' });
  expect(facts).toMatchObject({ rows: [[1]] });
  await served.close();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('in a read-only root a hot journal is not rolled back, and the failure names the next step', async () => {
  const path = database(
    'hot/data.db',
    'CREATE TABLE t (x); INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) SELECT randomblob(500) FROM n',
  );
  killWriterAfter(path, 'UPDATE t SET x = 2');
  const files = (): Buffer[] => ['', '-journal'].map((side) => readFileSync(path + side));
  const before = files();
  const client = await served.client([{ path: dirname(path), readOnly: true }]);
  const { code, text } = await call(client, 'read_query', { query: 'SELECT count(*) FROM t' });
  expect([code, text.includes('with write access')]).toEqual(['hot-journal', true]);
  expect([files().map((bytes, at) => bytes.equals(before[at]!)), readdirSync(dirname(path))]).toEqual([
    [true, true],
    ['data.db', 'data.db-journal'],
  ]);
});
