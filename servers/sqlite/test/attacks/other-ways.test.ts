import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { checkQueries } from '../../src/canned/check.ts';
import { call, Served } from '../harness.ts';
import { changes, escapesOf } from './escapes.ts';
import { answers, ground } from './ground.ts';

const served = new Served();
const { inside, outside, secret, shop, scratch, seen } = ground();
const escapes = escapesOf({ outside, secret });

/** Calls a tool, asserts that its text contains nothing from outside the roots, and returns whether it failed. */
async function callFails(client: Client, tool: string, args: Record<string, unknown>): Promise<boolean> {
  const { failed, text } = await call(client, tool, { database: shop, ...args });
  expect(text).not.toContain('hidden-word');
  return failed;
}

test('no query of export_data escapes, changes anything or leaves a file', async () => {
  const client = await served.client([inside]);
  const before = seen();
  for (const query of [...escapes, ...changes]) {
    const failed = await callFails(client, 'export_data', { path: join(inside, 'out.csv'), query });
    expect([query, failed]).toEqual([query, true]);
  }
  await answers(client, shop);
  expect(seen()).toEqual(before);
});

test('no statement that escapes writes a result file', async () => {
  const client = await served.client([inside]);
  const before = seen();
  for (const query of [...escapes, ...changes]) {
    const failed = await callFails(client, 'read_query', { query, format: 'ndjson' });
    expect([query, failed]).toEqual([query, true]);
  }
  const resources = await client.listResources();
  expect(resources.filter(({ uri }) => uri.startsWith('sqlite:result/'))).toEqual([]);
  expect(seen()).toEqual(before);
});

/** The statements around a dump, which an import skips, and text without a statement. */
const left =
  /^(?:BEGIN|COMMIT|END|PRAGMA foreign_keys = OFF|-- SELECT\nPRAGMA user_version = 7|--.*|\/\* PRAGMA|)$/;

test('no script of import_data escapes, even after statements that have run', async () => {
  const client = await served.client([inside]);
  const file = join(inside, 'script.sql');
  scratch.write('inside/script.sql', '');
  const before = seen();
  for (const sql of escapes.filter((one) => !left.test(one) && !one.startsWith('SELECT 1;'))) {
    scratch.write('inside/script.sql', `INSERT INTO item (name) VALUES ('new');\n${sql};`);
    const failed = await callFails(client, 'import_data', { path: file });
    expect([sql, failed]).toEqual([sql, true]);
  }
  scratch.write('inside/script.sql', '');
  await answers(client, shop);
  expect(seen()).toEqual(before);
});

const odd = [
  'a"b',
  "a'b",
  'a; DROP TABLE item',
  'item)--',
  '*',
  'x',
  'sqlite_schema',
  '«»',
  '\u0000',
  '[item]',
];

test('SQL in the names of an import is not executed', async () => {
  const client = await served.client([inside]);
  const file = scratch.write('inside/odd.csv', 'id,name\n7,z\n');
  const before = seen();
  for (const name of [...odd, ...escapes]) {
    for (const args of [{ table: name }, { table: 'item', columns: { id: name } }])
      await callFails(client, 'import_data', { path: file, dry_run: true, ...args });
    await callFails(client, 'import_data', { path: file, dry_run: true, create: true, table: name });
    await callFails(client, 'export_data', { path: join(inside, 'none.csv'), table: `${name}?` });
  }
  await answers(client, shop);
  expect(seen()).toEqual(before);
});

test('search_text executes no SQL of its query or table name', async () => {
  const client = await served.client([inside]);
  const before = seen();
  for (const one of [...odd, ...escapes]) {
    await callFails(client, 'search_text', { query: one });
    await callFails(client, 'search_text', { query: one, plain: true });
    await callFails(client, 'search_text', { query: `body : ${one}`, table: 'note' });
    expect(await callFails(client, 'search_text', { query: 'one', table: one })).toBe(true);
  }
  await answers(client, shop);
  expect(seen()).toEqual(before);
});

test('restore_database restores no file outside the roots and executes no code of the restored database', async () => {
  const client = await served.client([inside]);
  const before = seen();
  for (const path of [
    secret,
    join(inside, '../outside/secret.db'),
    `file:${secret}`,
    'undo/../../secret.db',
  ]) {
    expect(await callFails(client, 'restore_database', { path })).toBe(true);
    expect(await callFails(client, 'restore_database', { undo_point: path })).toBe(true);
  }
  expect(seen()).toEqual(before);
  const stolen = join(outside, 'stolen.db');
  const from = scratch.database(
    'inside/hostile.bak',
    `CREATE TABLE item (id INTEGER PRIMARY KEY, name);
     CREATE VIEW loads AS SELECT load_extension('/tmp/x') AS x;
     CREATE TRIGGER spoils AFTER INSERT ON item BEGIN SELECT load_extension('/tmp/x'); END;
     PRAGMA user_version = 7`,
  );
  const hostile = readFileSync(from);
  expect(await callFails(client, 'restore_database', { path: from })).toBe(false);
  expect(await callFails(client, 'read_query', { query: 'SELECT * FROM loads' })).toBe(true);
  expect(await callFails(client, 'write_query', { query: "INSERT INTO item (name) VALUES ('x')" })).toBe(
    true,
  );
  expect(await callFails(client, 'write_query', { query: `VACUUM INTO '${stolen}'` })).toBe(true);
  await answers(client, shop);
  const after = seen();
  expect([after[secret], after[stolen], readFileSync(from)]).toEqual([before[secret], undefined, hostile]);
});

test.each([false, true])('no canned query escapes (write: %s)', async (write) => {
  const queries = escapes.map((sql, index) => ({
    name: `q${index}`,
    description: 'x',
    sql,
    database: shop,
    write,
    parameters: {},
  }));
  const passes = queries.filter((query) => {
    try {
      checkQueries([query], new Set());
      return true;
    } catch {
      // a query that is refused before anything is opened
      return false;
    }
  });
  expect(passes.filter(({ sql }) => /ATTACH|VACUUM|^pragma|BEGIN EXCL|SAVEPOINT/i.test(sql))).toEqual([]);
  const file = scratch.write('queries.json', JSON.stringify({ queries: passes }));
  const client = await served.client([inside], { extra: { queries: file } });
  const before = seen();
  const offered = new Set((await client.listTools()).map(({ name }) => name));
  for (const { name, sql } of passes) {
    if (!offered.has(name)) continue;
    const { failed, text } = await call(client, name, {});
    expect([sql, failed, text.includes('hidden-word')]).toEqual([sql, true, false]);
  }
  await answers(client, shop);
  expect(seen()).toEqual(before);
});
