import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, database, write, open } = scratch();
const client = oneServer(folder);
const shop = 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, photo BLOB)';

interface Facts {
  inserted: number;
  updated: number;
  ignored: number;
  rejected: number;
  rejects: { line: number; column?: string; reason: string }[];
  created: boolean;
  committed: boolean;
  tables: string[];
}

const path = database('shop.db');
const db = open(path);

async function importing(file: string, args: Record<string, unknown> = {}, sql = shop) {
  for (const { type, name } of db
    .prepare("SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')")
    .all() as { type: string; name: string }[])
    db.exec(`DROP ${type} ${name}`);
  db.exec(sql);
  const outcome = await call<Facts>(await client(), 'import_data', { path: file, table: 'item', ...args });
  return { ...outcome, rows: (query = 'SELECT * FROM item ORDER BY id') => db.prepare(query).raw().all() };
}

test('CSV is imported by column names, with empty fields as NULL and "" as empty text', async () => {
  const file = write(
    'a.csv',
    'name,id,price,photo\r\n"Tea, ""green""",1,2.5,AAE=\r\n"",2,,\r\n"two\nlines",3,4,\r\n',
  );
  const { facts, rows, text } = await importing(file);
  expect(facts).toMatchObject({
    inserted: 3,
    rejected: 0,
    created: false,
    committed: true,
    tables: ['item'],
  });
  expect(rows()).toEqual([
    [1, 'Tea, "green"', 2.5, Buffer.from([0, 1])],
    [2, '', null, null],
    [3, 'two\nlines', 4, null],
  ]);
  expect(text).toBe('table item: 3 inserted');
});

test('create makes a STRICT table with types derived from the rows', async () => {
  const file = write('b.csv', 'id,zip,price,big,note\n1,00123,1.5,9007199254740993,\n2,04,2.25,-5,x\n');
  const { facts, rows } = await importing(file, { create: true }, '');
  expect(facts).toMatchObject({ inserted: 2, created: true });
  expect(rows('SELECT sql FROM sqlite_schema')).toEqual([
    ['CREATE TABLE "item" ("id" INTEGER, "zip" TEXT, "price" REAL, "big" INTEGER, "note" TEXT) STRICT'],
  ]);
  expect(rows('SELECT zip, CAST(big AS TEXT), note FROM item')).toEqual([
    ['00123', '9007199254740993', null],
    ['04', '-5', 'x'],
  ]);
});

test('one row that does not fit rolls the import back', async () => {
  const file = write('c.csv', 'id,name\n1,a\n2,\n3,c\n');
  const { failed, code, text, rows } = await importing(file);
  expect([failed, code, rows()]).toEqual([true, 'rejected', []]);
  expect(text).toContain('line 3, column name: NOT NULL constraint failed: item.name; nothing was imported');
});

test('up to max_rejects rows are skipped, and reported with line, column and reason', async () => {
  const file = write('d.csv', 'id,name,price\n1,a,1\n2,,2\n3,c\nx,d,1\n1,again,1\n"5"x,e,1\n6,f,"3"\n');
  const { facts, rows } = await importing(file, { max_rejects: 5 });
  expect(rows('SELECT id, name FROM item ORDER BY id')).toEqual([
    [1, 'a'],
    [6, 'f'],
  ]);
  expect(facts).toMatchObject({ inserted: 2, rejected: 5 });
  expect(facts.rejects).toEqual([
    { line: 3, column: 'name', reason: 'NOT NULL constraint failed: item.name' },
    { line: 4, reason: 'wrong number of fields: 2 instead of 3' },
    { line: 5, reason: 'datatype mismatch' },
    { line: 6, column: 'id', reason: 'UNIQUE constraint failed: item.id' },
    { line: 7, reason: 'text follows a closing quote' },
  ]);
});

test('a dry run lists all rows that do not fit and changes nothing', async () => {
  const lines = Array.from({ length: 50 }, (_, index) => `${index},${index % 2 ? '' : 'x'}`);
  const file = write('e.csv', `id,name\n${lines.join('\n')}`);
  const { facts, rows, text } = await importing(file, { dry_run: true });
  expect([facts.committed, facts.inserted, facts.rejected, facts.rejects.length]).toEqual([
    false,
    25,
    25,
    20,
  ]);
  expect([rows(), text.split('\n').at(-1)]).toEqual([[], 'and 5 more']);
});

test.each([
  [
    'ignore',
    { inserted: 1, updated: 0, ignored: 1 },
    [
      [1, 'old', 5],
      [2, 'b', null],
    ],
  ],
  [
    'replace',
    { inserted: 1, updated: 1, ignored: 0 },
    [
      [1, 'new', null],
      [2, 'b', null],
    ],
  ],
  [
    'update',
    { inserted: 1, updated: 1, ignored: 0 },
    [
      [1, 'new', 5],
      [2, 'b', null],
    ],
  ],
])('a key that exists already: %s', async (on_conflict, counts, expected) => {
  const file = write('f.csv', 'id,name\n1,new\n2,b\n');
  const sql = `${shop}; INSERT INTO item (id, name, price) VALUES (1, 'old', 5)`;
  const { facts, rows } = await importing(file, { on_conflict }, sql);
  expect(facts).toMatchObject(counts);
  expect(rows('SELECT id, name, price FROM item ORDER BY id')).toEqual(expected);
});

