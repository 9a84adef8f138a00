import { expect, test } from 'vitest';
import { Served } from '../harness.ts';
import { type Counts, of, over } from './over.ts';

const served = new Served();

const shop = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, price REAL);
  CREATE TABLE line (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item (id) ON DELETE CASCADE ON UPDATE CASCADE);
  CREATE TABLE tree (id INTEGER PRIMARY KEY, up INTEGER REFERENCES tree (id) ON DELETE CASCADE);
  CREATE TABLE pair (a, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
  CREATE TABLE strict (id INTEGER PRIMARY KEY, slot INTEGER UNIQUE ON CONFLICT REPLACE) STRICT;
  INSERT INTO item VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3);
  INSERT INTO line (item) VALUES (1), (1), (2);
  INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2), (4, NULL);
  INSERT INTO pair VALUES (1, 1, 'x'), (1, 2, 'y');
  INSERT INTO strict VALUES (1, 10), (2, 20), (3, 30);
`;

const withLog = `${shop}
  CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT, said TEXT);
  CREATE TRIGGER noted AFTER INSERT ON item BEGIN INSERT INTO log (said) VALUES ('+' || new.name); END;
  CREATE TRIGGER gone AFTER DELETE ON item BEGIN INSERT INTO log (said) VALUES ('-' || old.name), ('gone'); END;
`;

const withView = `${shop}
  CREATE VIEW priced AS SELECT name, price FROM item;
  CREATE TRIGGER put INSTEAD OF INSERT ON priced BEGIN
    INSERT OR REPLACE INTO item (name, price) VALUES (new.name, new.price);
    UPDATE pair SET c = new.name WHERE a = 1;
  END;
`;

const withSearch = `${shop}
  CREATE VIRTUAL TABLE docs USING fts5 (body);
  CREATE TRIGGER indexed AFTER INSERT ON item BEGIN INSERT INTO docs VALUES (new.name); END;
