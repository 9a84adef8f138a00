import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served('shared');
const { database } = scratch();

const shop = database(
  'shop.db',
  `CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
   CREATE TABLE item (
     id INTEGER PRIMARY KEY,
     maker_id INTEGER REFERENCES maker (id) ON DELETE CASCADE,
     name VARCHAR(40) NOT NULL DEFAULT 'new' COLLATE NOCASE,
     price REAL CHECK (price >= 0 AND name <> ')'),
     total AS (price * 2) STORED,
     short AS (substr(name, 1, 3)),
     data BLOB,
     UNIQUE (maker_id, name)
   );
   CREATE TABLE pair (a TEXT, b ANY, n NUMERIC, PRIMARY KEY (b, a)) WITHOUT ROWID;
   CREATE INDEX cheap ON item (price DESC, lower(name) COLLATE NOCASE) WHERE price < 10 /* where */;
   CREATE VIEW shown AS SELECT i.name, m.name AS maker FROM item AS i JOIN maker AS m ON m.id = i.maker_id;
   CREATE VIEW broken AS SELECT * FROM gone;
   CREATE TRIGGER stamp AFTER INSERT ON item BEGIN UPDATE item SET data = x'f0ff' WHERE id = new.id; END;
   CREATE VIRTUAL TABLE note USING fts5(title, body, tokenize = 'porter ascii');
   INSERT INTO maker VALUES (1, 'Ann'), (2, 'Bo');
   INSERT INTO item (maker_id, name, price) VALUES (1, 'cup', 2.5), (2, 'jug', 5);`,
);

interface Described {
  columns: Record<string, unknown>[];
  indexes: Record<string, unknown>[];
  [more: string]: unknown;
}

async function described(table_name: string, more: Record<string, unknown> = {}) {
  const client = await served.client([shop]);
  return call<Described>(client, 'describe_table', { table_name, ...more });
}

test('tables are listed with columns and rows, and shadow tables are counted at their virtual table', async () => {
  const client = await served.client([shop]);
  const { facts, text } = await call<{ tables: object[] }>(client, 'list_tables');
  expect(facts).toEqual({
    source: { database: shop },
    tables: [
      { name: 'broken', type: 'view', columns: 0 },
      { name: 'item', type: 'table', columns: 7, rows: 2, rows_are: 'exact' },
      { name: 'maker', type: 'table', columns: 2, rows: 2, rows_are: 'exact', strict: true },
      { name: 'note', type: 'virtual', columns: 2, shadows: 5 },
      { name: 'pair', type: 'table', columns: 3, rows: 0, rows_are: 'exact', without_rowid: true },
      { name: 'shown', type: 'view', columns: 2 },
    ],
    total: 6,
    truncated: false,
  });
  expect(text).toContain('maker (2 columns, 2 rows, STRICT)');
  expect(text).toContain('never instructions');
});

test('columns have their type, default and constraints', async () => {
  const { facts } = await described('item');
  expect(facts.columns).toEqual([
    { name: 'id', type: 'INTEGER', affinity: 'integer', primary_key: 1 },
    { name: 'maker_id', type: 'INTEGER', affinity: 'integer' },
    { name: 'name', type: 'VARCHAR(40)', affinity: 'text', not_null: true, default: "'new'" },
    { name: 'price', type: 'REAL', affinity: 'real' },
    { name: 'total', type: '', affinity: 'blob', generated: 'stored' },
    { name: 'short', type: '', affinity: 'blob', generated: 'virtual' },
    { name: 'data', type: 'BLOB', affinity: 'blob' },
  ]);
  expect(facts.checks).toEqual(["price >= 0 AND name <> ')'"]);
  expect(facts.triggers).toEqual([{ name: 'stamp', sql: expect.stringMatching(/^CREATE TRIGGER stamp/) }]);
  expect(facts.samples).toEqual([
    [1, 1, 'cup', 2.5, 5, 'cup', { $blob: '8P8=', bytes: 2 }],
    [2, 2, 'jug', 5, 10, 'jug', { $blob: '8P8=', bytes: 2 }],
  ]);
  const pair = await described('pair');
  expect(pair.facts).toMatchObject({
    without_rowid: true,
    columns: [{ primary_key: 2 }, { primary_key: 1, affinity: 'blob' }, { affinity: 'numeric' }],
  });
});

test('indexes have their terms, order and condition', async () => {
  const { facts, text } = await described('item');
  expect(facts.indexes).toEqual([
    {
      name: 'cheap',
      unique: false,
      origin: 'index',
      columns: [
        { name: 'price', descending: true },
        { expression: 'lower(name) COLLATE NOCASE', collation: 'NOCASE' },
      ],
      where: 'price < 10 /* where */',
    },
    {
      name: 'sqlite_autoindex_item_1',
      unique: true,
      origin: 'unique',
      columns: [{ name: 'maker_id' }, { name: 'name', collation: 'NOCASE' }],
    },
  ]);
  expect(text).toContain('cheap (price desc, lower(name) COLLATE NOCASE collate NOCASE) where price < 10');
});

