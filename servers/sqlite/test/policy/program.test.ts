import { expect, test } from 'vitest';
import { inspect } from '../../src/lane/policy/inspect.ts';
import { assertAllowed } from '../../src/lane/policy/policy.ts';
import { LaneError } from '../../src/shared/error.ts';
import type { Mode } from '../../src/shared/frames.ts';
import { scratch } from '../scratch.ts';
import { connected } from './connected.ts';

const { database, open } = scratch();
const shop = database(
  'shop.db',
  `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT CHECK (length(name) < 90), price REAL);
   CREATE INDEX item_name ON item (name);
   CREATE TABLE sale (id INTEGER PRIMARY KEY AUTOINCREMENT, item REFERENCES item ON DELETE CASCADE);
   CREATE TABLE audit (what TEXT, at TEXT DEFAULT (datetime('now')));
   CREATE TABLE keyed (code TEXT PRIMARY KEY, n INT) WITHOUT ROWID;
   CREATE VIEW dear AS SELECT name FROM item WHERE price > 10;
   CREATE VIEW tags AS SELECT item.id, value FROM item, json_each(item.name);
   CREATE TRIGGER sold AFTER INSERT ON sale BEGIN INSERT INTO audit (what) VALUES (new.item); END;
   CREATE TRIGGER priced INSTEAD OF UPDATE ON dear BEGIN UPDATE item SET name = new.name WHERE name = old.name; END;
   CREATE VIRTUAL TABLE note USING fts5(body);
   CREATE VIRTUAL TABLE old USING fts4(body);
   CREATE VIRTUAL TABLE box USING rtree(id, x0, x1);
   CREATE TRIGGER noted AFTER DELETE ON audit BEGIN INSERT INTO note VALUES (old.what); END;
   INSERT INTO item (name, price) VALUES ('["a"]', 1), ('["b"]', 20)`,
);

interface Case {
  sql: string;
  reads?: string[];
  writes?: string[];
  ddl?: boolean;
}

const cases: Case[] = [
  { sql: 'SELECT 1' },
  { sql: 'SELECT * FROM item WHERE id = ?', reads: ['item'] },
  {
    sql: 'SELECT name FROM item WHERE name > ?3 AND price < :low AND id = $x OR id = @low',
    reads: ['item'],
  },
  { sql: 'SELECT * FROM "DEAR"', reads: ['item'] },
  { sql: 'SELECT * FROM tags', reads: ['item', 'json_each'] },
  { sql: 'SELECT code FROM keyed', reads: ['keyed'] },
  { sql: 'WITH a AS (SELECT * FROM sale) SELECT count(*) FROM a', reads: ['sale'] },
  { sql: "SELECT snippet(note, 0, '', '', '', 3) FROM note('x')", reads: ['note'] },
  { sql: 'SELECT * FROM old, box', reads: ['box', 'old'] },
  { sql: 'SELECT name FROM sqlite_schema', reads: ['sqlite_schema'] },
  { sql: "SELECT * FROM pragma_table_info('item')", reads: ['pragma_table_info'] },
  { sql: 'INSERT INTO item (name) VALUES (?)', writes: ['item'] },
  {
    sql: 'INSERT INTO sale (item) VALUES (1)',
    reads: ['item', 'sqlite_sequence'],
    writes: ['audit', 'sale', 'sqlite_sequence'],
  },
  { sql: 'DELETE FROM keyed', writes: ['keyed'] },
  { sql: 'DELETE FROM audit', reads: ['audit'], writes: ['audit', 'note'] },
  { sql: 'DELETE FROM item', writes: ['item', 'sale'] },
  { sql: "UPDATE dear SET name = 'x'", writes: ['item'] },
  { sql: "INSERT INTO note (note) VALUES ('rebuild')", writes: ['note'] },
  { sql: 'INSERT INTO box VALUES (1, 2, 3)', writes: ['box'] },
  {
    sql: 'WITH a AS (SELECT 1) DELETE FROM audit WHERE what IN a',
    reads: ['audit'],
    writes: ['audit', 'note'],
  },
  { sql: 'INSERT INTO keyed VALUES (1, 2) ON CONFLICT DO UPDATE SET n = 3 RETURNING n', writes: ['keyed'] },
  { sql: 'CREATE TABLE "new" (a)', writes: ['new'], ddl: true },
  {
    sql: 'CREATE TABLE IF NOT EXISTS copied AS SELECT * FROM item',
    reads: ['item'],
    writes: ['copied'],
    ddl: true,
  },
  { sql: 'CREATE INDEX i ON ITEM (price)', reads: ['item'], writes: ['item'], ddl: true },
  { sql: 'CREATE UNIQUE INDEX main.i ON item (price)', reads: ['item'], writes: ['item'], ddl: true },
  { sql: 'CREATE VIRTUAL TABLE v USING fts5(a)', writes: ['v'], ddl: true },
  { sql: 'CREATE VIEW seen AS SELECT 1', writes: ['seen'], ddl: true },
  { sql: 'CREATE TRIGGER t AFTER UPDATE OF name ON item BEGIN SELECT 1; END', writes: ['item'], ddl: true },
  { sql: 'DROP TABLE keyed', writes: ['keyed'], ddl: true },
  { sql: 'DROP INDEX item_name', writes: ['item'], ddl: true },
  { sql: 'DROP TRIGGER IF EXISTS sold', writes: ['sale'], ddl: true },
  { sql: 'DROP VIEW dear', writes: ['dear'], ddl: true },
  { sql: 'DROP TABLE note', writes: ['note'], ddl: true },
  { sql: 'ALTER TABLE Keyed ADD COLUMN extra CHECK (extra > 1)', writes: ['keyed'], ddl: true },
  { sql: 'ALTER TABLE keyed RENAME TO locked', writes: ['keyed', 'locked', 'sqlite_sequence'], ddl: true },
  { sql: 'ALTER TABLE keyed DROP COLUMN n', writes: ['keyed'], ddl: true },
  { sql: 'ANALYZE item', writes: ['sqlite_stat1', 'sqlite_stat4'], ddl: true },
  { sql: 'REINDEX item_name', writes: ['item'] },
];

