import { expect, test } from 'vitest';
import { call } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const { folder, database, write, open } = scratch();
const client = oneServer(folder);

async function running(name: string, script: string, sql = '') {
  const path = database(name, sql);
  const file = write(`${name}.sql`, script);
  const outcome = await call(await client(), 'import_data', { path: file, database: path });
  const schema = () => open(path).prepare('SELECT name FROM sqlite_schema ORDER BY name').pluck().all();
  return { ...outcome, path, schema };
}

test.each([
  ['PRAGMA writable_schema=ON'],
  ["ATTACH 'other.db' AS o"],
  ["VACUUM INTO 'copy.db'"],
  ['SAVEPOINT s'],
  ['ROLLBACK'],
  ['EXPLAIN SELECT 1'],
  ["SELECT load_extension('x')"],
  ['CREATE TEMP TABLE x (y)'],
])('%s ends the import with its line, and nothing stays', async (statement) => {
  const { code, text, schema } = await running(
    'refused.db',
    `CREATE TABLE a${Math.abs(statement.length)} (x);\n${statement};\nCREATE TABLE b (x);`,
  );
  expect([code, text.startsWith('line 2: '), schema()]).toEqual(['refused', true, []]);
});

test('the failing statement is reported with its line, and the script is rolled back', async () => {
  const { text, schema } = await running(
    'fails.db',
    'CREATE TABLE t (x UNIQUE);\nINSERT INTO t VALUES (1);\n\nINSERT INTO t VALUES (1);',
  );
  expect([text.split('\n')[0], schema()]).toEqual(['line 4: UNIQUE constraint failed: t.x', []]);
});

test('tables may precede the tables they reference, and violated foreign keys at the end fail', async () => {
  const tables =
    'CREATE TABLE child (p REFERENCES parent(id)); INSERT INTO child VALUES (1); CREATE TABLE parent (id INTEGER PRIMARY KEY);';
  const good = await running(
    'keys.db',
    `BEGIN TRANSACTION;\n${tables} INSERT INTO parent VALUES (1);\nCOMMIT;`,
  );
  expect(good.facts).toMatchObject({ inserted: 2, statements: 4, committed: true });
  const bad = await running('broken.db', tables);
  expect([bad.code, bad.schema()]).toEqual(['constraint', []]);
});

test('deleted rows are counted, also those of a RETURNING', async () => {
  const { facts, text } = await running(
    'counts.db',
    'DELETE FROM t WHERE x < 3; UPDATE t SET x = 9 WHERE x = 3; INSERT INTO t VALUES (7) RETURNING x; DELETE FROM t WHERE x = 7 RETURNING x;',
    'CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3)',
  );
  expect(facts).toMatchObject({ inserted: 1, updated: 1, deleted: 3 });
  expect(text.split('\n')[0]).toBe('4 statements on t: 1 inserted, 1 updated, 3 deleted');
});

test('the undo point of a script restores the database, and an empty database has none', async () => {
  const { facts, text, path } = await running(
    'undone.db',
    'DELETE FROM t; DROP TABLE u;',
    'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE TABLE u (b)',
  );
  const { point } = facts.undo as { point: string };
  expect([facts.deleted, text.includes(`restore_database {"undo_point":"${point}"}`)]).toEqual([2, true]);
  await call(await client(), 'restore_database', { undo_point: point, database: path });
  expect(open(path).prepare('SELECT count(*) FROM t, sqlite_schema').pluck().get()).toBe(4);
  const fresh = await running('fresh.db', 'CREATE TABLE t (a)');
  expect([fresh.failed, 'undo' in fresh.facts]).toEqual([false, false]);
});
