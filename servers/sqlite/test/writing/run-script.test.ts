import { expect, test } from 'vitest';
import { Served } from '../harness.ts';
import { of, over } from './over.ts';

const served = new Served();
const stock = `
  CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
  CREATE TABLE thing (id INTEGER PRIMARY KEY, place INTEGER NOT NULL REFERENCES place (id));
  INSERT INTO place (name) VALUES ('here'), ('there');
  INSERT INTO thing (place) VALUES (1), (1), (2);
`;

test('statements run in order, and the effects of each are reported', async () => {
  const { script, rows } = await over(served, stock);
  const { facts, text } = await script(`
    INSERT INTO place (name) VALUES ('attic; with a semicolon');
    SELECT count(*) AS n FROM place; -- between
    UPDATE thing SET place = 3 WHERE place = 1;
    DELETE FROM place WHERE id = 1
    RETURNING name;
  `);
  expect(facts).toMatchObject({
    committed: true,
    changes: 4,
    tables: [of('place', { inserted: 1, deleted: 1 }), of('thing', { updated: 2 })],
    statements: [
      { index: 1, line: 2, action: 'INSERT', changes: 1, last_insert_rowid: 3 },
      { index: 2, line: 3, action: 'SELECT', changes: 0, rows: [[3]] },
      { index: 3, line: 4, action: 'UPDATE', changes: 2 },
      { index: 4, line: 5, action: 'DELETE', changes: 1, rows: [['here']] },
    ],
    total: 4,
    truncated: false,
  });
  expect(text).toContain('committed: 4 statements, 4 changed');
  expect(rows('SELECT name FROM place ORDER BY id')).toEqual([['there'], ['attic; with a semicolon']]);
});

test('if one statement fails it is named, and nothing is changed', async () => {
  const { script, rows } = await over(served, stock);
  const { failed, code, text } = await script(
    "INSERT INTO place (name) VALUES ('x');\nCREATE TABLE extra (a);\n\nINSERT INTO place (name) VALUES ('here');",
  );
  expect([failed, code]).toEqual([true, 'constraint']);
  expect(text).toContain('statement 3 of 3 (line 4): UNIQUE constraint failed: place.name');
  expect(text).toContain('nothing was changed');
  expect(
    rows("SELECT count(*), (SELECT count(*) FROM sqlite_schema WHERE name = 'extra') FROM place"),
  ).toEqual([[2, 0]]);
});

test('a trigger is one statement, and fires for those after it', async () => {
  const { script } = await over(served, stock);
  const { facts } = await script(`
    CREATE TABLE log (said);
    CREATE TRIGGER t AFTER INSERT ON place BEGIN
      INSERT INTO log VALUES ('1');
      INSERT INTO log VALUES ('2');
    END;
    INSERT INTO place (name) VALUES ('new');
  `);
  expect(facts.statements).toHaveLength(3);
  expect(facts.tables).toEqual([of('log', { inserted: 2 }), of('place', { inserted: 1 })]);
});

test('a migration has the same effects in a dry run and when applied', async () => {
  const { script, rows } = await over(served, stock);
  const migration = `
    CREATE TABLE room (id INTEGER PRIMARY KEY, name TEXT UNIQUE, floor INTEGER DEFAULT 0);
    INSERT INTO room (id, name) SELECT id, name FROM place;
    ALTER TABLE place RENAME TO old_place;
    CREATE INDEX by_floor ON room (floor);
  `;
  const before = rows('SELECT * FROM sqlite_schema');
  const plan = await script(migration, { dry_run: true });
  expect(plan.facts).toMatchObject({
    committed: false,
    ddl: true,
    integrity: 'ok',
    schema_changes: {
      added: [{ name: 'old_place' }, { name: 'room' }, { name: 'by_floor' }],
      removed: [{ name: 'place' }],
      changed: [{ name: 'thing' }],
    },
  });
  expect(plan.facts.foreign_key_violations).toBeUndefined();
  expect(rows('SELECT * FROM sqlite_schema')).toEqual(before);
  const done = await script(migration);
  expect(done.facts.schema_changes).toEqual(plan.facts.schema_changes);
  expect(rows('SELECT name FROM room ORDER BY id')).toEqual([['here'], ['there']]);
});

test('a migration that would violate foreign keys is rolled back', async () => {
  const { script, rows } = await over(served, stock);
  const migration =
    'ALTER TABLE place RENAME TO gone; CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO place SELECT * FROM gone WHERE id = 1; DROP TABLE gone';
  const { failed } = await script(migration);
  expect(failed).toBe(true);
  expect(rows('SELECT count(*) FROM place')).toEqual([[2]]);
});