test('columns maps columns of the file, and others are skipped', async () => {
  const file = write('g.csv', 'Nr;Name;Secret\n7;x;y\n');
  const columns = { Nr: 'id', Name: 'name' };
  const { rows } = await importing(file, { columns, delimiter: ';' });
  expect(rows('SELECT id, name FROM item')).toEqual([[7, 'x']]);
});

test('a file without header is imported in column order', async () => {
  const file = write('h.tsv', '1\ta\t2\t\n');
  const { rows } = await importing(file, { header: false });
  expect(rows()).toEqual([[1, 'a', 2, null]]);
});

test.each([
  ['UTF-8 with a mark', Buffer.from('\uFEFFid,name\n1,é\u{1F600}\n'), {}],
  ['UTF-16 by its mark', Buffer.from('\uFEFFid,name\n1,é\u{1F600}\n', 'utf16le'), {}],
  ['UTF-16 BE by its mark', Buffer.from('\uFEFFid,name\n1,é\u{1F600}\n', 'utf16le').swap16(), {}],
  ['UTF-16 as said', Buffer.from('id,name\n1,é\u{1F600}\n', 'utf16le'), { encoding: 'utf-16le' }],
])('text is read as %s', async (_what, bytes, args) => {
  const { rows } = await importing(write('i.csv', bytes), args);
  expect(rows('SELECT name FROM item')).toEqual([['é\u{1F600}']]);
});

test('bytes that are invalid in the encoding fail with a hint, and latin1 reads them', async () => {
  const file = write('j.csv', Buffer.from('id,name\n1,caf\xe9\n', 'latin1'));
  const failed = await importing(file);
  expect([failed.code, failed.rows()]).toEqual(['encoding', []]);
  expect(failed.text).toContain('latin1');
  const read = await importing(file, { encoding: 'latin1' });
  expect(read.rows('SELECT name FROM item')).toEqual([['café']]);
});

test('a field of 5 MB and one across many pieces are imported whole', async () => {
  const large = 'x"y\r\n'.repeat(1_000_000);
  const file = write('k.csv', `id,name\n1,"${large.replaceAll('"', '""')}"\n2,b\n`);
  const { rows } = await importing(file);
  expect(rows('SELECT length(name), name = replace(name, char(0), char(0)) FROM item')).toEqual([
    [large.length, 1],
    [1, 1],
  ]);
});

test('the failure of an unclosed quote names its line', async () => {
  const { code, text, rows } = await importing(write('l.csv', 'id,name\n1,a\n2,"b\n3,c\n'));
  expect([code, rows()]).toEqual(['malformed', []]);
  expect(text).toContain('line 3: a quote is never closed');
});

test('an unclosed quote fails the import and is not one rejected row', async () => {
  const rest = Array.from({ length: 50 }, (_, id) => `${id + 3},x\n`).join('');
  const file = write('swallowed.csv', `id,name\n1,a\n2,"b\n${rest}`);
  const { code, text, rows } = await importing(file, { max_rejects: 5 });
  expect([code, rows()]).toEqual(['malformed', []]);
  expect(text).toContain('line 3: a quote is never closed');
  const dry = await importing(file, { dry_run: true });
  expect(dry.code).toBe('malformed');
});

test.each([
  ['a view', 'CREATE VIEW item AS SELECT 1 AS id', {}, 'not-a-table'],
  ['a missing table', '', {}, 'no-such-table'],
  ['create of what is there', shop, { create: true }, 'exists'],
])('%s takes no rows', async (_what, sql, args, code) => {
  const outcome = await importing(write('m.csv', 'id\n1\n'), args, sql);
  expect(outcome.code).toBe(code);
});

test('a file outside the roots is not read, and a read-only root is not written', async () => {
  const outside = scratch().write('n.csv', 'id,name\n1,a\n');
  expect((await importing(outside)).code).toBe('not-found');
  const reader = await served.client([{ path: folder, readOnly: true }]);
  const args = { path: write('n.csv', 'id,name\n1,a\n'), table: 'item', database: path };
  expect((await call(reader, 'import_data', args)).code).toBe('read-only');
  expect(db.prepare('SELECT count(*) FROM item').pluck().get()).toBe(0);
});

test('tables that triggers write are listed as well', async () => {
  const sql = `${shop}; CREATE TABLE log (x); CREATE TRIGGER t AFTER INSERT ON item BEGIN INSERT INTO log VALUES (new.id); END`;
  const { facts } = await importing(write('o.csv', 'id,name\n1,a\n'), {}, sql);
  expect(facts.tables.toSorted()).toEqual(['item', 'log']);
});

test('the list of rejected rows stays within the result limit', async () => {
  const file = write('wrong.csv', `id,name\n${'1,"a"b漢字漢字\n'.repeat(50)}`);
  await importing(write('none.csv', 'id\n'));
  const client = await served.client([folder], { maxOutput: 1024 });
  const { facts, text } = await call<Facts>(client, 'import_data', {
    path: file,
    table: 'item',
    dry_run: true,
  });
  expect(facts.rejected).toBe(50);
  expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(1024);
  expect(text).toContain(`and ${50 - facts.rejects.length} more`);
});
