import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { toSqliteUri } from '../../src/resources/uri.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const { folder, database } = scratch();
const server = oneServer(folder);
const many = Array.from({ length: 1_000 }, (_, n) => `table_${String(n).padStart(4, '0')}`);
const path = database(
  'änd #1?/100% a+b.db',
  `BEGIN; ${many.map((name) => `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, text TEXT);`).join('\n')}
   CREATE TABLE "a&b=c/d, é" (k TEXT, n INTEGER, PRIMARY KEY (k, n)) WITHOUT ROWID;
   INSERT INTO "a&b=c/d, é" VALUES ('x,y', 1), ('x,y', 12), ('50% &', 3); COMMIT;`,
);
const encoded = toSqliteUri(path).slice('sqlite:///'.length);
const template = { type: 'ref/resource', uri: 'sqlite:///{+database}?table={table}&key={key}' } as const;

async function complete(
  client: Client,
  name: string,
  value: string,
  resolved: Record<string, string> = {},
): Promise<readonly string[]> {
  return (await client.complete(template, { name, value }, resolved)).values;
}

test('of 1,000 tables a hundred are listed and linked, and all are counted', async () => {
  const client = await server();
  const listed = (await client.listResources()).filter(({ uri }) => uri.startsWith(toSqliteUri(path)));
  expect(listed.length).toBe(102);
  expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(102 * 400);
  const [content] = (await client.readResource(toSqliteUri(path))).contents;
  const facts = JSON.parse(content !== undefined && 'text' in content ? content.text : '') as {
    table_count: number;
    truncated: boolean;
    tables: { uri: string }[];
  };
  expect(facts).toMatchObject({ table_count: 1_001, truncated: true });
  expect(facts.tables.length).toBe(100);
});

test('every table of a thousand is suggested by a part of its name', async () => {
  const client = await server();
  expect(await complete(client, 'table', 'table_0987', { database: encoded })).toEqual(['table_0987']);
  expect((await complete(client, 'table', 'table_', { database: encoded })).length).toBe(100);
});

test('suggestions are encoded, and lead to the suggested resource', async () => {
  const client = await server();
  const [found] = await complete(client, 'database', '');
  expect(found).toBe(encoded);
  // also within an escape, or within a letter of several escapes
  for (let typed = encoded; typed !== ''; typed = typed.slice(0, -1))
    expect(await complete(client, 'database', typed), typed).toEqual([encoded]);
  const [table] = await complete(client, 'table', encodeURIComponent('a&b'), { database: encoded });
  expect(table).toBe(encodeURIComponent('a&b=c/d, é'));
  const resolved = { database: encoded, table: table! };
  const keys = await complete(client, 'key', '', resolved);
  expect(keys.length).toBeGreaterThan(0);
  const whole = await complete(client, 'key', 'x%2Cy,1', resolved);
  expect(whole).toEqual(['x%2Cy,1', 'x%2Cy,12']);
  const uri = `sqlite:///${encoded}?table=${table}&key=${whole[1]}`;
  const [content] = (await client.readResource(uri)).contents;
  expect(JSON.parse(content !== undefined && 'text' in content ? content.text : '')).toMatchObject({
    row: ['x,y', 12],
  });
});

test('a broken escape gives no suggestions and no error', async () => {
  const client = await server();
  expect(await complete(client, 'database', 'a%zz')).toEqual([]);
  expect(await complete(client, 'table', '%E4x', { database: encoded })).toEqual([]);
  expect(await complete(client, 'key', '%zz', { database: encoded, table: 'table_0000' })).toEqual([]);
  expect(await complete(client, 'table', 't', { database: '%zz' })).toEqual([]);
});
