import { beforeEach, expect, test, vi } from 'vitest';
import { Changes, type Committed } from '../../src/changes.ts';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served('file');
const { folder, database, open, write } = scratch();
const path = database(
  'in/shop.db',
  `CREATE TABLE a (id INTEGER PRIMARY KEY, n UNIQUE); CREATE TABLE b (id INTEGER PRIMARY KEY, n);
   CREATE TRIGGER noted AFTER UPDATE ON a BEGIN INSERT INTO b (n) VALUES (new.n); END;
   INSERT INTO a VALUES (1, 'one')`,
);
const queries = write(
  'queries.json',
  JSON.stringify({
    queries: [{ name: 'step', description: 'Steps.', write: true, sql: "INSERT INTO a (n) VALUES ('step')" }],
  }),
);
const rows = write('in/rows.csv', 'n\nx\ny\n');
const script = write('in/rows.sql', 'CREATE TABLE made (x); INSERT INTO made VALUES (1);');
const bad = write('in/bad.csv', 'n\nsame\nsame\n');
const client = served.client([`${folder}/in`], { extra: { queries } });
const emit = vi.spyOn(Changes.prototype, 'emit');
let commits: Committed[] = [];

beforeEach(() => {
  commits = [];
  emit.mockClear();
});

async function commitsOf(tool: string, args: Record<string, unknown>): Promise<unknown[]> {
  const { failed, text } = await call(await client, tool, args);
  expect([text, failed]).toEqual([text, false]);
  commits = emit.mock.calls.map(([committed]) => committed);
  return commits.map(({ real, tables, schema, commits: count }) => [
    real === path,
    tables.toSorted(),
    schema,
    count,
  ]);
}

test.each<[what: string, tool: string, args: Record<string, unknown>, tables: string[], schema: boolean]>([
  ['a row', 'write_query', { query: "INSERT INTO a (n) VALUES ('two')" }, ['a'], false],
  [
    'a change and its trigger',
    'write_query',
    { query: "UPDATE a SET n = 'uno' WHERE id = 1" },
    ['a', 'b'],
    false,
  ],
  [
    'a row that is given back',
    'write_query',
    { query: 'INSERT INTO b (n) VALUES (1) RETURNING id' },
    ['b'],
    false,
  ],
  ['a column', 'write_query', { query: 'ALTER TABLE b ADD COLUMN m' }, ['b'], true],
  ['a table', 'create_table', { query: 'CREATE TABLE c (x)' }, ['c'], true],
  [
    'a script',
    'run_script',
    { script: "INSERT INTO b (n) VALUES (2); INSERT INTO a (n) VALUES ('three')" },
    ['a', 'b'],
    false,
  ],
  ['rows of a file', 'import_data', { path: rows, table: 'a' }, ['a'], false],
  ['rows of a file for a new table', 'import_data', { path: rows, table: 'd', create: true }, ['d'], true],
  ['a script of a file', 'import_data', { path: script }, ['made'], true],
  ['a query of the operator', 'step', {}, ['a'], false],
])('a commit of %s is announced once, with what it wrote', async (_what, tool, args, tables, schema) => {
  expect(await commitsOf(tool, args)).toEqual([[true, tables, schema, 1]]);
});

test('a restore is announced as a change of all tables and the schema', async () => {
  const backup = `${folder}/in/shop.bak`;
  await commitsOf('backup_database', { path: backup, database: path });
  expect(commits).toEqual([]);
  open(path).exec('CREATE TABLE later (x)');
  const [only, ...others] = await commitsOf('restore_database', { path: backup, database: path });
  expect([only, others]).toEqual([[true, expect.arrayContaining(['a', 'b', 'later']), true, 1], []]);
});

test.each<[what: string, tool: string, args: Record<string, unknown>]>([
  ['a dry run', 'write_query', { query: "INSERT INTO a (n) VALUES ('dry')", dry_run: true }],
  ['a dry import', 'import_data', { path: rows, table: 'b', dry_run: true }],
  ['a change of no rows', 'write_query', { query: 'DELETE FROM b WHERE id = -1' }],
  ['a change that fails', 'write_query', { query: "INSERT INTO a (id, n) VALUES (1, 'again')" }],
  [
    'a script that fails at its end',
    'run_script',
    { script: 'DELETE FROM b WHERE true; SELECT * FROM gone' },
  ],
  ['an import that fails', 'import_data', { path: bad, table: 'a' }],
  ['a query', 'read_query', { query: 'SELECT * FROM a' }],
])('%s is not announced', async (_what, tool, args) => {
  await call(await client, tool, { ...args, database: path });
  expect(emit.mock.calls).toEqual([]);
});