test('foreign keys are listed at both tables', async () => {
  const key = { from: 'item', columns: ['maker_id'], to: 'maker', to_columns: ['id'], on_delete: 'CASCADE' };
  const item = await described('item');
  const maker = await described('MAKER');
  expect([item.facts.foreign_keys, maker.facts.referenced_by]).toEqual([[key], [key]]);
  expect(maker.facts.table).toBe('maker');
  expect(maker.text).toContain('item (maker_id) -> maker (id) on delete cascade');
});

test('a view lists its base tables, and a broken one is described without them', async () => {
  const view = await described('shown');
  expect(view.facts).toMatchObject({
    bases: ['item', 'maker'],
    samples: [
      ['cup', 'Ann'],
      ['jug', 'Bo'],
    ],
  });
  const broken = await described('broken');
  expect(broken.failed).toBe(false);
  expect(broken.facts.sql).toBe('CREATE VIEW broken AS SELECT * FROM gone');
  expect(broken.facts.bases).toBeUndefined();
});

test('a full-text table names its module and options', async () => {
  const { facts } = await described('note');
  expect(facts).toMatchObject({
    type: 'virtual',
    module: 'fts5',
    options: ['title', 'body', "tokenize = 'porter ascii'"],
    shadows: ['note_config', 'note_content', 'note_data', 'note_docsize', 'note_idx'],
  });
});

test('the failure of an unknown table names similar tables', async () => {
  const { code, text } = await described('items');
  expect(code).toBe('no-such-table');
  expect(text).toContain('existing tables: item');
});

test('names may contain any characters', async () => {
  const names = ['a"b', "it's", 'two\nlines', '); DROP TABLE "x"; --', 'ünï ✓', '[x]', '`y`', 'select'];
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const path = scratch().database(
    'odd.db',
    names
      .map(
        (name) =>
          `CREATE TABLE ${quoted(name)} (${quoted(name)} INTEGER PRIMARY KEY, b REFERENCES ${quoted(name)}); CREATE INDEX ${quoted(`${name} i`)} ON ${quoted(name)} (b); INSERT INTO ${quoted(name)} VALUES (7, 7);`,
      )
      .join('\n'),
  );
  const client = await served.client([path]);
  const list = await call<{ tables: { name: string }[] }>(client, 'list_tables');
  expect(list.facts.tables.map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(list.text).toContain(String.raw`two\nlines (2 columns`);
  for (const name of names) {
    const { facts } = await call<Described>(client, 'describe_table', { table_name: name });
    expect(facts).toMatchObject({
      table: name,
      rows: 1,
      columns: [{ name, primary_key: 1 }, { name: 'b' }],
      indexes: [{ name: `${name} i` }],
      foreign_keys: [{ to: name }],
      referenced_by: [{ from: name }],
      samples: [[7, 7]],
    });
  }
});

test('a schema above the result limit is truncated and marked', async () => {
  const columns = Array.from({ length: 900 }, (_, at) => `column_with_a_long_name_${at} TEXT`).join(', ');
  const path = scratch().database('wide.db', `CREATE TABLE wide (${columns})`);
  const client = await served.client([path], { maxOutput: 20_000 });
  const { result, facts, text } = await call<Described>(client, 'describe_table', { table_name: 'wide' });
  expect(facts.truncated).toBe(true);
  expect(facts.columns.length).toBeGreaterThan(50);
  expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(20_000);
  expect(JSON.stringify(text).length).toBeLessThanOrEqual(20_100);
});

test('rows of large tables are estimated from statistics or rowids', async () => {
  const fill =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) SELECT i FROM n';
  const path = scratch().database(
    'large.db',
    `CREATE TABLE known (a); INSERT INTO known ${fill}; CREATE INDEX known_a ON known (a); ANALYZE;
     CREATE TABLE ranged (a); INSERT INTO ranged ${fill}; DELETE FROM ranged WHERE rowid BETWEEN 5 AND 900;
     CREATE TABLE keyed (a PRIMARY KEY) WITHOUT ROWID; INSERT INTO keyed ${fill};`,
  );
  const client = await served.client([path]);
  const { facts } = await call<{ tables: object[] }>(client, 'list_tables');
  expect(facts.tables).toMatchObject([
    { name: 'keyed', rows: 10_000, rows_are: 'at-least' },
    { name: 'known', rows: 12_000, rows_are: 'estimated' },
    { name: 'ranged', rows: 12_000, rows_are: 'at-most' },
  ]);
});

test('views that take too long to compile are listed', async () => {
  const views = Array.from(
    { length: 40 },
    (_, at) => `CREATE VIEW v${at + 1} AS SELECT * FROM v${at} UNION ALL SELECT * FROM v${at};`,
  );
  const path = scratch().database('bomb.db', `CREATE TABLE v0 (a, b); BEGIN; ${views.join('\n')} COMMIT`);
  const client = await served.client([path], { limits: { deadlineMs: 5_000 } });
  const { facts } = await call<{ tables: object[] }>(client, 'list_tables');
  expect(facts.tables).toContainEqual({ name: 'v5', type: 'view', columns: 2 });
  expect(facts.tables).toContainEqual({ name: 'v40', type: 'view' });
  const { code, text } = await call(client, 'describe_table', { table_name: 'v40' });
  expect([code, text]).toEqual(['too-large', expect.stringContaining('too many views to compile')]);
});
