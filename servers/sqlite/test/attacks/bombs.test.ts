import { expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { call, Served } from '../harness.ts';
import { answers, ground } from './ground.ts';

const served = new Served();
const { inside, shop, scratch, seen } = ground();
const doubling = Array.from(
  { length: 18 },
  (_, level) => `CREATE VIEW v${level + 1} AS SELECT * FROM v${level} UNION ALL SELECT * FROM v${level};`,
).join('');
const bombed = scratch.database('inside/bombed.db', `CREATE VIEW v0 AS SELECT 1 AS a;${doubling}`);

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
const bombs: [what: string, query: string, database: string][] = [
  ['a blob beyond every limit', 'SELECT zeroblob(2000000000)', shop],
  ['a text beyond every limit', "SELECT printf('%.*c', 2000000000, 'x')", shop],
  [
    'a text that grows by replacing',
    "SELECT replace(hex(zeroblob(9000000)), '0', '0123456789012345678901234567890123')",
    shop,
  ],
  ['a query that counts for ever', `${endless} SELECT count(*) FROM n`, shop],
  ['a sort that spills for ever', `${endless} SELECT i, hex(randomblob(500)) AS x FROM n ORDER BY x`, shop],
  ['a join of joins', `${endless} SELECT count(*) FROM n a, n b, n c`, shop],
  [
    'a group that holds everything',
    `${endless} SELECT length(group_concat(hex(zeroblob(1000)))) FROM n`,
    shop,
  ],
  ['views that double while they are prepared', 'SELECT * FROM v18', bombed],
];

test.each(sampled(bombs, 4))(
  '%s ends as a failure, and the server goes on answering',
  async (_, query, database) => {
    const client = await served.client([inside], { limits: { fileBytes: 64 << 20 } });
    const before = seen();
    const { failed } = await call(client, 'read_query', { query, database, timeout_ms: 400 });
    expect(failed).toBe(true);
    await answers(client, database);
    expect(seen()).toEqual(before);
  },
);

test.each([
  ['a blob', 'SELECT zeroblob(30000000) AS x'],
  ['many blobs', 'SELECT zeroblob(3000000) AS x FROM item, item b'],
  ['a text', "SELECT printf('%.*c', 30000000, 'x') AS x"],
  ['a text in rows without end', `${endless} SELECT i, printf('%.*c', 100000, 'x') FROM n`],
])('%s that is larger than a result is cut, or refused, within the budget', async (_, query) => {
  const client = await served.client([inside]);
  const { result } = await call(client, 'read_query', { query, database: shop, timeout_ms: 2000 });
  expect(JSON.stringify(result).length).toBeLessThan(300_000);
  await answers(client, shop);
});

test('a change that would fill the disk is rolled back', async () => {
  const client = await served.client([inside], { limits: { fileBytes: 8 << 20 } });
  const { failed } = await call(client, 'write_query', {
    query: 'INSERT INTO item (name) SELECT zeroblob(1000000) FROM item, item b, item c',
    database: shop,
    timeout_ms: 10_000,
  });
  expect(failed).toBe(true);
  const { facts } = await call<{ rows: unknown[] }>(client, 'read_query', {
    query: 'SELECT count(*) FROM item',
    database: shop,
  });
  expect(facts.rows).toEqual([[3]]);
});

test('a statement of a megabyte and an endlessly nested one are answered', async () => {
  const client = await served.client([inside]);
  const wide = await call(client, 'read_query', { query: `SELECT ${'1+'.repeat(900)}1`, database: shop });
  expect(wide.failed).toBe(false);
  for (const query of [
    `SELECT ${'('.repeat(40_000)}1${')'.repeat(40_000)}`,
    `SELECT ${'1+'.repeat(80_000)}1`,
    `SELECT '${'x'.repeat(500_000)}'; SELECT 1`,
    '/*'.repeat(500_000),
  ]) {
    const { failed } = await call(client, 'read_query', { query, database: shop });
    expect(failed).toBe(true);
  }
  await answers(client, shop);
});
