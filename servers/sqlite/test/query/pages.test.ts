import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served('shared');
const { folder, database, open } = scratch();
const numbers = (most: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${most}) `;
const path = database(
  'pages.db',
  `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
   ${numbers(3000)} INSERT INTO t SELECT i * 2, 'name ' || i FROM n;
   CREATE TABLE bare (x);
   ${numbers(500)} INSERT INTO bare SELECT i FROM n;
   CREATE TABLE pair (a TEXT, b REAL, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
   ${numbers(600)} INSERT INTO pair SELECT 'k' || (i % 7), i, i FROM n;
   CREATE TABLE big (id INTEGER PRIMARY KEY);
   INSERT INTO big VALUES (-9223372036854775808), (-1), (0), (9007199254740993), (9223372036854775807);
   CREATE VIEW v AS SELECT name FROM t;`,
);

interface Facts {
  rows: unknown[][];
  row_count: number;
  truncated: boolean;
  next_cursor?: string;
  snapshot_truncated?: boolean;
}

/** Reads all rows of a query page by page, and calls `between` between two of them. */
async function drain(
  client: Client,
  args: Record<string, unknown>,
  between: (page: number) => void = () => {},
): Promise<{ rows: unknown[][]; pages: number; lines: string[] }> {
  const rows: unknown[][] = [];
  const lines: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const { facts, text } = await call<Facts>(client, 'read_query', { ...args, ...(cursor && { cursor }) });
    if (facts === undefined) throw new Error(text);
    expect(facts.row_count).toBe(facts.rows.length);
    expect(facts.truncated).toBe(facts.next_cursor !== undefined);
    rows.push(...facts.rows);
    lines.push(...text.split('\n').slice(1, -1));
    cursor = facts.next_cursor;
    if (cursor === undefined) return { rows, pages, lines };
    between(pages);
  }
}

const queries = [
  'SELECT * FROM t',
  'SELECT name FROM t -- a comment',
  'SELECT name AS id FROM t WHERE id % 3 = 0 OR id > 5000',
  'SELECT * FROM t ORDER BY id DESC',
  'SELECT x.name FROM t AS x ORDER BY id',
  'SELECT -id AS id FROM t ORDER BY id',
  'SELECT * FROM bare',
  'SELECT * FROM pair',
  'SELECT c FROM pair WHERE a > :least',
  'SELECT * FROM t ORDER BY name',
  'SELECT * FROM v',
  'SELECT t.name, bare.x FROM t JOIN bare ON bare.x = t.id',
  "VALUES (1, 'a'), (2, 'b'), (3, x'00')",
];

describe('pages', () => {
  test('return every row once, in order, for any query', async () => {
    const client = await served.client([folder]);
    const db = open(path);
    for (const query of queries) {
      const args = query.includes(':least') ? { query, params: { least: 'k3' } } : { query };
      const { rows, pages } = await drain(client, { ...args, limit: query.startsWith('VALUES') ? 1 : 170 });
      const plain = db.prepare(query).raw();
      const wanted = (query.includes(':least') ? plain.all({ least: 'k3' }) : plain.all()) as unknown[][];
      expect(pages, query).toBeGreaterThan(1);
      if (query.startsWith('VALUES')) expect(rows.length).toBe(3);
      else expect(rows, query).toEqual(wanted);
    }
  });

  test('are limited by bytes if no limit is given, with the same rows in both halves', async () => {
    const client = await served.client([folder], { maxOutput: 4000 });
    for (const query of ['SELECT * FROM t', 'SELECT * FROM v']) {
      const { rows, lines, pages } = await drain(client, { query });
      expect([rows.length, lines.length, pages > 5]).toEqual([3000, 3000, true]);
    }
  });

  test('continue after keys that JSON numbers cannot hold', async () => {
    const client = await served.client([folder]);
    const { rows } = await drain(client, { query: 'SELECT * FROM big', limit: 1 });
    expect(rows.flat()).toEqual([
      { $int: '-9223372036854775808' },
      -1,
      0,
      { $int: '9007199254740993' },
      { $int: '9223372036854775807' },
    ]);
  });

  test('a page of exactly as many rows as there are is the last', async () => {
    const client = await served.client([folder]);
    for (const query of ['SELECT * FROM big', 'SELECT * FROM big ORDER BY -id'])
      expect((await drain(client, { query, limit: 5 })).pages).toBe(1);
  });
});

describe('while others write', () => {
  test('pages by key neither repeat nor omit unchanged rows', async () => {
    const copy = database(
      'moving.db',
      `CREATE TABLE t (id INTEGER PRIMARY KEY); ${numbers(1000)} INSERT INTO t SELECT i * 2 FROM n`,
    );
    const db = open(copy);
    const client = await served.client([folder]);
    const { rows } = await drain(client, { query: 'SELECT id FROM t', limit: 90, database: copy }, (page) => {
      db.exec(
        `DELETE FROM t WHERE id IN (${page * 180}, ${page * 20}); INSERT INTO t VALUES (${page * 2 + 1}), (${1999 - page * 2})`,
      );
    });
    const ids = rows.flat() as number[];
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    const stayed = db.prepare('SELECT id FROM t WHERE id % 2 = 0').pluck().all() as number[];
    expect(stayed.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('pages of any other query keep the state of the first page', async () => {
    const copy = database(
      'still.db',
      `CREATE TABLE t (id INTEGER PRIMARY KEY); ${numbers(1000)} INSERT INTO t SELECT i FROM n`,
    );
    const db = open(copy);
    const client = await served.client([folder]);
    const query = 'SELECT id FROM t ORDER BY -id';
    const { rows } = await drain(client, { query, limit: 90, database: copy }, () =>
      db.exec('DELETE FROM t'),
    );
    expect(rows.flat()).toEqual(Array.from({ length: 1000 }, (_, index) => 1000 - index));
  });

  test('a cursor of a table that was recreated without its key has expired', async () => {
    const copy = database(
      'anew.db',
      `CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)`,
    );
    const db = open(copy);
    const client = await served.client([folder]);
    const args = { query: 'SELECT * FROM t', limit: 1, database: copy };
    const { facts } = await call<Facts>(client, 'read_query', args);
    db.exec('DROP TABLE t; CREATE VIEW t AS SELECT 1 AS id');
    const { code } = await call(client, 'read_query', { ...args, cursor: facts.next_cursor });
    expect(code).toBe('cursor-expired');
  });
});

test('a cursor continues its own query with its own params only', async () => {
  const client = await served.client([folder]);
  const query = 'SELECT * FROM t WHERE id > ?';
  const { facts } = await call<Facts>(client, 'read_query', {
    query,
    params: [4],
    limit: 2,
    database: path,
  });
  for (const other of [
    { query, params: [5] },
    { query: 'SELECT * FROM t WHERE id>?', params: [4] },
  ]) {
    const { code } = await call(client, 'read_query', {
      ...other,
      database: path,
      cursor: facts.next_cursor,
    });
    expect(code).toBe('invalid-cursor');
  }
});

test('a larger limit gives larger pages, whose text shows the first rows and has a cursor of its own', async () => {
  const client = await served.client([folder], { maxOutput: 1_000_000 });
  const wide = "printf('%100d', id)";
  for (const query of [`SELECT id, ${wide} AS w FROM t`, `SELECT id, ${wide} AS w FROM t ORDER BY w`]) {
    const { facts, text } = await call<Facts>(client, 'read_query', { query, database: path });
    expect([facts.rows.length, facts.truncated]).toEqual([3000, false]);
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    const [, visible, cursor] = /\[(\d+) of 3000 rows .*; more with cursor (\S+)\]$/.exec(text) ?? [];
    const rest = await call<Facts>(client, 'read_query', { query, cursor, database: path });
    expect(rest.facts.rows).toEqual(facts.rows.slice(Number(visible)));
  }
});
