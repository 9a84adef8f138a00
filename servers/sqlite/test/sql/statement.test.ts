import { expect, test } from 'vitest';
import { loadDriver } from '../../src/lane/driver.ts';
import { bindingsOf } from '../../src/lane/values/bind.ts';
import { quoteName, quoteText } from '../../src/shared/sql/names.ts';
import { type Parameters, parametersOf } from '../../src/shared/sql/parameters.ts';
import { hasWhere, splitStatements } from '../../src/shared/sql/statement.ts';
import { Random, seeds } from './random.ts';

const Driver = loadDriver();

test.each<[sql: string, texts: string[]]>([
  ['', []],
  [' ;; -- nothing\n; /* at all', []],
  ['SELECT 1', ['SELECT 1']],
  [';SELECT 1 ; /* ; */ SELECT \';\', ";", `;`, [;] ; -- ;', ['SELECT 1', 'SELECT \';\', ";", `;`, [;]']],
  [
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM a; END; SELECT 1',
    [
      'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM a; END',
      'SELECT 1',
    ],
  ],
  [
    'EXPLAIN CREATE /**/ TEMP TRIGGER t DELETE ON a BEGIN SELECT 1; END /**/; COMMIT',
    ['EXPLAIN CREATE /**/ TEMP TRIGGER t DELETE ON a BEGIN SELECT 1; END', 'COMMIT'],
  ],
  ['CREATE TABLE "trigger" (a); SELECT 1; END', ['CREATE TABLE "trigger" (a)', 'SELECT 1', 'END']],
  ['SELECT 1;\0SELECT 2', ['SELECT 1']],
])('%j is split where SQLite splits it', (sql, texts) => {
  const statements = splitStatements(sql);
  expect(statements.map(({ text }) => text)).toEqual(texts);
  expect(statements.map(({ start, end }) => sql.slice(start, end))).toEqual(texts);
});

const parts = [
  'SELECT 1',
  'INSERT INTO a VALUES (\';\', "x")',
  "INSERT INTO a (x) SELECT CASE x WHEN 'a;' THEN 1 ELSE 2 END FROM a /* ; */ WHERE x",
  'CREATE TRIGGER IF NOT EXISTS t AFTER INSERT ON a BEGIN UPDATE a SET n = CASE n WHEN 1 THEN 2 END; SELECT 1; END',
  "CREATE TEMP TRIGGER IF NOT EXISTS u DELETE ON a WHEN old.x -- ;\nBEGIN INSERT INTO a VALUES (';', 2); END",
  'CREATE TABLE IF NOT EXISTS "b;" (y DEFAULT \';END;\')',
  'DELETE FROM a WHERE x = 2',
  'EXPLAIN QUERY PLAN SELECT 1',
  'DROP TRIGGER IF EXISTS t',
  'WITH c AS (SELECT 1) INSERT INTO a SELECT *, 2 FROM c',
];
const between = [';', ' ; ', ';;', ';\n-- ; CREATE TRIGGER\n', '; /* BEGIN; */ ', ' \uFEFF;\t;'];

test('a generated script is split into its statements, and SQLite refuses two at once', () => {
  const db = new Driver(':memory:');
  db.exec('CREATE TABLE a (x, n); CREATE TABLE x (y)');
  for (const seed of seeds(2000)) {
    const random = new Random(seed);
    const texts = Array.from({ length: 1 + random.below(5) }, () =>
      random.pick(parts.slice(0, 1).concat(parts.slice(2))),
    );
    const sql = random.pick(['', '\uFEFF', ';']) + texts.map((text) => text + random.pick(between)).join('');
    const statements = splitStatements(sql);
    expect(statements.map(({ text }) => text)).toEqual(texts);
    for (const [index, { text }] of statements.entries()) {
      expect(() => db.prepare(`${text};`)).not.toThrow();
      const next = statements[index + 1];
      if (next !== undefined)
        expect(() => db.prepare(`${text}; ${next.text}`)).toThrow('more than one statement');
    }
  }
  db.close();
});

