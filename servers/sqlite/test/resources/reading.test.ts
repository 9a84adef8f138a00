import type { Revision } from '@rootbound/protocol';
import { type Client, RpcError } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { parseSqliteUri, type Target, toSqliteUri } from '../../src/resources/uri.ts';
import { allRevisions, newest, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served('file');
const { folder, database } = scratch();
const path = database(
  'a shop.db',
  `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, photo BLOB);
   INSERT INTO item VALUES (1, 'pen', 2.0, x'00ff'), (2, 'ink', NULL, NULL), (9007199254740993, 'big', 0.5, NULL);
   CREATE TABLE line (ord TEXT, pos INTEGER, note TEXT, PRIMARY KEY (ord, pos)) WITHOUT ROWID;
   INSERT INTO line VALUES ('x,y/ü', 1, 'first'), ('x,y/ü', 2, 'second');
   CREATE VIEW cheap AS SELECT name FROM item WHERE price < 1;
   CREATE TABLE many (n INTEGER PRIMARY KEY, text TEXT);
   WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 1234)
     INSERT INTO many SELECT n, printf('%0100d', n) FROM i;`,
);

const clients = new Map<string, Promise<Client>>();

/** Returns the client of this revision, one for all tests. */
function clientOf(revision: Revision = newest): Promise<Client> {
  const known = clients.get(revision) ?? served.client([folder], { revision });
  clients.set(revision, known);
  return known;
}

interface Facts extends Record<string, unknown> {
  readonly rows: readonly (readonly unknown[])[];
  readonly row: readonly unknown[];
  readonly next?: string;
}

async function factsAt(client: Client, uri: string): Promise<Facts> {
  const { contents } = await client.readResource(uri);
  const [content] = contents as { mimeType?: string; text?: string }[]; // the members that are compared
  expect(content?.mimeType).toBe('application/json');
  return JSON.parse(content?.text ?? '') as Facts;
}

const readAt = (client: Client, target?: Target) => factsAt(client, toSqliteUri(path, target));

async function refusal(client: Client, uri: string): Promise<number> {
  const outcome = await client.readResource(uri).catch((error: unknown) => error);
  if (outcome instanceof RpcError) return outcome.code;
  throw new Error(`${uri} was read`);
}

test('a database links to its schema, tables and rows, and each link can be read', async () => {
  const client = await clientOf();
  const facts = await readAt(client);
  const tables = facts.tables as { name: string; uri: string; rows_uri: string }[];
  expect(tables.map(({ name }) => name)).toEqual(['cheap', 'item', 'line', 'many']);
  for (const { uri, rows_uri } of tables) {
    expect(await factsAt(client, uri)).toMatchObject({ rows_uri });
    await factsAt(client, rows_uri);
  }
  const { statements } = await factsAt(client, facts.schema_uri as string);
  expect(statements).toContain('CREATE VIEW cheap AS SELECT name FROM item WHERE price < 1');
});

test('pages of rows contain every row once, in key order', async () => {
  const client = await served.client([folder], { maxOutput: 20_000 });
  const seen: unknown[] = [];
  let pages = 0;
  let next: string | undefined = toSqliteUri(path, { kind: 'rows', table: 'many' });
  while (next !== undefined) {
    const page: Facts = await factsAt(client, next);
    seen.push(...page.rows.map(([n]) => n));
    pages += 1;
    next = page.next;
  }
  expect(pages).toBeGreaterThan(5);
  expect(seen).toEqual(Array.from({ length: 1234 }, (_, index) => index + 1));
});

test('a row is read by its rowid or by all values of its key', async () => {
  const client = await clientOf();
  const row = async (table: string, ...key: string[]) =>
    (await readAt(client, { kind: 'row', table, key })).row;
  expect(await row('item', '1')).toEqual([1, 'pen', 2, { $blob: 'AP8=', bytes: 2 }]);
  expect(await row('item', '9007199254740993')).toEqual([{ $int: '9007199254740993' }, 'big', 0.5, null]);
  expect(await row('line', 'x,y/ü', '2')).toEqual(['x,y/ü', 2, 'second']);
});

test.each(allRevisions)('in %s a schema, a table, rows and a row are read', async (revision) => {
  const client = await clientOf(revision);
  expect(await readAt(client, { kind: 'schema' })).toMatchObject({ table_count: 4, truncated: false });
  const columns = ['id', 'name', 'price', 'photo'].map(
    (name) => expect.objectContaining({ name }) as unknown,
  );
  expect(await readAt(client, { kind: 'table', table: 'item' })).toMatchObject({ table: 'item', columns });
  expect((await readAt(client, { kind: 'rows', table: 'cheap' })).rows).toEqual([['big']]);
  expect((await readAt(client, { kind: 'row', table: 'item', key: ['2'] })).row).toEqual([
    2,
    'ink',
    null,
    null,
  ]);
});

test('a missing resource is reported as the revision specifies', async () => {
  const newer = await clientOf();
  const older = await clientOf('2025-06-18');
  const missing = [
    toSqliteUri(path, { kind: 'table', table: 'none' }),
    toSqliteUri(path, { kind: 'row', table: 'item', key: ['77'] }),
    toSqliteUri(path, { kind: 'row', table: 'item', key: ['1', '2'] }),
    toSqliteUri(`${folder}/none.db`),
    'sqlite:result/none',
    `${toSqliteUri(path)}?other`,
  ];
  for (const uri of missing) {
    expect(await refusal(newer, uri), uri).toBe(-32602);
    expect(await refusal(older, uri), uri).toBe(-32002);
  }
});

test('a URI parses to what it was made of', () => {
  const targets: Target[] = [
    { kind: 'database' },
    { kind: 'schema' },
    { kind: 'table', table: 'a&b=c d/ü?#' },
    { kind: 'rows', table: 'rows' },
    { kind: 'rows', table: 'key', cursor: 'aZ0-_' },
    { kind: 'row', table: 't', key: ['', 'a,b', '100%'] },
  ];
  for (const target of targets)
    expect(parseSqliteUri(toSqliteUri('/home/ann/a b?c#d.db', target))).toEqual({
      database: '/home/ann/a b?c#d.db',
      target,
    });
});

test('databases, tables and keys are suggested encoded for their templates', async () => {
  const client = await clientOf();
  const template = { type: 'ref/resource', uri: 'sqlite:///{+database}?table={table}&key={key}' } as const;
  const complete = async (name: string, value: string, resolved: Record<string, string> = {}) =>
    (await client.complete(template, { name, value }, resolved)).values;
  const encoded = toSqliteUri(path).slice('sqlite:///'.length);
  expect(await complete('database', '')).toContain(encoded);
  expect(await complete('table', 'i', { database: encoded })).toContain('item');
  expect(await complete('key', '1', { database: encoded, table: 'item' })).toEqual(['1']);
});