test('a referenced table is rebuilt with foreign keys checked at the end only', async () => {
  const { script, rows, write } = await over(served, stock);
  const rebuild = `
    CREATE TABLE new_place (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ''));
    INSERT INTO new_place SELECT * FROM place;
    DROP TABLE place;
    ALTER TABLE new_place RENAME TO place;
  `;
  expect((await script(rebuild)).code).toBe('constraint');
  const { facts } = await script(rebuild, { keys_at_end: true });
  expect([facts.committed, rows('SELECT place FROM thing')]).toEqual([true, [[1], [1], [2]]]);
  const lossy = rebuild.replace('FROM place', 'FROM place WHERE id = 1');
  const refused = await script(lossy, { keys_at_end: true });
  expect([refused.code, refused.text.includes('thing row 3: no such row in place')]).toEqual([
    'constraint',
    true,
  ]);
  // from then on foreign keys are enforced again
  expect((await write('INSERT INTO thing (place) VALUES (99)')).code).toBe('constraint');
});

test('a statement that ran without foreign keys is counted with them the next time', async () => {
  const { script, write } = await over(
    served,
    'CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a (id) ON DELETE CASCADE)',
  );
  const remove = 'DELETE FROM a WHERE id = 4';
  await script(remove, { keys_at_end: true });
  await script('INSERT INTO a VALUES (4); INSERT INTO b VALUES (4)');
  const { facts } = await write(remove);
  expect(facts.tables).toEqual([of('a', { deleted: 1 }), of('b', { deleted: 1 })]);
});

test('foreign keys that a rebuilt table violates are listed by a dry run and refused by a commit', async () => {
  const { script, rows } = await over(served, stock);
  const migration = `
    CREATE TABLE spot (id INTEGER PRIMARY KEY);
    CREATE TABLE part (id INTEGER PRIMARY KEY, place INTEGER REFERENCES spot (id) DEFERRABLE INITIALLY DEFERRED);
    INSERT INTO part (place) VALUES (7);
  `;
  const plan = await script(migration, { dry_run: true });
  expect(plan.facts.foreign_key_violations).toEqual(['part row 1: no such row in spot']);
  const real = await script(migration);
  expect([real.code, real.text]).toEqual([
    'constraint',
    expect.stringContaining('part row 1: no such row in spot'),
  ]);
  expect(rows("SELECT count(*) FROM sqlite_schema WHERE name IN ('part', 'spot')")).toEqual([[0]]);
});

test.each([
  ['BEGIN; DELETE FROM thing WHERE id = 1; COMMIT', 'refused'],
  ['DELETE FROM thing WHERE id = 1; PRAGMA foreign_keys = OFF', 'refused'],
  ["DELETE FROM thing WHERE id = 1; ATTACH 'x.db' AS x", 'refused'],
  ['DELETE FROM thing WHERE id = 1; CREATE TEMP TABLE x (a)', 'refused'],
  ['DELETE FROM thing WHERE id = 1; DELETE FROM place', 'needs-confirmation'],
  ['DELETE FROM thing WHERE id = 1; nonsense', 'refused'],
  [' ; -- nothing', 'empty-statement'],
])('nothing of this script happens: %s', async (sql, code) => {
  const { script, rows } = await over(served, stock);
  expect((await script(sql)).code).toBe(code);
  expect(rows('SELECT count(*) FROM thing')).toEqual([[3]]);
});

test('a script that touches more rows than allowed is rolled back', async () => {
  const { script, rows } = await over(served, stock);
  const sql = 'DELETE FROM thing WHERE id = 1; DELETE FROM thing WHERE id = 2';
  expect((await script(sql, { max_changes: 1 })).code).toBe('too-many-changes');
  expect(rows('SELECT count(*) FROM thing')).toEqual([[3]]);
});

test('of a script with many statements as many are listed as fit, and all of them run', async () => {
  const { script, rows } = await over(served, 'CREATE TABLE t (a)', { maxOutput: 4_096 });
  const { facts, result, text } = await script('INSERT INTO t VALUES (1);\n'.repeat(300));
  expect(facts).toMatchObject({ changes: 300, total: 300, truncated: true });
  expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(4_096);
  expect(text.length).toBeLessThanOrEqual(4_096);
  expect(rows('SELECT count(*) FROM t')).toEqual([[300]]);
});

test('the result of a script that creates hundreds of tables stays within the limit', async () => {
  const { script, rows } = await over(served, '', { maxOutput: 2_000 });
  const making = Array.from({ length: 300 }, (_, index) => `CREATE TABLE made_${index} (a);`).join('\n');
  const { facts, text } = await script(making);
  expect(facts).toMatchObject({ committed: true, ddl: true, total: 300, truncated: true });
  expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(2_000);
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(2_000);
  expect(rows("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'made%'")).toEqual([[300]]);
  expect((await script('SELECT 1')).text).toContain('committed: 1 statement, ');
});
