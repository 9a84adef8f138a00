import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../src/lane/driver.ts';
import { call } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const { folder, database, open, write } = scratch();
const client = oneServer(folder);

const hostile = `
CREATE TABLE v (id INTEGER PRIMARY KEY, i, t TEXT, "odd ""name, x" REAL, b BLOB);
INSERT INTO v VALUES
 (1, 9223372036854775807, 'plain', 5.0, X'00ff'),
 (2, -9223372036854775808, '', 1e300, X''),
 (3, 9007199254740993, 'quo"te, ''single'' and' || char(13, 10) || 'lines', 9e999, zeroblob(3)),
 (4, NULL, NULL, NULL, NULL),
 (5, 0.1, 'nul' || char(0) || 'inside', -9e999, X'22'),
 (6, -0.0, char(0), 123456789012345678, X'0d0a'),
 (7, 5e-324, char(0xfeff) || 'mark', 1.7976931348623157e308, X'2c'),
 (8, 'text where anything goes', '  spaces ', 0.30000000000000004, X'c3'),
 (9, X'dead', '😀é\u2028', 3.0e-10, X''),
 (10, 100, '=1+1', 2.5, X'00');`;
const broken = `INSERT INTO v (id, t) VALUES (11, CAST(X'66ff6f' AS TEXT)), (12, char(0xfffd));`;

const exact =
  'SELECT id, typeof(i), quote(i), typeof(t), hex(t), typeof("odd ""name, x"), quote("odd ""name, x"), typeof(b), hex(b) FROM v ORDER BY id';
const rowsOf = (db: Database) => db.prepare(exact).raw().safeIntegers().all();

async function tool<Facts>(name: string, args: Record<string, unknown>) {
  const outcome = await call<Facts>(await client(), name, args);
  expect([outcome.text, outcome.failed]).toEqual([outcome.text, false]);
  return outcome;
}

