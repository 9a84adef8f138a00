import type { Chance } from '../values/generated.ts';

/** A schema with rows of all values that comparisons and aggregates treat specially. */
export function generatedTables(chance: Chance): string {
  const text = (): string => chance.pick(['NULL', "''", "'a'", "'A'", "'b  '", "'b'", "'ä'", "'10'", "'9'"]);
  const number = (): string => chance.pick(['NULL', '0', '1', '-1', '7', '9007199254740993']);
  // none of them equals an integer, so it does not matter which of two equal values is returned
  const real = (): string => chance.pick(['NULL', '0.5', '-2.25', '1e300', '-9e999']);
  const any = (): string => chance.pick([text, number, real, () => "x'00ff'", () => "x''"])();
  const rows = (make: () => string[]): string =>
    Array.from({ length: 14 }, (_, id) => `(${[id + 1, ...make()].join()})`).join();
  const link = (): string => chance.pick(['NULL', String(chance.below(18))]);
  return `CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER, t TEXT COLLATE NOCASE, r REAL, v);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER, u TEXT, w TEXT COLLATE RTRIM, m INTEGER);
    CREATE INDEX b_a ON b (a); CREATE INDEX a_t ON a (t); CREATE INDEX a_v ON a (v);
    INSERT INTO a VALUES ${rows(() => [number(), text(), real(), any()])};
    INSERT INTO b VALUES ${rows(() => [link(), text(), text(), number()])};`;
}

/** A query whose rows have one correct order, and its number of columns. */
export function generatedSelect(chance: Chance): { sql: string; columns: number } {
  const sql = chance.pick([joined, grouped, windowed, compound])(chance);
  const columns = 4;
  const order = Array.from({ length: columns }, (_, at) => `c${at + 1} COLLATE BINARY`).join(', ');
  const nulls = chance.pick(['', ' NULLS FIRST', ' NULLS LAST', ' DESC']);
  const limit = chance.pick(['', '', ` LIMIT ${chance.below(9)} OFFSET ${chance.below(4)}`]);
  return { sql: `SELECT c1, c2, c3, c4 FROM (${sql}) ORDER BY c1${nulls}, ${order}${limit}`, columns };
}

const join = (chance: Chance): string =>
  `a AS x ${chance.pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'])} b AS y ON ${chance.pick([
    'y.a = x.id',
    // in the other order SQLite 3.40 loses rows: its Bloom filter ignores RTRIM
    'x.t = y.u',
    'x.t = y.w',
    'x.n = y.m',
    'x.n IS y.m AND x.id > y.id',
  ])}`;

function condition(chance: Chance, depth = 0): string {
  if (depth < 2 && chance.next() < 0.4) {
    const [one, two] = [condition(chance, depth + 1), condition(chance, depth + 1)];
    return chance.pick([`(${one} AND ${two})`, `(${one} OR ${two})`, `NOT (${one})`]);
  }
  return chance.pick([
    'x.n > 0',
    'x.v IS NULL',
    "x.t = 'A'",
    "x.t COLLATE BINARY < 'b'",
    "y.w = 'b' COLLATE RTRIM",
    "y.u IN ('a', '10', NULL)",
    'x.n NOT IN (SELECT m FROM b)',
    'y.id BETWEEN 3 AND 9',
    "x.t LIKE 'A%'",
    "y.u GLOB '[0-9]*'",
    'EXISTS (SELECT 1 FROM b WHERE b.a = x.id)',
    'x.v < x.r',
    "x.v >= 'a'",
    '(x.n, y.m) = (7, 1)',
  ]);
}

const value = (chance: Chance): string =>
  chance.pick([
    'x.id',
    'y.id',
    'x.n',
    'x.t',
    'x.r',
    'x.v',
    'y.u',
    'y.w',
    "coalesce(x.t, y.u, 'none')",
    'x.n + y.id',
    'x.n / 2',
    'x.n % 3',
    'x.r * 2',
    "x.t || '|' || y.w",
    'upper(x.t)',
    'length(x.v)',
    'typeof(x.v)',
    'x.v = y.u',
    'x.t < y.u',
    "CASE WHEN x.n > 0 THEN 'plus' WHEN x.n IS NULL THEN NULL ELSE 'rest' END",
    'CAST(y.u AS INTEGER)',
    '(SELECT max(m) FROM b WHERE b.a = x.id)',
    'nullif(x.n, y.m)',
    'x.n & 6',
  ]);

const named = (columns: readonly string[]): string =>
  columns.map((column, at) => `${column} AS c${at + 1}`).join(', ');

function joined(chance: Chance): string {
  const columns = Array.from({ length: 4 }, () => value(chance));
  return `SELECT ${named(columns)} FROM ${join(chance)} WHERE ${condition(chance)}`;
}

function grouped(chance: Chance): string {
  const aggregate = (): string =>
    chance.pick([
      'count(*)',
      'count(x.t)',
      'count(DISTINCT x.t)',
      'count(DISTINCT y.u)',
      'sum(y.id)',
      'total(y.a)',
      'avg(y.id)',
      'min(x.r)',
      'max(y.m)',
      'max(x.id) FILTER (WHERE x.n > 0)',
    ]);
  const key = chance.pick(['x.n', 'lower(x.t)', 'y.a', 'typeof(x.v)', "x.t = 'a'", 'y.m IS NULL']);
  const having = chance.pick(['', ' HAVING count(*) > 1', ' HAVING sum(y.id) IS NOT NULL']);
  return `SELECT ${named([key, aggregate(), aggregate(), aggregate()])} FROM ${join(chance)} WHERE ${condition(chance)} GROUP BY ${key}${having}`;
}

function windowed(chance: Chance): string {
  const over = '(PARTITION BY x.n ORDER BY x.id, y.id)';
  const columns = ['x.id', 'y.id', `row_number() OVER ${over}`, `sum(y.id) OVER ${over}`];
  return `SELECT ${named(columns)} FROM ${join(chance)} WHERE ${condition(chance)}`;
}

function compound(chance: Chance): string {
  const part = (): string =>
    `SELECT ${named(['x.id', 'x.n', 'y.id', 'y.m'])} FROM ${join(chance)} WHERE ${condition(chance)}`;
  return `${part()} ${chance.pick(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'])} ${part()}`;
}
