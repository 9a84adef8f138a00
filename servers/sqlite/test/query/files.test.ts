import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Results } from '../../src/results/store.ts';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, database, write } = scratch();
database(
  'big.db',
  `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
   WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) INSERT INTO t SELECT i, 'name ' || i FROM n;`,
);

interface Facts {
  row_count: number;
  truncated: boolean;
  result: { uri: string; mime_type: string; bytes: number };
}

test('a large query reports progress and returns a link to all rows as CSV', async () => {
  const client = await served.client([folder]);
  const progressed: { progress: number; total?: number | undefined }[] = [];
  const { facts, result } = await call<Facts>(
    client,
    'read_query',
    { query: 'SELECT * FROM t', format: 'csv' },
    { onProgress: (progress) => void progressed.push(progress) },
  );
  expect(facts).toMatchObject({ row_count: 200_000, truncated: false });
  expect(result.content[0]).toEqual({
    type: 'resource_link',
    uri: facts.result.uri,
    name: 'result.csv',
    mimeType: 'text/csv',
    size: facts.result.bytes,
  });
  expect(progressed.length).toBeGreaterThan(0);
  expect(progressed.every(({ total }) => total === 200_000)).toBe(true);
});

test('a failed query leaves no result', async () => {
  const client = await served.client([folder]);
  const { failed, code } = await call(client, 'read_query', { query: 'SELECT nothing', format: 'csv' });
  expect([failed, code]).toEqual([true, 'sql']);
});

test('a result belongs to its owner, and is removed when unused or when space is needed', () => {
  let now = 0;
  const results = new Results(folder, { bytes: 100, ms: 1000, count: 3 }, () => now);
  const keep = (owner: string, bytes: number): string => {
    const place = results.reserve();
    write(place.path.slice(folder.length + 1), Buffer.alloc(bytes));
    results.keep(place, owner, { name: 'a', mimeType: 'text/csv', size: bytes });
    return place.handle;
  };
  const first = keep('ann', 40);
  const second = keep('ann', 40);
  expect([results.find(first, 'bob'), results.find(first, 'ann')?.handle]).toEqual([undefined, first]);
  const third = keep('bob', 40);
  // the second was used least recently
  expect(
    [first, second, third].map((one) => results.find(one, one === third ? 'bob' : 'ann') !== undefined),
  ).toEqual([true, false, true]);
  const { path } = results.find(first, 'ann')!;
  now = 1001;
  expect(results.find(first, 'ann')).toBe(undefined);
  expect(() => readFileSync(path)).toThrow('ENOENT');
  results.close();
});

test.each([{ limit: 5 }, { cursor: 'x' }])(
  'format writes all rows, so %j is refused with it',
  async (page) => {
    const client = await served.client([folder]);
    const { code, text } = await call(client, 'read_query', { query: 'SELECT 1', format: 'csv', ...page });
    expect([code, text.includes('format')]).toEqual(['invalid-arguments', true]);
  },
);
