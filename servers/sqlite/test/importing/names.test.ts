import { expect, test } from 'vitest';
import { call } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const { folder, database, write, open } = scratch();
const client = oneServer(folder);

interface Facts {
  inserted: number;
  columns?: { name: string; type: string; from?: string }[];
  renamed?: { from: string; to: string }[];
  not_imported?: string[];
  first_rows?: Record<string, unknown>[];
}

const path = database('names.db');
const db = open(path);

async function importing(name: string, content: string, args: Record<string, unknown> = {}, sql = '') {
  db.exec(`DROP TABLE IF EXISTS t; ${sql}`);
  const file = write(name, content);
  const given = { path: file, table: 't', database: path, ...(sql === '' && { create: true }), ...args };
  const outcome = await call<Facts>(await client(), 'import_data', given);
  const names = () => db.prepare("SELECT name FROM pragma_table_info('t')").pluck().all();
  const rows = () => db.prepare('SELECT * FROM t').raw().all();
  return { ...outcome, names, rows };
}

const item = 'CREATE TABLE t (ref TEXT, amount INTEGER)';

test.each([
  ['csv', 'Ref ,Amount,Note\na,1,x\n'],
  ['csv', 'Ref,Amount,Note\na,1,x\n'],
  ['json', '[{"Ref":"a","Amount":1,"Note":"x"}]'],
  ['ndjson', '{"Ref":"a","Amount":1}\n{"Ref":"b","Amount":2,"Note":"x"}'],
])('a name that is not in the file of %s is refused with the existing names: %j', async (format, content) => {
  for (const [columns, args, sql] of [
    [{ Reff: 'ref', Amount: 'amount' }, {}, item],
    [{ ref: 'ref', Amount: 'amount' }, { dry_run: true }, item],
    [{ Ref: 'ref', amount: 'amount' }, { max_rejects: 9 }, item],
    [{ Ref: 'ref', Missing: 'm INTEGER' }, {}, ''],
  ] as const) {
    const { code, text, rows } = await importing(`file.${format}`, content, { columns, ...args }, sql);
    const missing = Object.keys(columns).find((key) => !['Ref', 'Amount'].includes(key));
    expect([code, text.split('\n')[0]]).toEqual([
      'invalid-arguments',
      `columns names columns that are not in the file: ${missing}`,
    ]);
    expect(text).toContain('Ref, ');
    if (sql !== '') expect(rows()).toEqual([]);
  }
});

test('names of the header are trimmed, and the result reports it', async () => {
  const { facts, text, rows } = await importing('space.csv', ' Ref ,Amount\na,1\n', {}, item);
  expect([facts.inserted, facts.renamed, rows()]).toEqual([1, [{ from: ' Ref ', to: 'Ref' }], [['a', 1]]]);
  expect(text).toContain('header: " Ref " renamed to Ref');
  const named = await importing('space.csv', 'Ref ,Amount\na,1\n', { columns: { 'Ref ': 'ref' } }, item);
  expect([named.facts.inserted, named.rows()]).toEqual([1, [['a', null]]]);
});

test('columns of the file that are not imported are listed', async () => {
  const { facts, text } = await importing(
    'left.csv',
    'Ref,Amount,Secret\na,1,x\n',
    { columns: { Ref: 'ref' } },
    item,
  );
  expect(facts.not_imported).toEqual(['Amount', 'Secret']);
  expect(text).toContain('not imported: "Amount", "Secret"');
  const lines = '{"Ref":"a"}\n{"Ref":"b","Late":1}';
  expect((await importing('left.ndjson', lines, { columns: { Ref: 'ref' } })).facts.not_imported).toEqual([
    'Late',
  ]);
});

test.each([
  ['Name,Amount,name', ['Name', 'Amount', 'name_2']],
  ['a,a,a_2', ['a', 'a_3', 'a_2']],
  [',a,b', ['column_1', 'a', 'b']],
  ['a,b,', ['a', 'b', 'column_3']],
  ['a, ,column_2', ['a', 'column_2_2', 'column_2']],
])('the header %j makes distinct columns, and the renames are reported', async (header, expected) => {
  const { names, rows, facts, text } = await importing('head.csv', `${header}\nx,y,z\n`);
  expect(names()).toEqual(expected);
  expect(rows()).toEqual([['x', 'y', 'z']]);
  expect(facts.renamed?.length).toBe(1);
  expect(text).toContain(`renamed to ${facts.renamed![0]!.to}`);
});

test('columns that the table lacks are refused together, with its columns', async () => {
  const rows = 'a,1,x\n'.repeat(30);
  const outcome = await importing('extra.csv', `ref,amount,note\n${rows}`, { dry_run: true }, item);
  expect(outcome.code).toBe('no-such-column');
  expect(outcome.text.split('\n')[0]).toBe('t has no column note that takes values');
  expect(outcome.text).toContain('it has ref, amount');
  const blank = await importing('blank.csv', 'ref,amount,\na,1,\n', {}, item);
  expect(blank.text).toContain('column_3 was renamed from "" in the header');
  const target = await importing('target.csv', 'a,b\n1,2\n', { columns: { a: 'reff' } }, item);
  expect([target.code, target.text.split('\n')[0]]).toEqual([
    'no-such-column',
    't has no column reff that takes values',
  ]);
});

