import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { Random, seeds } from '../sql/random.ts';
import { answers, ground } from './ground.ts';

const served = new Served('file');
const { inside, secret, shop, scratch, seen } = ground();
let usual: Promise<Client> | undefined;
const clientOf = (): Promise<Client> => (usual ??= served.client([inside]));
const tools: [name: string, args: Record<string, unknown>][] = [
  ['read_query', { query: 'SELECT * FROM sqlite_schema' }],
  ['write_query', { query: 'CREATE TABLE made (a)' }],
  ['list_tables', {}],
  ['describe_table', { table_name: 'item' }],
];

test('every tool refuses files that are not databases and paths outside the roots, with a reason', async () => {
  symlinkSync(secret, join(inside, 'link.db'));
  symlinkSync(join(inside, '../outside'), join(inside, 'linked'));
  mkdirSync(join(inside, 'folder.db'));
  execFileSync('mkfifo', [join(inside, 'pipe.db')]);
  scratch.write('inside/text.db', 'just some text, longer than a header of a database has to be');
  scratch.write('inside/short.db', 'SQLite');
  truncateSync(scratch.write('inside/sparse.db', ''), 4 * 2 ** 30);
  const client = await clientOf();
  const before = seen();
  for (const name of [
    'link.db',
    'linked/secret.db',
    'folder.db',
    'pipe.db',
    'text.db',
    'short.db',
    'sparse.db',
    'none.db',
  ]) {
    for (const [tool, args] of tools) {
      const { failed, text } = await call(client, tool, { ...args, database: join(inside, name) });
      expect([name, tool, failed]).toEqual([name, tool, true]);
      expect(text).not.toContain('hidden-word');
    }
  }
  await answers(client, shop);
  expect(seen()).toEqual(before);
});

test('an empty file is an empty database and stays empty when read', async () => {
  const path = scratch.write('inside/empty.db', '');
  const client = await clientOf();
  await answers(client, path);
  expect(statSync(path).size).toBe(0);
});

test('a database whose file has 4 GB after its pages is read', async () => {
  const path = scratch.database('inside/long.db', 'CREATE TABLE t (x); INSERT INTO t VALUES (1)');
  truncateSync(path, 4 * 2 ** 30);
  const client = await clientOf();
  await answers(client, path);
  const { failed } = await call(client, 'read_query', { query: 'SELECT * FROM t', database: path });
  expect(failed).toBe(false);
});

test('reading a malicious view is refused', async () => {
  const selects = [
    "SELECT load_extension('/tmp/x') AS a",
    "SELECT fts3_tokenizer('simple') AS a",
    'SELECT optimize(old) AS a FROM old',
    'SELECT * FROM pragma_optimize',
    'SELECT * FROM pragma_wal_checkpoint',
    'SELECT * FROM v5',
  ];
  const views = selects.map((select, index) => `CREATE VIEW v${index} AS ${select};`).join('');
  const path = scratch.database(
    'inside/views.db',
    `CREATE VIRTUAL TABLE old USING fts4(body); INSERT INTO old VALUES ('a'); ${views}`,
  );
  const client = await clientOf();
  const before = seen();
  for (const [index, select] of selects.entries()) {
    const { failed } = await call(client, 'read_query', { query: `SELECT * FROM v${index}`, database: path });
    expect([select, failed]).toEqual([select, true]);
  }
  await answers(client, path);
  expect(seen()).toEqual(before);
});

test('a change that would fire a malicious trigger is refused', async () => {
  const bodies = [
    "SELECT load_extension('/tmp/x')",
    "INSERT INTO other SELECT fts3_tokenizer('simple')",
    'INSERT INTO other SELECT optimize(old) FROM old',
    'INSERT INTO other SELECT * FROM pragma_optimize',
  ];
  const triggers = bodies.map(
    (body, index) =>
      `CREATE TABLE t${index} (x); CREATE TRIGGER g${index} AFTER INSERT ON t${index} BEGIN ${body}; END;`,
  );
  const path = scratch.database(
    'inside/triggers.db',
    `CREATE TABLE other (y); CREATE VIRTUAL TABLE old USING fts4(body); ${triggers.join('')}`,
  );
  const client = await clientOf();
  const before = seen();
  for (const [index, body] of bodies.entries()) {
    const insert = { query: `INSERT INTO t${index} VALUES (1)`, database: path };
    const { failed } = await call(client, 'write_query', insert);
    expect([body, failed]).toEqual([body, true]);
  }
  await answers(client, path);
  expect(seen()).toEqual(before);
});

const tamperings = [
  "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 't'",
  "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 't'",
  "UPDATE sqlite_schema SET rootpage = -5 WHERE name = 't'",
  "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'u') WHERE name = 't'",
  "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (x); ATTACH ''/tmp/x'' AS y' WHERE name = 't'",
  "UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE t USING fts5(x)', rootpage = 0 WHERE name = 't'",
  "UPDATE sqlite_schema SET sql = x'00ff', type = 'view' WHERE name = 't'",
  "UPDATE sqlite_schema SET name = NULL, tbl_name = 5 WHERE name = 't'",
  "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 't'",
];

test('calls on databases with a tampered schema are answered', async () => {
  const client = await clientOf();
  for (const seed of seeds(tamperings.length * 3).slice(0, tamperings.length)) {
    const sql = tamperings[seed - 1]!;
    const path = scratch.database(`inside/tampered-${seed}.db`);
    const db = scratch.open(path);
    db.exec('CREATE TABLE t (x); CREATE TABLE u (x); INSERT INTO u VALUES (1); CREATE INDEX i ON t (x)');
    db.unsafeMode();
    db.exec(`PRAGMA writable_schema = ON; ${sql}`);
    db.close();
    const others = { ...seen(), [path]: '' };
    for (const query of ['SELECT * FROM t', 'SELECT * FROM u', 'SELECT * FROM sqlite_schema'])
      await call(client, 'read_query', { query, database: path });
    await call(client, 'write_query', { query: 'INSERT INTO t VALUES (1)', database: path });
    await call(client, 'list_tables', { database: path });
    await call(client, 'describe_table', { table_name: 't', database: path });
    expect({ ...seen(), [path]: '' }).toEqual(others);
  }
  await answers(client, shop);
  expect(served.faults).toEqual([]);
});

test('databases with damaged bytes are answered or refused, and never end the server', async () => {
  const whole = scratch.database(
    'whole.db',
    `CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); CREATE INDEX i ON t (x); CREATE VIRTUAL TABLE f USING fts5(x);
     INSERT INTO t (x) SELECT hex(randomblob(40)) FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]');
     INSERT INTO t (x) SELECT hex(randomblob(900)) FROM t; INSERT INTO f SELECT x FROM t`,
  );
  const bytes = readFileSync(whole);
  const client = await clientOf();
  for (const seed of seeds(60)) {
    const random = new Random(seed);
    const copy = Buffer.from(bytes);
    // keep the first sixteen bytes, which make it a database
    for (let left = 1 + random.below(30); left > 0; left -= 1)
      copy[16 + random.below(copy.length - 16)] = random.below(256);
    const path = scratch.write(`inside/damaged-${seed % 4}.db`, copy);
    for (const query of [
      'SELECT * FROM t ORDER BY x',
      "SELECT * FROM f('a* OR b* OR c*')",
      'SELECT count(*) FROM t, f',
    ])
      await call(client, 'read_query', { query, database: path, timeout_ms: 2000 });
    await call(client, 'write_query', {
      query: "INSERT INTO t (x) VALUES ('new')",
      database: path,
      timeout_ms: 2000,
    });
  }
  await answers(client, shop);
});
