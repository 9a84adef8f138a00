import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, database } = scratch();
const usual = oneServer(folder);

const shop = database(
  'shop.db',
  `CREATE TABLE buyer (id INTEGER PRIMARY KEY, town TEXT, name TEXT, born INTEGER);
   CREATE TABLE bill (id INTEGER PRIMARY KEY, buyer_id INTEGER, sum REAL, day TEXT);
   CREATE INDEX bill_day ON bill (day);
   WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO buyer SELECT i, 'town ' || (i % 97), 'name ' || i, 1950 + i % 50 FROM n;
   INSERT INTO bill SELECT id, 1 + (id * 7) % 5000, id % 13, date('2024-01-01', '+' || (id % 300) || ' days') FROM buyer;
   CREATE TABLE few (a, b); INSERT INTO few VALUES (1, 2);
   CREATE VIEW totals AS SELECT buyer_id, sum(sum) AS total FROM bill GROUP BY buyer_id;`,
);

interface Explained {
  plan: { detail: string; steps?: { detail: string }[] }[];
  warnings: { kind: string; table?: string; step: string }[];
  advice?: {
    indexes: { table: string; columns: string[]; sql: string }[];
    before: string[];
    after: string[];
  };
  advised: boolean;
  source: { tables: string[] };
}

test('a plan is a tree, with its slow steps', async () => {
  const client = await usual();
  const { facts, text } = await call<Explained>(client, 'explain_query', {
    query:
      'EXPLAIN QUERY PLAN SELECT b.name, (SELECT count(*) FROM bill AS l WHERE l.buyer_id = b.id) FROM buyer AS b WHERE b.town = ? ORDER BY b.born',
    params: ['town 1'],
  });
  expect(facts.plan).toEqual([
    { detail: 'SCAN b' },
    { detail: 'CORRELATED SCALAR SUBQUERY 1', steps: [{ detail: 'SCAN l' }] },
    { detail: 'USE TEMP B-TREE FOR ORDER BY' },
  ]);
  expect(facts.warnings.map(({ kind, table }) => [kind, table])).toEqual([
    ['full-scan', 'buyer'],
    ['correlated-subquery', undefined],
    ['full-scan', 'bill'],
    ['temp-b-tree', undefined],
  ]);
  expect(facts.source.tables).toEqual(['bill', 'buyer']);
  expect(text).toContain('CORRELATED SCALAR SUBQUERY 1\n  SCAN l\n');
  expect(text).toContain('warning: SCAN b: reads all of buyer, 5000 rows');
});

test('a scan of few rows is not reported, but a fully computed view is', async () => {
  const client = await usual();
  const few = await call<Explained>(client, 'explain_query', { query: 'SELECT * FROM few WHERE a = 1' });
  expect(few.facts.warnings).toEqual([]);
  const view = await call<Explained>(client, 'explain_query', {
    query: 'SELECT * FROM totals ORDER BY total',
  });
  expect(view.facts.warnings.map(({ kind }) => kind)).toContain('view-in-full');
});

test('a statement that writes is explained and not executed, with or without params', async () => {
  const client = await usual();
  const before = statSync(shop).mtimeMs;
  for (const query of [
    'DELETE FROM bill WHERE sum > 0',
    'UPDATE bill SET sum = :sum WHERE day = ?2',
    'INSERT INTO few SELECT id, sum FROM bill WHERE day = ?',
    'WITH d AS (SELECT ? AS x) DELETE FROM few WHERE a IN (SELECT x FROM d)',
  ]) {
    const { facts, failed } = await call<Explained>(client, 'explain_query', { query });
    expect([failed, facts.plan.length > 0]).toEqual([false, true]);
  }
  const { facts } = await call<{ tables: object[] }>(client, 'list_tables');
  expect(facts.tables[0]).toMatchObject({ name: 'bill', rows: 5000 });
  expect(statSync(shop).mtimeMs).toBe(before);
});