`;

const cases: [what: string, schema: string, sql: string, tables: Counts[], changes: number][] = [
  [
    'rows that go by a foreign key',
    shop,
    'DELETE FROM item WHERE id < 3',
    [of('item', { deleted: 2 }), of('line', { deleted: 3 })],
    2,
  ],
  [
    'rows that a foreign key updates',
    shop,
    'UPDATE item SET id = id + 10 WHERE id = 1',
    [of('item', { updated: 1 }), of('line', { updated: 2 })],
    1,
  ],
  [
    'rows of the same table that go with others',
    shop,
    'DELETE FROM tree WHERE id = 1',
    [of('tree', { deleted: 3 })],
    1,
  ],
  [
    'a row that gives way to another one',
    shop,
    "REPLACE INTO item VALUES (9, 'b', 0)",
    [of('item', { inserted: 1, deleted: 1 }), of('line', { deleted: 1 })],
    1,
  ],
  [
    'two rows that give way to one',
    shop,
    "INSERT OR REPLACE INTO item VALUES (1, 'b', 0)",
    [of('item', { inserted: 1, deleted: 2 }), of('line', { deleted: 3 })],
    1,
  ],
  [
    'a row that gives way to an update',
    shop,
    "UPDATE OR REPLACE item SET name = 'b' WHERE id = 3",
    [of('item', { updated: 1, deleted: 1 }), of('line', { deleted: 1 })],
    1,
  ],
  [
    'a row that gives way since the table says so',
    shop,
    'INSERT INTO strict VALUES (4, 10), (5, 50)',
    [of('strict', { inserted: 2, deleted: 1 })],
    2,
  ],
  [
    'replaced rows of a table with triggers, which are not told of them',
    withLog,
    "REPLACE INTO item VALUES (3, 'b', 0)",
    [of('item', { inserted: 1, deleted: 2 }), of('line', { deleted: 1 }), of('log', { inserted: 1 })],
    1,
  ],
  [
    'rows that triggers insert',
    withLog,
    'DELETE FROM item WHERE id = 3',
    [of('item', { deleted: 1 }), of('log', { inserted: 2 })],
    1,
  ],
  [
    'an UPSERT that inserts and updates',
    shop,
    "INSERT INTO item VALUES (1, 'z', 9), (7, 'n', 9) ON CONFLICT (id) DO UPDATE SET price = excluded.price",
    [of('item', { inserted: 1, updated: 1 })],
    2,
  ],
  ['an UPSERT that does nothing', shop, "INSERT INTO item VALUES (1, 'z', 9) ON CONFLICT DO NOTHING", [], 0],
  [
    'rows that are ignored',
    shop,
    "INSERT OR IGNORE INTO item VALUES (1, 'q', 1), (8, 'r', 1)",
    [of('item', { inserted: 1 })],
    1,
  ],
  [
    'rows without a rowid',
    shop,
    "REPLACE INTO pair VALUES (1, 1, 'new'), (2, 2, 'z')",
    [of('pair', { inserted: 2, deleted: 1 })],
    2,
  ],
  [
    'what a trigger makes of an insert into a view',
    withView,
    "INSERT INTO priced VALUES ('a', 5)",
    [of('item', { inserted: 1, deleted: 1 }), of('line', { deleted: 2 }), of('pair', { updated: 2 })],
    0,
  ],
  [
    'a change behind WITH',
    shop,
    'WITH low AS (SELECT id FROM item WHERE price < 2) DELETE FROM item WHERE id IN low',
    [of('item', { deleted: 1 }), of('line', { deleted: 2 })],
    1,
  ],
  ['a whole table that is emptied', shop, 'DELETE FROM strict', [of('strict', { deleted: 3 })], 3],
  ['nothing, when nothing matches', shop, 'UPDATE item SET price = 0 WHERE id = 99', [], 0],
  [
    'rows of a table that is made from a query',
    shop,
    'CREATE TABLE copy AS SELECT * FROM item',
    [of('copy', { inserted: 3 })],
    0,
  ],
  ['no rows of a table that has another name', shop, 'ALTER TABLE item RENAME TO thing', [], 0],
  [
    'rows that go with their table',
    shop,
    'DROP TABLE item',
    [of('item', { deleted: 3 }), of('line', { deleted: 3 })],
    0,
  ],
];

test.each(cases)('a change reports %s', async (_what, schema, sql, tables, changes) => {
  const { write } = await over(served, schema);
  const { facts } = await write(sql, { all_rows: true, undo: false });
  const sorted = [...facts.tables].sort((a, b) => (a.table < b.table ? -1 : 1));
  expect([sorted, facts.changes]).toEqual([tables, changes]);
});

test('a virtual table that a trigger writes is named, and its rows are not counted', async () => {
  const { write } = await over(served, withSearch);
  const { facts, text } = await write("INSERT INTO item VALUES (8, 'word', 1)");
  expect([facts.tables, facts.uncounted]).toEqual([[of('item', { inserted: 1 })], ['docs']]);
  expect(text).toContain('docs: written, rows not counted');
  const direct = await write("INSERT INTO docs VALUES ('x'), ('y')");
  expect(direct.facts.tables).toEqual([of('docs', { inserted: 2 })]);
  await write('CREATE VIEW words AS SELECT body FROM docs');
  await write(
    'CREATE TRIGGER worded INSTEAD OF INSERT ON words BEGIN INSERT INTO docs VALUES (new.body); END',
  );
  const behind = await write("INSERT INTO words VALUES ('z')");
  expect([behind.facts.tables, behind.facts.uncounted]).toEqual([[], ['docs']]);
});

test('counting changes neither the schema nor triggers nor the temporary schema', async () => {
  const { write, rows, script } = await over(served, withLog);
  const before = rows('SELECT * FROM sqlite_schema');
  await write("REPLACE INTO item VALUES (3, 'b', 0)");
  await write("INSERT INTO item VALUES (1, 'again', 0)");
  const { facts } = await script("REPLACE INTO item VALUES (9, 'z', 0); SELECT count(*) FROM log;");
  expect(rows('SELECT * FROM sqlite_schema')).toEqual(before);
  // delete triggers do not fire for replaced rows, as usual
  expect(facts.statements![1]!.rows).toEqual([[2]]);
  expect(rows("SELECT count(*) FROM log WHERE said LIKE '-%'")).toEqual([[0]]);
});

test.each([
  ['a rowid', 'INSERT INTO item VALUES (77, NULL, 1)', 77],
  [
    'a rowid beyond what JSON numbers hold',
    'INSERT INTO item VALUES (9007199254740993, NULL, 1)',
    { $int: '9007199254740993' },
  ],
  ['a rowid that the insert before had, too', "INSERT INTO log VALUES (4, 'x')", 4],
  [
    'none where nothing was inserted',
    "INSERT INTO item VALUES (1, 'n', 1) ON CONFLICT DO UPDATE SET price = 3",
    undefined,
  ],
  ['none of a table without rowids', "INSERT INTO pair VALUES (7, 7, '')", undefined],
  ['none of an update', 'UPDATE item SET price = 1 WHERE id = 2', undefined],
])('the last rowid is %s', async (_what, sql, rowid) => {
  const { write } = await over(served, withLog);
  await write('INSERT INTO item VALUES (4, NULL, 1)');
  expect((await write(sql)).facts.last_insert_rowid).toEqual(rowid);
});
