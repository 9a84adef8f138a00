import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served('file');
const { folder, database, open, write } = scratch();
const limits = { fileBytes: 1 << 20 };
const client = served.client([folder], { limits });
const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t VALUES (1, NULL)';
const lines = Array.from({ length: 3000 }, (_, id) => `${id + 2},${'x'.repeat(1000)}`);
write('large.csv', `id,x\n${lines.join('\n')}\n`);
write(
  'large.sql',
  `CREATE TABLE more (x);\nDELETE FROM t;\n${'INSERT INTO more VALUES (zeroblob(100000));\n'.repeat(30)}`,
);
const script = `CREATE TABLE more (x); DELETE FROM t WHERE true; ${'INSERT INTO more VALUES (zeroblob(100000));'.repeat(30)}`;
const growing: [what: string, tool: string, args: Record<string, unknown>][] = [
  ['an import of rows', 'import_data', { path: `${folder}/large.csv`, table: 't' }],
  ['an import of a script', 'import_data', { path: `${folder}/large.sql` }],
  ['a script', 'run_script', { script }],
];

test.each(
  growing.flatMap(([what, ...how]) => [[what, 'wal', ...how] as const, [what, 'delete', ...how] as const]),
)(
  '%s for which there is no room leaves the database whole, and the next change works, with journal_mode %s',
  async (what, mode, tool, args) => {
    const path = database(`${what}-${mode}/data.db`, `PRAGMA journal_mode = ${mode}; ${table}`);
    const { code } = await call(await client, tool, { ...args, database: path });
    expect(code).toBe('disk-full');
    const db = open(path);
    expect(db.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['t']);
    expect(db.prepare('SELECT * FROM t').raw().all()).toEqual([[1, null]]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    const next = await call(await client, 'write_query', {
      query: "INSERT INTO t (x) VALUES ('small')",
      database: path,
    });
    expect(next.failed).toBe(false);
    if (mode === 'delete') expect(readdirSync(dirname(path))).toEqual(['data.db']);
  },
);

test('a sort that fills the disk fails with the reason, and the next query works', async () => {
  const path = database('sort.db', table);
  const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT i, hex(randomblob(500)) AS x FROM n ORDER BY x`;
  const { code } = await call(await client, 'read_query', { query, database: path, timeout_ms: 60_000 });
  expect(code).toBe('disk-full');
  const { facts } = await call(await client, 'read_query', { query: 'SELECT id FROM t', database: path });
  expect(facts).toMatchObject({ rows: [[1]] });
});