test.each([
  ['PRAGMA query_only = OFF', 'refused'],
  ['EXPLAIN PRAGMA query_only = OFF', 'refused'],
  ["ATTACH 'x' AS y", 'refused'],
  ['VACUUM', 'refused'],
  ['CREATE TABLE x (a)', 'refused'],
  ['SELECT 1; SELECT 2', 'multiple-statements'],
  ['SELECT * FROM gone', 'sql'],
])('%s is not explained', async (query, code) => {
  const client = await usual();
  const outcome = await call(client, 'explain_query', { query });
  expect(outcome.code).toBe(code);
});

test.each([
  ['an equality', "SELECT * FROM buyer WHERE town = 'town 5'", [['buyer', ['town']]]],
  [
    'two conditions',
    "SELECT * FROM buyer WHERE town = 'town 5' AND born = 1960",
    [['buyer', [expect.stringMatching(/town|born/), expect.stringMatching(/town|born/)]]],
  ],
  [
    'a condition and an order',
    "SELECT * FROM buyer WHERE town = 'town 5' ORDER BY born LIMIT 10",
    [['buyer', ['town', 'born']]],
  ],
  [
    'a join',
    'SELECT b.name, l.sum FROM buyer AS b JOIN bill AS l ON l.buyer_id = b.id WHERE b.id = 7',
    [['bill', ['buyer_id']]],
  ],
  ['an order with a limit', 'SELECT * FROM buyer ORDER BY name LIMIT 5', [['buyer', ['name']]]],
  ['a deletion', 'DELETE FROM bill WHERE buyer_id = ?', [['bill', ['buyer_id']]]],
  ['a condition through a view', 'SELECT * FROM totals WHERE buyer_id = 3', [['bill', ['buyer_id']]]],
])('for %s the index that helps is advised', async (_, query, indexes) => {
  const client = await usual();
  const { facts, text } = await call<Explained>(client, 'explain_query', { query, advise: true });
  expect(facts.advice?.indexes.map(({ table, columns }) => [table, columns])).toEqual(indexes);
  const { sql } = facts.advice!.indexes[0]!;
  expect(text).toContain(sql);
});

test('if no index helps, none is advised', async () => {
  const client = await usual();
  for (const query of [
    'SELECT * FROM buyer',
    'SELECT * FROM bill WHERE id = 3',
    "SELECT * FROM bill WHERE day = '2024-02-01'",
    'SELECT * FROM few WHERE a = 1',
    'SELECT name FROM buyer',
  ]) {
    const { facts, text } = await call<Explained>(client, 'explain_query', { query, advise: true });
    expect([query, facts.advice, facts.advised]).toEqual([query, undefined, true]);
    expect(text).toContain('advice: no index');
  }
});

test('the planner uses advised indexes in the database itself, and advising does not change the file', async () => {
  const own = scratch();
  const path = own.database(
    'own.db',
    `CREATE TABLE "odd ""name" ("a b" TEXT NOT NULL CHECK (length("a b") > 0), g AS (upper("a b")) STORED, c INTEGER, UNIQUE (c));
     CREATE TRIGGER never BEFORE INSERT ON "odd ""name" BEGIN SELECT RAISE(ABORT, 'no'); END;`,
  );
  const db = own.open(path);
  db.exec(`DROP TRIGGER never;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO "odd ""name" ("a b", c) SELECT 'v' || (i % 1000), i FROM n;
    CREATE TRIGGER never BEFORE INSERT ON "odd ""name" BEGIN SELECT RAISE(ABORT, 'no'); END;`);
  const before = statSync(path).mtimeMs;
  const client = await served.client([path]);
  const query = `SELECT * FROM "odd ""name" AS o WHERE o."a b" = 'v7' ORDER BY o.c`;
  const { facts } = await call<Explained>(client, 'explain_query', { query, advise: true });
  expect(facts.advice!.indexes).toEqual([
    {
      table: 'odd "name',
      columns: ['a b', 'c'],
      sql: 'CREATE INDEX "odd_name_a_b_c" ON "odd ""name" ("a b", "c")',
    },
  ]);
  expect(statSync(path).mtimeMs).toBe(before);
  db.exec(facts.advice!.indexes[0]!.sql);
  const after = db.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[];
  expect(after.map(({ detail }) => detail)).toEqual(facts.advice!.after);
});