test.each(cases)(
  'the tables that a program reads and writes are named: $sql',
  ({ sql, reads, writes = [], ddl = false }) => {
    const connection = connected(shop, 'write');
    const program = inspect(connection, sql);
    assertAllowed(program, 'write');
    if (reads !== undefined) expect(program.readsTables).toEqual(reads);
    expect([program.ddl, program.writesTables]).toEqual([ddl, writes]);
  },
);

test.each(cases)('exactly the statements that write are refused to a reader: $sql', ({ sql, writes }) => {
  const program = inspect(connected(shop), sql);
  if (writes === undefined) assertAllowed(program, 'read');
  else expect(refusedBy(() => assertAllowed(program, 'read'))).toBe('read-only');
});

const never: [sql: string, mode: Mode][] = [
  ["ATTACH 'x.db' AS x", 'write'],
  ['ATTACH ? AS x', 'read'],
  ['VACUUM', 'write'],
  ["VACUUM INTO 'x.db'", 'read'],
  ['BEGIN', 'write'],
  ['SAVEPOINT a', 'write'],
  ['SELECT load_extension(?)', 'read'],
  ["SELECT iif(0, load_extension('x'), 1) FROM item", 'read'],
  ["SELECT fts3_tokenizer('simple')", 'read'],
  ['SELECT optimize(old) FROM old', 'read'],
  ['UPDATE item SET name = (SELECT optimize(old) FROM old)', 'write'],
  ['SELECT rtreecheck(1, 2)', 'read'],
  ['SELECT * FROM pragma_optimize', 'read'],
  ["SELECT * FROM 'pragma_wal_checkpoint'", 'read'],
  ['SELECT * FROM "pragma_journal_mode"', 'read'],
  ['SELECT * FROM fts3tokenize', 'read'],
  ['SELECT * FROM sqlite_temp_schema', 'read'],
  ['CREATE TEMP TABLE x (a)', 'write'],
  ['CREATE TABLE temp.x (a)', 'write'],
  ['CREATE TEMP TRIGGER x AFTER INSERT ON item BEGIN SELECT 1; END', 'write'],
  ['CREATE VIRTUAL TABLE temp.x USING fts5(a)', 'write'],
];

test.each(never)('a program like that of %s is refused', (sql, mode) => {
  const connection = connected(shop, mode);
  expect(['refused', 'SQLITE_ERROR']).toContain(
    refusedBy(() => assertAllowed(inspect(connection, sql), mode)),
  );
});

test('a trigger created by another process is in the next program of the same text', () => {
  const path = database('since.db', 'CREATE TABLE a (x); CREATE TABLE b (x)');
  const connection = connected(path, 'write');
  const reader = connected(path);
  const sql = 'INSERT INTO a VALUES (1)';
  expect([inspect(connection, sql).writesTables, inspect(reader, sql).writesTables]).toEqual([['a'], ['a']]);
  open(path).exec('CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b VALUES (1); END');
  expect([inspect(connection, sql).writesTables, inspect(reader, sql).writesTables]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

test('cached programs are dropped when a transaction is rolled back and another makes as many schema changes', () => {
  const path = database('again.db', 'CREATE TABLE a (x); CREATE TABLE b (x)');
  const connection = connected(path, 'write');
  const sql = 'INSERT INTO a VALUES (1)';
  const trigger = 'CREATE TRIGGER t AFTER DELETE ON a BEGIN INSERT INTO b VALUES (1); END';
  connection.db.exec('BEGIN IMMEDIATE');
  inspect(connection, trigger);
  connection.db.exec(trigger);
  expect(inspect(connection, sql).writesTables).toEqual(['a']);
  connection.db.exec('ROLLBACK');
  connection.db.exec(trigger.replace('DELETE', 'INSERT'));
  expect(inspect(connection, sql).writesTables).toEqual(['a', 'b']);
});

test('a reader may EXPLAIN a change, which is not executed', () => {
  const program = inspect(connected(shop), 'EXPLAIN QUERY PLAN DELETE FROM item');
  assertAllowed(program, 'read');
  expect([program.explains, program.writesTables]).toEqual([true, ['item', 'sale']]);
});

function refusedBy(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof LaneError ? error.code : (error as { code?: string }).code;
  }
}
