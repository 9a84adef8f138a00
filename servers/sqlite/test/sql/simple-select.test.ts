import { expect, test } from 'vitest';
import { simpleSelect } from '../../src/lane/sql/simple-select.ts';

test.each<[sql: string, parts: Record<string, string>]>([
  ['SELECT * FROM item', { columns: '*', table: 'item', from: 'item' }],
  [
    '/* all */ select id, "from", (a + b) * 2 AS c from main . "it""em" AS i where (x > ? OR y IN (SELECT z FROM w LIMIT 1)) ;',
    {
      columns: 'id, "from", (a + b) * 2 AS c',
      schema: 'main',
      table: 'it"em',
      alias: 'i',
      from: 'main . "it""em" AS i',
      where: '(x > ? OR y IN (SELECT z FROM w LIMIT 1))',
    },
  ],
  [
    'SELECT upper(i.name) FROM [item] i',
    { columns: 'upper(i.name)', table: 'item', alias: 'i', from: '[item] i' },
  ],
  [
    'SELECT CASE WHEN a THEN 1 END, CAST(b AS INT) FROM t WHERE c',
    {
      columns: 'CASE WHEN a THEN 1 END, CAST(b AS INT)',
      table: 't',
      from: 't',
      where: 'c',
    },
  ],
])('%s is taken apart', (sql, parts) => {
  const simple = simpleSelect(sql)!;
  const { text, columns, from, where, schema, table, alias } = simple;
  const slice = (span: { start: number; end: number } | undefined): string | undefined =>
    span && text.slice(span.start, span.end);
  const parsed = { columns: slice(columns), schema, table, alias, from: slice(from), where: slice(where) };
  expect(JSON.parse(JSON.stringify(parsed))).toEqual(parts);
});

test.each([
  'SELECT 1',
  'SELECT FROM t',
  'SELECT DISTINCT a FROM t',
  'SELECT ALL a FROM t',
  'SELECT count(*) FROM t',
  'SELECT max(a) FROM t',
  'SELECT "count"(*) FROM t',
  'SELECT own(a) FROM t',
  'SELECT lower(a) OVER () FROM t',
  'SELECT sum(a) OVER w FROM t WINDOW w AS ()',
  'SELECT (SELECT max(b) FROM u) FROM t',
  'SELECT a FROM t, u',
  'SELECT a FROM t JOIN u',
  'SELECT a FROM t LEFT JOIN u ON 1',
  'SELECT a FROM (SELECT 1)',
  'SELECT a FROM f(1)',
  'SELECT a FROM t INDEXED BY i WHERE a',
  'SELECT a FROM t NOT INDEXED',
  'SELECT a FROM t ORDER BY a',
  'SELECT a FROM t WHERE a ORDER BY a',
  'SELECT a FROM t WHERE a GROUP BY a',
  'SELECT a FROM t WHERE a HAVING a',
  'SELECT a FROM t WHERE a LIMIT 1',
  'SELECT a FROM t WHERE a UNION SELECT 1',
  'SELECT a FROM t EXCEPT SELECT 1',
  'SELECT a FROM t WHERE a WINDOW w AS ()',
  'SELECT a FROM t WHERE',
  'SELECT a FROM t WHERE (a',
  'SELECT a FROM t WHERE a)',
  'SELECT a FROM t; SELECT 1',
  'EXPLAIN SELECT a FROM t',
  'WITH t AS (SELECT 1) SELECT a FROM t',
  'VALUES (1)',
  'DELETE FROM t',
  'SELECT a IS DISTINCT FROM b FROM t',
])('%s is left alone', (sql) => {
  expect(simpleSelect(sql)).toBeUndefined();
});
