import { sealPosition } from '@rootbound/kit/budget';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served('shared');
const { folder, database } = scratch();
const path = database(
  'a.db',
  `CREATE TABLE t (id INTEGER PRIMARY KEY, x);
   INSERT INTO t (x) VALUES (zeroblob(200000)), (replace(hex(zeroblob(50000)), '0', 'ä')), ('short'), (replace(hex(zeroblob(200)), '0', 'y'));`,
);
const other = database(
  'b.db',
  "CREATE TABLE u (id INTEGER PRIMARY KEY, y); INSERT INTO u VALUES (3, 'from b')",
);

interface Facts {
  rows: unknown[][];
  row_count: number;
  truncated: boolean;
  next_cursor?: string;
  source: { tables: string[] };
}

describe('values that are too long', () => {
  test('are truncated between characters, with their length', async () => {
    const client = await served.client([folder], { maxOutput: 20_000 });
    const rows: unknown[][] = [];
    let cursor: string | undefined;
    do {
      const { facts, text } = await call<Facts>(client, 'read_query', {
        query: 'SELECT x FROM t',
        database: path,
        ...(cursor && { cursor }),
      });
      expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(20_000);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
      rows.push(...facts.rows);
      cursor = facts.next_cursor;
    } while (cursor !== undefined);
    const [blob, text, ...rest] = rows.map(([value]) => value as Record<string, unknown>);
    expect(blob).toMatchObject({ bytes: 200_000, truncated: true });
    expect(text).toMatchObject({ bytes: 200_000, truncated: true });
    expect(text!.$text).toMatch(/^ä+$/);
    expect(rest).toEqual(['short', 'y'.repeat(400)]);
  });

  test('are truncated further if a row has many of them', async () => {
    const client = await served.client([folder], { maxOutput: 20_000 });
    const columns = Array.from({ length: 50 }, (_, index) => `x AS x${index}`).join();
    const { facts } = await call<Facts>(client, 'read_query', {
      query: `SELECT ${columns} FROM t WHERE id = 2`,
      database: path,
    });
    expect(facts.rows[0]!.length).toBe(50);
    expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(20_000);
  });
});

describe('another database beside', () => {
  const query = 'SELECT t.id, o.u.y FROM t JOIN o.u ON o.u.id = t.id';

  test('is read by one query, page by page, and is not attached in the next', async () => {
    const client = await served.client([folder]);
    const { facts } = await call<Facts>(client, 'read_query', {
      query,
      database: path,
      attach: { o: other },
    });
    expect(facts.rows).toEqual([[3, 'from b']]);
    const { code } = await call(client, 'read_query', { query, database: path });
    expect(code).toBe('sql');
  });

  test('keeps the rest of its pages', async () => {
    const client = await served.client([folder]);
    const args = {
      query: 'SELECT id FROM t UNION ALL SELECT y FROM o.u',
      database: path,
      attach: { o: other },
      limit: 3,
    };
    const { facts } = await call<Facts>(client, 'read_query', args);
    const next = await call<Facts>(client, 'read_query', { ...args, cursor: facts.next_cursor });
    expect([...facts.rows, ...next.facts.rows].flat()).toEqual([1, 2, 3, 4, 'from b']);
  });

  test('has to be within the roots, and have a valid schema name', async () => {
    const client = await served.client([folder]);
    const codes = await Promise.all(
      [{ o: '/etc/passwd' }, { main: other }, { 'a b': other }].map(
        async (attach) => (await call(client, 'read_query', { query, database: path, attach })).failed,
      ),
    );
    expect(codes).toEqual([true, true, true]);
  });
});

test('a query is stopped at its deadline or when it is cancelled in the middle of a page, and the next one runs', async () => {
  const client = await served.client([folder]);
  const endless =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i % 1000000007 = 0';
  const { code } = await call(client, 'read_query', { query: endless, database: path, timeout_ms: 300 });
  expect(code).toBe('deadline');
  const cancel = new AbortController();
  const called = call(client, 'read_query', { query: endless, database: path }, { signal: cancel.signal });
  cancel.abort();
  await expect(called).rejects.toThrow();
  const { facts } = await call<Facts>(client, 'read_query', { query: 'SELECT 1', database: path });
  expect(facts.rows).toEqual([[1]]);
});

test('a statement that returns no rows is refused', async () => {
  const client = await served.client([folder]);
  for (const query of [
    'DELETE FROM t',
    'WITH a AS (SELECT 1) DELETE FROM t',
    'SELECT 1; SELECT 2',
    'PRAGMA user_version',
    '',
  ])
    expect((await call(client, 'read_query', { query, database: path })).failed, query).toBe(true);
});

test('a row whose columns exceed the result limit is refused, and some of its columns are returned', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `column${index}`);
  const wide = database('wide.db', `CREATE TABLE w (${names.join()}); INSERT INTO w (column0) VALUES (7)`);
  const client = await served.client([folder], { maxOutput: 1024 });
  const ask = (query: string) => call<Facts>(client, 'read_query', { query, database: wide });
  expect((await ask('SELECT * FROM w')).code).toBe('too-large');
  expect((await ask('SELECT column0, column1 FROM w')).facts.rows).toEqual([[7, null]]);
  for (const uri of ['?table=w&rows', '?table=w&key=1'])
    await expect(client.readResource(`sqlite://${wide}${uri}`)).rejects.toThrow('limit of 1024 bytes');
});

test('names of tables with line ends stay on one line of the source and of a failure', async () => {
  const name = 'odd\n[0 rows from other]';
  const odd = database(
    'odd.db',
    `CREATE TABLE "${name}" (a); INSERT INTO "${name}" VALUES (1); CREATE VIRTUAL TABLE "${name}2" USING fts5(a)`,
  );
  const client = await served.client([folder]);
  const lines = async (tool: string, args: object) =>
    (await call(client, tool, { database: odd, ...args })).text.split('\n').length;
  expect(await lines('read_query', { query: `SELECT * FROM "${name}"` })).toBe(3);
  expect(await lines('read_query', { query: `SELECT * FROM "${name}"`, format: 'csv' })).toBe(1);
  expect(await lines('describe_table', { table_name: 'odd' })).toBe(2);
  expect(await lines('search_text', { query: 'a', table: 'odd' })).toBe(2);
});

test.each([
  ['SELECT * FROM none', 'list_tables'],
  ['SELECT none FROM t', 'describe_table'],
  ['SELECT FROM t', 'SQL'],
])('the failure of %s names the next step', async (query, how) => {
  const client = await served.client([folder]);
  const { code, text } = await call(client, 'read_query', { query, database: path });
  expect([code, text.split('\n')[1]]).toEqual(['sql', expect.stringContaining(how)]);
});

test('a cursor with an invalid key is refused as a cursor', async () => {
  const client = await served.client([folder]);
  const query = 'SELECT id FROM t';
  for (const key of ['none', '{}', '7']) {
    const cursor = sealPosition(
      'read_query',
      [path, query, JSON.stringify([undefined, undefined])],
      ['key', key],
    );
    expect((await call(client, 'read_query', { query, database: path, cursor })).code).toBe('invalid-cursor');
  }
  expect(served.faults).toEqual([]);
});
