import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served('shared');
const { folder, database, open } = scratch();
const path = database(
  'long.db',
  `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, x);
   WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 6000)
     INSERT INTO t SELECT i * 3, 'name "' || i || '", é', i FROM n;`,
);

interface Facts {
  rows: unknown[][];
  row_count: number;
  truncated: boolean;
  next_cursor?: string;
}

const queries = [
  'SELECT * FROM t',
  'SELECT * FROM t ORDER BY id DESC',
  'SELECT x, upper(name) AS n, id FROM t WHERE id % 7 > 0 ORDER BY id',
  'SELECT * FROM t WHERE x > (SELECT 100 + count(*) FROM t AS other WHERE other.id < 300)',
  'SELECT id AS a, name AS b, length(name) FROM t ORDER BY id DESC',
];

/** Values for a row in the middle of a long page: SQLite does not write them as JSON, or they are long. */
const odd = ["x'00ff'", '9007199254740993', '1e999', "printf('%.5000c', 'y')", 'NULL'];

test('a long page has every row once, in order, wherever an unusual row is', async () => {
  const client = await served.client([folder], { maxOutput: 4_000_000 });
  const plain = open(path);
  for (const query of queries) {
    const wanted = plain.prepare(query).raw().all();
    expect((await call<Facts>(client, 'read_query', { query })).facts.rows, query).toEqual(wanted);
  }
  for (const value of odd) {
    const writer = open(path);
    writer.exec(`UPDATE t SET x = ${value} WHERE id IN (12000, 12003, 17997)`);
    writer.close();
    const { facts } = await call<Facts>(client, 'read_query', { query: 'SELECT * FROM t' });
    expect(facts.rows.map(([id]) => id)).toEqual(Array.from({ length: 6000 }, (_, index) => (index + 1) * 3));
    const plainRows = facts.rows.filter(([id, , x]) => x === (id as number) / 3);
    expect(plainRows.length, value).toBe(5997);
  }
});

test('a long page ends at its limit and within its bytes, and the next one continues after it', async () => {
  for (const [maxOutput, limit] of [
    [4_000_000, 4321],
    [150_000, undefined],
    [233_333, undefined],
  ] as const) {
    const client = await served.client([folder], { maxOutput });
    for (const query of queries) {
      const rows: unknown[][] = [];
      let cursor: string | undefined;
      do {
        const { facts } = await call<Facts>(client, 'read_query', {
          query,
          limit,
          ...(cursor && { cursor }),
        });
        expect(facts.truncated).toBe(facts.next_cursor !== undefined);
        expect(facts.row_count).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
        expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(maxOutput);
        // no page is shorter than necessary
        if (facts.truncated && limit === undefined)
          expect(Buffer.byteLength(JSON.stringify(facts))).toBeGreaterThan(maxOutput - 2000);
        if (facts.truncated && limit !== undefined) expect(facts.row_count).toBe(limit);
        rows.push(...facts.rows);
        cursor = facts.next_cursor;
      } while (cursor !== undefined);
      expect(rows.length, query).toBe(open(path).prepare(`SELECT count(*) FROM (${query})`).pluck().get());
      expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
    }
  }
});