test.each(['json', 'ndjson', 'sql'])('every value round-trips through %s', async (format) => {
  const from = database(`from-${format}.db`, hostile + broken);
  const to = database(`to-${format}.db`, format === 'sql' ? '' : hostile.slice(0, hostile.indexOf('INSERT')));
  const file = join(folder, `v.${format}`);
  const { facts, result } = await tool<Record<string, unknown>>('export_data', {
    path: file,
    table: 'v',
    database: from,
  });
  const bytes = readFileSync(file);
  expect(facts).toEqual({
    path: file,
    uri: `file://${file}`,
    format,
    rows: 12,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  expect(result.content.at(-1)).toMatchObject({
    type: 'resource_link',
    uri: `file://${file}`,
    size: bytes.length,
  });
  await tool('import_data', { path: file, database: to, ...(format !== 'sql' && { table: 'v' }) });
  expect(rowsOf(open(to))).toEqual(rowsOf(open(from)));
});

test('CSV round-trips the values of typed columns, and text that is not UTF-8 is counted', async () => {
  const from = database('from-csv.db', hostile + broken);
  const to = database('to-csv.db', hostile.slice(0, hostile.indexOf('INSERT')));
  const { facts } = await tool('export_data', { path: join(folder, 'v.csv'), table: 'v', database: from });
  expect(facts).toMatchObject({ rows: 12, replaced: 1 });
  await tool('import_data', { path: join(folder, 'v.csv'), database: to, table: 'v' });
  const typed =
    'SELECT id, hex(t), typeof("odd ""name, x"), quote("odd ""name, x"), typeof(b), hex(b) FROM v WHERE id < 11 ORDER BY id';
  expect(open(to).prepare(typed).raw().all()).toEqual(open(from).prepare(typed).raw().all());
});

const whole = `
PRAGMA user_version = 7; PRAGMA application_id = 252006673;
CREATE TABLE child (id INTEGER PRIMARY KEY AUTOINCREMENT, parent REFERENCES parent(id), g AS (id * 2)) -- a comment at the end
;
CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT) STRICT;
CREATE TABLE log (what);
CREATE TABLE "odd ""table""" (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(word, note);
CREATE VIRTUAL TABLE names USING fts5(name, content='parent', content_rowid='id');
CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
INSERT INTO parent VALUES (1, 'one'), (2, 'two');
INSERT INTO child (id, parent) VALUES (5, 1), (9, 2);
DELETE FROM child WHERE id = 9;
INSERT INTO "odd ""table""" VALUES ('a', 1.5);
INSERT INTO words (rowid, word, note) VALUES (7, 'hello', 'world'), (3, 'bye', '');
INSERT INTO names (rowid, name) SELECT id, name FROM parent;
INSERT INTO boxes VALUES (4, 1.5, 2.5);
CREATE VIEW pairs AS SELECT * FROM child JOIN parent ON child.parent = parent.id;
CREATE INDEX by_name ON parent (name);
CREATE TRIGGER told AFTER INSERT ON parent BEGIN INSERT INTO log VALUES (new.id || '; END'); END;
ANALYZE;`;

const looks = [
  'PRAGMA user_version',
  'PRAGMA application_id',
  "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE '%\\_%' ESCAPE '\\' ORDER BY type, name",
  'SELECT * FROM child',
  'SELECT * FROM parent',
  'SELECT * FROM log',
  'SELECT * FROM "odd ""table"""',
  'SELECT rowid, * FROM words ORDER BY rowid',
  "SELECT rowid FROM names('two')",
  'SELECT * FROM boxes',
  'SELECT * FROM pairs',
  'SELECT * FROM sqlite_sequence',
  'SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY 1, 2',
];
const look = (db: Database) => looks.map((sql) => db.prepare(sql).raw().all());

test('an exported database is imported by this server and by the sqlite3 command line', async () => {
  const from = database('whole.db', whole);
  const file = join(folder, 'whole.sql');
  await tool('export_data', { path: file, database: from });
  const to = database('again.db');
  const { facts } = await tool<{ tables: string[] }>('import_data', { path: file, database: to });
  expect(look(open(to))).toEqual(look(open(from)));
  expect(facts.tables).toContain('parent');
  if (!hasCli) return;
  const other = join(folder, 'cli.db');
  execFileSync('sqlite3', [other], { input: readFileSync(file) });
  expect(look(open(other))).toEqual(look(open(from)));
});

const hasCli = spawnSync('sqlite3', ['--version']).status === 0;

test.runIf(hasCli)('a dump and CSV of the sqlite3 command line are imported', async () => {
  const from = database('theirs.db', hostile);
  const dump = execFileSync('sqlite3', [from, '.dump v']);
  const to = database('dumped.db');
  await tool('import_data', { path: write('dump.sql', dump), database: to });
  // the sqlite3 command line ends a text at a NUL
  const kept = 'SELECT id, typeof(i), hex(t), quote(b) FROM v WHERE id NOT IN (5, 6)';
  expect(open(to).prepare(kept).raw().all()).toEqual(open(from).prepare(kept).raw().all());
  const csv = execFileSync('sqlite3', [
    '-csv',
    '-header',
    from,
    'SELECT id, t FROM v WHERE instr(t, char(0)) = 0 AND id < 10',
  ]);
  const read = database('read.db');
  await tool('import_data', { path: write('theirs.csv', csv), database: read, table: 'v', create: true });
  expect(open(read).prepare('SELECT id, t FROM v WHERE t IS NOT NULL').raw().all()).toEqual(
    open(from)
      .prepare('SELECT id, t FROM v WHERE instr(t, char(0)) = 0 AND id < 10 AND t IS NOT NULL')
      .raw()
      .all(),
  );
});

test('a UTF-16 database is exported as UTF-8, also with replacement characters', async () => {
  const from = database(
    'wide.db',
    `PRAGMA encoding = 'UTF-16le'; CREATE TABLE v (t); INSERT INTO v VALUES ('é😀'), (char(0xfffd))`,
  );
  await tool('export_data', {
    path: join(folder, 'wide.ndjson'),
    query: 'SELECT t, t FROM v',
    database: from,
  });
  expect(readFileSync(join(folder, 'wide.ndjson'), 'utf8')).toBe(
    '{"t":"é😀","t_2":"é😀"}\n{"t":"\uFFFD","t_2":"\uFFFD"}\n',
  );
});

test('no rows are an empty array, an empty file, and a header', async () => {
  const from = database('none.db', 'CREATE TABLE v (a, b)');
  for (const [format, expected] of [
    ['json', '[]\n'],
    ['ndjson', ''],
    ['csv', 'a,b\r\n'],
  ]) {
    await tool('export_data', { path: join(folder, `none.${format}`), table: 'v', database: from });
    expect(readFileSync(join(folder, `none.${format}`), 'utf8')).toBe(expected);
  }
});

test('a random value is computed once per row, also beside text that is not UTF-8', async () => {
  const from = database('chance.db');
  const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)
    SELECT CAST(x'66ff' AS TEXT) AS broken, iif(random() % 2, 'é', 1.5) AS either FROM n`;
  const file = join(folder, 'chance.ndjson');
  await tool('export_data', { path: file, query, database: from });
  const values = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).either);
  expect(new Set(values)).toEqual(new Set(['é', 1.5]));
});
