import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { killWriterAfter } from '../killed-writer.ts';
import { scratch } from '../scratch.ts';
import { holdOpen } from '../writing/other-writer.ts';

const served = new Served();
const { database } = scratch();
const shop = database(
  'shop.db',
  "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item (name) VALUES ('a'), ('b')",
);

test('a query reads the only database in the roots', async () => {
  const client = await served.client([shop]);
  const { facts } = await call(client, 'read_query', { query: 'SELECT * FROM item' });
  expect(facts).toMatchObject({
    columns: [{ name: 'id' }, { name: 'name' }],
    rows: [
      [1, 'a'],
      [2, 'b'],
    ],
  });
});

test('an endless query is stopped when it is cancelled, and the next one runs', async () => {
  const client = await served.client([shop]);
  // opens the lane, so that the next call is running when the server has answered the ping after it
  await call(client, 'read_query', { query: 'SELECT 1' });
  const cancel = new AbortController();
  const endless = call(
    client,
    'read_query',
    { query: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n' },
    { signal: cancel.signal },
  );
  await client.listTools();
  cancel.abort();
  await expect(endless).rejects.toThrow();
  const { facts } = await call(client, 'read_query', { query: 'SELECT 1 AS one' });
  expect(facts).toMatchObject({ columns: [{ name: 'one' }], rows: [[1]] });
});

test('after reading a database in WAL mode a closed server leaves no side file', async () => {
  const wal = database(
    'wal/wal.db',
    'PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)',
  );
  const client = await served.client([dirname(wal)]);
  const { facts } = await call(client, 'read_query', { query: 'SELECT * FROM t' });
  expect(facts).toMatchObject({ rows: [[1]] });
  await served.close();
  expect(readdirSync(dirname(wal))).toEqual(['wal.db']);
});

test('an unfinished transaction of a killed writer is rolled back before reading', async () => {
  const path = database(
    'hot/hot.db',
    'CREATE TABLE t (a, b); INSERT INTO t SELECT 1, randomblob(500) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) SELECT i FROM n)',
  );
  killWriterAfter(path, 'UPDATE t SET a = 2');
  expect(readdirSync(dirname(path))).toContain('hot.db-journal');
  const client = await served.client([dirname(path)]);
  const { facts } = await call(client, 'read_query', { query: 'SELECT DISTINCT a FROM t' });
  expect(facts).toMatchObject({ rows: [[1]] });
});

test.each([false, true])(
  'a query that exceeds its memory limit fails with the reason, and the next one runs (watched by the lane: %s)',
  async (watchMemory) => {
    const client = await served.client([shop], { limits: { watchMemory } });
    const { failed, code } = await call(client, 'read_query', {
      query:
        "SELECT length(group_concat(hex(zeroblob(1000000)), '')) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200) SELECT i FROM n)",
    });
    expect([failed, code]).toEqual([true, watchMemory ? 'lane-ended' : 'too-large']);
    const next = await call(client, 'read_query', { query: 'SELECT 1 AS one' });
    expect(next.facts).toMatchObject({ rows: [[1]] });
  },
);

test('a database that stays locked while it is opened is reported as busy', async () => {
  const locked = database('locked.db', 'CREATE TABLE t (x)');
  const release = await holdOpen(locked, 'SELECT 1', 'BEGIN EXCLUSIVE');
  const query = { query: 'SELECT * FROM t', database: locked };
  const hasty = await served.client([locked], { limits: { deadlineMs: 400, busyMs: 20_000 } });
  expect((await call(hasty, 'read_query', query)).code).toBe('deadline');
  const usual = await served.client([locked], { extra: { 'query-timeout': 1 } });
  expect((await call(usual, 'read_query', query)).code).toBe('busy');
  await release();
});
