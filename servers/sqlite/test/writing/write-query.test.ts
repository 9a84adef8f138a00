import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { of, over } from './over.ts';

const served = new Served();
const people = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
  INSERT INTO person (name, age) VALUES ('ada', 36), ('bob', 20), ('eve', 30);
`;

test('an insert reports the number of rows and the last rowid', async () => {
  const { write, rows } = await over(served, 'CREATE TABLE t (a)');
  const { facts, text } = await write('INSERT INTO t VALUES (?), (?)', { params: [1, 'two'] });
  expect(facts).toMatchObject({
    committed: true,
    changes: 2,
    last_insert_rowid: 2,
    tables: [of('t', { inserted: 2 })],
    ddl: false,
    truncated: false,
  });
  expect(text).toBe('committed: 2 changed\nt: 2 inserted\nlast rowid: 2');
  expect(rows('SELECT a, typeof(a) FROM t')).toEqual([
    [1, 'integer'],
    ['two', 'text'],
  ]);
});

test('REPLACE and an insert after WITH are committed, unlike in the archived server', async () => {
  const { write, rows } = await over(served, people);
  expect((await write("REPLACE INTO person VALUES (1, 'ann', 1)")).facts.committed).toBe(true);
  await write("WITH new (name) AS (VALUES ('zoe')) INSERT INTO person (name) SELECT name FROM new");
  expect(rows('SELECT name FROM person ORDER BY id')).toEqual([['ann'], ['bob'], ['eve'], ['zoe']]);
});

test('a dry run reports the effects and changes nothing', async () => {
  const { write, rows } = await over(served, people);
  const { facts, text } = await write('DELETE FROM person WHERE age < 35 RETURNING name', { dry_run: true });
  expect(facts).toMatchObject({
    committed: false,
    changes: 2,
    tables: [of('person', { deleted: 2 })],
    rows: [['bob'], ['eve']],
  });
  expect(text).toContain('dry run, rolled back');
  expect(rows('SELECT count(*) FROM person')).toEqual([[3]]);
});

test('a dry run of a schema change changes nothing, and the next change uses the real schema', async () => {
  const { write, script, rows, db } = await over(served, `${people} CREATE TABLE seen (id)`);
  const insert = "INSERT INTO person (name) VALUES ('x')";
  const { facts } = await script(`CREATE TABLE other AS SELECT 1 AS one; ${insert}`, { dry_run: true });
  expect(facts).toMatchObject({
    committed: false,
    ddl: true,
    tables: [of('other', { inserted: 1 }), of('person', { inserted: 1 })],
  });
  // another program creates another table, so that the schema has the same version
  db.exec('CREATE TRIGGER grows AFTER INSERT ON person BEGIN INSERT INTO seen VALUES (new.id); END');
  const after = await write(insert);
  expect(after.facts.tables).toEqual([of('person', { inserted: 1 }), of('seen', { inserted: 1 })]);
  expect((await write('INSERT INTO other VALUES (1)')).code).toBe('sql');
  expect(rows('SELECT id FROM seen')).toEqual([[4]]);
});

test("callers cannot use the server's objects in the temporary schema", async () => {
  const { write, script } = await over(served, people);
  await write("INSERT INTO person (name) VALUES ('x')");
  for (const sql of [
    'INSERT INTO person (name) SELECT name FROM temp.sqlite_schema',
    'DELETE FROM "rootbound rowid" WHERE 1',
  ])
    expect((await write(sql)).code).toBe('refused');
  expect((await script('SELECT * FROM temp.sqlite_schema')).code).toBe('refused');
});

test('a dry run lists the foreign keys that a commit would violate', async () => {
  const { write } = await over(
    served,
    `CREATE TABLE a (id INTEGER PRIMARY KEY);
     CREATE TABLE b (a INTEGER REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED)`,
  );
  const dry = await write('INSERT INTO b VALUES (5)', { dry_run: true });
  expect(dry.facts.foreign_key_violations).toEqual(['b row 1: no such row in a']);
  const real = await write('INSERT INTO b VALUES (5)');
  expect([real.failed, real.code]).toEqual([true, 'constraint']);
});

test('a change that touches more rows than allowed is rolled back, and their number is reported', async () => {
  const { write, rows } = await over(
    served,
    `${people} CREATE TABLE log (said);
     CREATE TRIGGER told AFTER DELETE ON person BEGIN INSERT INTO log VALUES (old.name); END`,
  );
  const over3 = await write('DELETE FROM person WHERE age < 35', { max_changes: 3 });
  expect([over3.code, over3.text]).toEqual([
    'too-many-changes',
    expect.stringContaining('rows touched: 4, but max_changes is 3'),
  ]);
  expect(rows('SELECT count(*) FROM person')).toEqual([[3]]);
  expect((await write('DELETE FROM person WHERE age < 35', { max_changes: 4 })).facts.changes).toBe(2);
});

test.each([
  'UPDATE person SET age = 1',
  'DELETE FROM person',
  'WITH w AS (SELECT 1 WHERE 1) DELETE FROM person',
])('without a WHERE and without a word on it nothing happens: %s', async (sql) => {
  const { write, rows } = await over(served, people);
  const { failed, code } = await write(sql);
  expect([failed, code]).toEqual([true, 'needs-confirmation']);
  expect(rows('SELECT sum(age) FROM person')).toEqual([[86]]);
  expect((await write(sql, { dry_run: true })).facts.changes).toBe(3);
  expect((await write(sql, { all_rows: true })).facts.changes).toBe(3);
});

test('if the client can ask, the user decides on a change of every row', async () => {
  const asked: string[] = [];
  let agrees = false;
  const { write, rows } = await over(served, people, {
    elicitation: ({ message }) => {
      asked.push(message);
      return agrees ? { action: 'accept', content: { sure: true } } : { action: 'decline' };
    },
  });
  expect((await write('DELETE FROM person')).code).toBe('declined');
  expect(rows('SELECT count(*) FROM person')).toEqual([[3]]);
  agrees = true;
  await write('DELETE FROM person');
  expect(asked).toEqual(Array.from({ length: 2 }, () => 'Change every row of the table? DELETE FROM person'));
});

test('RETURNING returns exact rows, and of many the first ones', async () => {
  const { write } = await over(served, people);
  const some = await write(
    "INSERT INTO person (name, age) VALUES ('x', 9007199254740993) RETURNING age, name, NULL",
  );
  expect(some.facts).toMatchObject({
    columns: [{ name: 'age', table: 'person', type: 'INTEGER' }, { name: 'name' }, { name: 'NULL' }],
    rows: [[{ $int: '9007199254740993' }, 'x', null]],
    row_count: 1,
    truncated: false,
  });
  const many = await write(`INSERT INTO person (name) SELECT 'n' || value FROM json_each(?) RETURNING name`, {
    params: [JSON.stringify(Array.from({ length: 5_000 }, (_, i) => i))],
  });
  expect(many.facts).toMatchObject({ changes: 5_000, row_count: 5_000, truncated: true });
  expect(many.facts.rows).toHaveLength(200);
  expect(many.text).toContain('[200 of 5000 rows]');
});

test('a schema change is reported', async () => {
  const { write } = await over(served, people);
  const { facts, text } = await write('ALTER TABLE person ADD COLUMN mail TEXT');
  expect(facts).toMatchObject({
    ddl: true,
    schema_changes: { added: [], removed: [], changed: [{ type: 'table', name: 'person' }] },
  });
  expect(text).toBe('committed\nschema: changed table person');
});

test('create_table creates tables only', async () => {
  const { path } = await over(served, people);
  const client = await served.client([path]);
  const made = await call(client, 'create_table', { query: 'CREATE TABLE IF NOT EXISTS more (a)' });
  expect(made.failed).toBe(false);
  const other = await call(client, 'create_table', { query: 'CREATE VIEW v AS SELECT 1' });
  expect([other.failed, other.code]).toEqual([true, 'refused']);
  const tools = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('create_table');
});

test.each([
  ['a query', 'SELECT 1'],
  ['a pragma', 'PRAGMA user_version = 3'],
  ['a transaction', 'BEGIN'],
  ['a temporary table', 'CREATE TEMP TABLE t (a)'],
  ['two statements', 'DELETE FROM person WHERE id = 1; DELETE FROM person WHERE id = 2'],
  ['another file', "ATTACH 'x.db' AS x"],
])('%s is refused, and nothing has happened', async (_what, sql) => {
  const { write, rows } = await over(served, people);
  expect((await write(sql)).failed).toBe(true);
  expect(rows('SELECT count(*), (SELECT user_version FROM pragma_user_version) FROM person')).toEqual([
    [3, 0],
  ]);
});

test('a database in a read-only root is neither changed nor opened for writing', async () => {
  const { path, folder } = await over(served, people);
  const before = statSync(path).mtimeMs;
  const client = await served.client([{ path: folder, readOnly: true }]);
  const { failed, code } = await call(client, 'write_query', { query: 'DELETE FROM person WHERE id = 1' });
  expect([failed, code, statSync(path).mtimeMs]).toEqual([true, 'read-only', before]);
});

test('a failing statement changes nothing, also with OR FAIL or OR ROLLBACK', async () => {
  const { write, rows } = await over(served, people);
  for (const how of ['FAIL', 'ROLLBACK', 'ABORT']) {
    const { code } = await write(`INSERT OR ${how} INTO person VALUES (8, 'x', 1), (1, 'y', 1)`);
    expect(code).toBe('constraint');
  }
  expect(rows('SELECT count(*) FROM person')).toEqual([[3]]);
  expect((await write("INSERT INTO person VALUES (8, 'x', 1)")).facts.changes).toBe(1);
});

test.each([
  'CREATE TABLE IF NOT EXISTS person (other)',
  'CREATE TABLE IF NOT EXISTS person AS SELECT 1',
  'CREATE VIEW IF NOT EXISTS old AS SELECT 1',
  'CREATE INDEX IF NOT EXISTS by_name ON person (name)',
  'CREATE TRIGGER IF NOT EXISTS grows AFTER INSERT ON person BEGIN SELECT 1; END',
  'CREATE VIRTUAL TABLE IF NOT EXISTS note USING fts5(body)',
  'DROP TABLE IF EXISTS none',
  'DROP VIEW IF EXISTS none',
  'DROP INDEX IF EXISTS none',
  'DROP TRIGGER IF EXISTS none',
])('%s with nothing to do is no failure', async (sql) => {
  const { write, script, rows } = await over(
    served,
    `${people} CREATE VIEW old AS SELECT * FROM person; CREATE INDEX by_name ON person (name);
     CREATE TRIGGER grows AFTER INSERT ON person BEGIN SELECT 1; END; CREATE VIRTUAL TABLE note USING fts5(body)`,
  );
  const schema = rows('SELECT * FROM sqlite_schema');
  const { failed, facts, text } = await write(sql);
  expect([text, failed, facts?.committed]).toEqual([text, false, true]);
  expect((await script(`${sql}; SELECT 1`)).failed).toBe(false);
  expect(rows('SELECT * FROM sqlite_schema')).toEqual(schema);
});

test('rows changed only by a trigger of a view are reported', async () => {
  const { write } = await over(
    served,
    `${people} CREATE VIEW adult AS SELECT * FROM person WHERE age > 17;
     CREATE TRIGGER adds INSTEAD OF INSERT ON adult BEGIN INSERT INTO person (name) VALUES (new.name); END`,
  );
  const { facts, text } = await write("INSERT INTO adult (name) VALUES ('zoe')");
  expect(facts).toMatchObject({ changes: 0, tables: [of('person', { inserted: 1 })] });
  expect(text).toBe('committed: 0 changed by the statement itself\nperson: 1 inserted');
});

test('adding a column to a STRICT table with rows returns no rows', async () => {
  const { write } = await over(served, 'CREATE TABLE t (a TEXT) STRICT; INSERT INTO t VALUES (1)');
  const { facts, text } = await write('ALTER TABLE t ADD COLUMN b TEXT');
  expect([facts.committed, 'columns' in facts, text.includes('quick_check')]).toEqual([true, false, false]);
});