test('a script has the same effects statement by statement and as a whole in SQLite', () => {
  for (const seed of seeds(300)) {
    const random = new Random(seed);
    const usable = parts.filter((part) => !part.includes('"x")') && !part.startsWith('EXPLAIN'));
    const sql = Array.from(
      { length: 1 + random.below(6) },
      () => random.pick(usable) + random.pick(between),
    ).join('');
    const [whole, single] = [new Driver(':memory:'), new Driver(':memory:')];
    for (const db of [whole, single]) db.exec("CREATE TABLE a (x, n); INSERT INTO a VALUES ('a;', 1)");
    whole.exec(sql);
    for (const { text } of splitStatements(sql)) single.exec(text);
    const [a, b] = [whole, single].map((db) => [
      db.prepare('SELECT * FROM a').all(),
      db.prepare('SELECT sql FROM sqlite_schema UNION ALL SELECT sql FROM sqlite_temp_schema').all(),
    ]);
    expect([sql, b]).toEqual([sql, a]);
    whole.close();
    single.close();
  }
});

test.each<[sql: string, verb: string, action: string]>([
  ['select 1', 'SELECT', 'SELECT'],
  ['/**/;EXPLAIN\n QUERY -- x\n PLAN Pragma a', 'PRAGMA', 'PRAGMA'],
  ['EXPLAIN DELETE FROM a', 'DELETE', 'DELETE'],
  ['WITH a AS (SELECT 1) SELECT 2', 'WITH', 'SELECT'],
  [
    'WITH RECURSIVE a(b, c) AS NOT MATERIALIZED (SELECT (1)), [d] AS (VALUES (1)) REPLACE INTO x SELECT 1',
    'WITH',
    'REPLACE',
  ],
  ['WITH replace AS (SELECT 1) SELECT * FROM replace', 'WITH', 'SELECT'],
  ['WITH a AS (SELECT 1', 'WITH', ''],
  ['"SELECT" 1', '', ''],
  ['(SELECT 1)', '', ''],
])('%j begins with %s and does %s', (sql, verb, action) => {
  const [statement] = splitStatements(sql);
  expect(statement?.verb ?? '').toBe(verb);
  expect(statement?.action || statement?.verb).toBe(action || verb);
});

test.each<[sql: string, has: boolean]>([
  ['DELETE FROM a', false],
  ['DELETE FROM a WHERE 1', true],
  ['DELETE FROM "where"', false],
  ['DELETE FROM a RETURNING (SELECT 1 WHERE 1)', false],
  ['WITH c AS (SELECT 1 WHERE 1) DELETE FROM a', false],
  ['WITH c AS (SELECT 1) DELETE FROM a WHERE x IN c', true],
  ['UPDATE a SET x = (SELECT 1 FROM b WHERE b.y = a.x)', false],
  ['UPDATE a SET x = 1 FROM (SELECT 1 WHERE 1) /* WHERE 1 */', false],
  ['EXPLAIN UPDATE a SET x = 1 FROM b WHERE a.x = b.y', true],
  ['DELETE FROM a LIMIT 1', false],
])('whether %j has a WHERE of its own: %s', (sql, has) => {
  expect(hasWhere(splitStatements(sql)[0]!)).toBe(has);
});

test.each(['a', 'a"b', "it's", '[x]', 'select', '', 'é;--'])(
  'SQLite reads the quoted name and text %j back',
  (name) => {
    const db = new Driver(':memory:');
    expect(db.prepare(`SELECT ${quoteText(name)} AS ${quoteName(name)}`).get()).toEqual({ [name]: name });
    db.close();
  },
);

test.each<[sql: string, parameters: Parameters]>([
  ['SELECT ?, ?', [undefined, undefined]],
  ['SELECT :a, @a, $a, :a', [':a', '@a', '$a']],
  ['SELECT ?3, ?', [undefined, undefined, '?3', undefined]],
  ['SELECT ?, :b, ?, ?2', [undefined, ':b', undefined]],
  ['SELECT ?01, ?1', ['?01']],
  ['SELECT \':a\', "?" FROM (SELECT 1 AS "?") -- :b', []],
])('the parameters of %j are those that the driver wants', (sql, expected) => {
  const parameters = parametersOf(sql);
  expect(parameters).toEqual(expected);
  const db = new Driver(':memory:');
  const values = bindingsOf(
    parameters,
    parameters.map(() => null),
  );
  expect(() => db.prepare(sql).all(...values)).not.toThrow();
  if (values.length > 0) expect(() => db.prepare(sql).all(...values.slice(1))).toThrow();
  db.close();
});

test.each(['?0', '?32767', '?999999999', '?99999999999999999999'])(
  '%s is out of range and allocates no memory',
  (written) => {
    expect(() => parametersOf(`SELECT ${written}`)).toThrow(`${written} is out of range`);
  },
);