test.each([
  'id INTEGER PRIMARY KEY',
  'id PRIMARY KEY',
  'id TEXT NOT NULL',
  'id VARCHAR(10)',
  'id NUMERIC',
  'id DECIMAL(10,2)',
  'id REAL DEFAULT 1',
  'id BIGINT',
  'id DATE',
  'id TEXT UNIQUE',
  'id INTEGER REFERENCES u(x)',
  'id AS (1)',
  '"id" PRIMARY KEY',
])('columns does not take the definition %j for a name', async (id) => {
  const { code, text } = await importing('definition.csv', 'id\n1\n', { columns: { id } });
  expect([code, text.includes('INTEGER, REAL, TEXT, BLOB, ANY')]).toEqual(['invalid-arguments', true]);
});

test('a quoted name may contain any words, and so may a name of the file', async () => {
  const columns = { d: '"Start DATE" TEXT', 'Order Date': 'Order Date', n: 'n integer' };
  const { names, failed } = await importing('quoted.csv', 'd,Order Date,n\n1,2,3\n', { columns });
  expect([failed, names()]).toEqual([false, ['Start DATE', 'Order Date', 'n']]);
});

test('two columns of the file cannot be mapped to one column', async () => {
  const { code } = await importing('two.csv', 'a,b\n1,2\n', { columns: { a: 'ref', b: 'REF' } }, item);
  expect(code).toBe('invalid-arguments');
});

test('a dry run returns columns, types and first rows, and changes nothing', async () => {
  const file = 'Id,Zip,Note\n1,007,\n2,12,x\n3,13,y\n4,14,z\n';
  const args = { dry_run: true, columns: { Id: 'id', Zip: 'zip' } };
  const { facts, text, names } = await importing('dry.csv', file, args);
  expect(facts.columns).toEqual([
    { name: 'id', type: 'INTEGER', from: 'Id' },
    { name: 'zip', type: 'TEXT', from: 'Zip' },
  ]);
  expect(facts.first_rows).toEqual([
    { id: 1, zip: '007' },
    { id: 2, zip: '12' },
    { id: 3, zip: '13' },
  ]);
  expect(text).toContain('columns: id INTEGER from "Id", zip TEXT from "Zip"');
  expect(text).toContain('row: {"id":1,"zip":"007"}');
  expect(names()).toEqual([]);
  const into = await importing('dry.csv', 'ref,amount\na,2\n', { dry_run: true }, item);
  expect(into.facts.columns).toEqual([
    { name: 'ref', type: 'TEXT' },
    { name: 'amount', type: 'INTEGER' },
  ]);
  expect([into.facts.first_rows, into.rows()]).toEqual([[{ ref: 'a', amount: 2 }], []]);
});

test.each([
  ['head.csv', 'id,name\n', {}, ['id', 'name']],
  ['head.csv', 'id,name\n', { columns: { id: 'id INTEGER' } }, ['id']],
  ['none.ndjson', '', { columns: { id: 'id INTEGER' } }, ['id']],
])('a file without rows creates a table of its columns: %s %j %j', async (name, content, args, expected) => {
  const { names, facts } = await importing(name, content, args);
  expect([facts.inserted, names()]).toEqual([0, expected]);
});

test('names of later JSON objects, or in other case, become columns too', async () => {
  const lines = [...Array.from({ length: 1_500 }, (_, at) => `{"a":${at}}`), '{"A":"x","late":1.5,"":2}'];
  const { names, facts, rows } = await importing('late.ndjson', lines.join('\n'));
  expect([facts.inserted, names()]).toEqual([1_501, ['a', 'A_2', 'late', 'column_4']]);
  expect(rows().at(-1)).toEqual([null, 'x', 1.5, 2]);
});

test.each(['{"a":1,"a":2}', '{"a" : 1, "b":"x", "\\u0061":2}', '{"a":1,"b":{"b":2},"a":3}'])(
  'an object with a duplicate name is rejected: %s',
  async (line) => {
    const lines = await importing('twice.ndjson', line);
    expect([lines.code, lines.text.split('\n')[0]]).toEqual([
      'rejected',
      'line 1: two members have the name a; nothing was imported',
    ]);
    expect((await importing('twice.json', `[${line}]`)).code).toBe('rejected');
  },
);

test('equal names in different objects, and quotes with colons in texts, are not duplicate names', async () => {
  const { rows } = await importing('nested.ndjson', '{"a":[{"x":1},{"x":2}],"b":"\\":\\":","c" : {"a":1}}');
  expect(rows()).toEqual([['[{"x":1},{"x":2}]', '":":', '{"a":1}']]);
});

test.each([
  ['sql', { columns: { a: 'b' } }, 'columns'],
  ['sql', { create: true }, 'create'],
  ['sql', { on_conflict: 'ignore' }, 'on_conflict'],
  ['sql', { max_rejects: 1 }, 'max_rejects'],
  ['json', { header: false }, 'header'],
  ['ndjson', { delimiter: ';' }, 'delimiter'],
])('with a file of %s, %j is refused and not ignored', async (format, args, named) => {
  const table = format === 'sql' ? { table: undefined } : {};
  const { code, text } = await importing(`unused.${format}`, '', { ...args, ...table }, item);
  expect([code, text.split('\n')[0]]).toEqual(['invalid-arguments', `format ${format} takes no ${named}`]);
});

test('params without query is refused and not ignored', async () => {
  const args = { path: 'out.sql', table: 't', params: [1], database: path };
  expect((await call(await client(), 'export_data', args)).code).toBe('invalid-arguments');
});

test.each([
  ['half of a pair', 'a\ud800'],
  ['base64 with a character too many', { $blob: 'AAEAA' }],
])('a parameter whose value would be altered is refused: %s', async (_what, value) => {
  const args = { query: 'SELECT ? AS v', params: [value], database: path };
  expect((await call(await client(), 'read_query', args)).code).toBe('parameters');
});
