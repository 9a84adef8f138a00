import { ToolError } from '@rootbound/protocol';
import { expect, test } from 'vitest';
import { loadDriver } from '../../src/lane/driver.ts';
import type { Allowed } from '../../src/shared/sql/allowed.ts';
import { checkScript, checkStatement } from '../../src/statements.ts';
import { Random, seeds } from './random.ts';

const all: Allowed[] = ['read', 'write', 'script', 'explain'];

test.each<[sql: string, allowed: Allowed[]]>([
  ['SELECT 1', ['read', 'script', 'explain']],
  ['VALUES (1)', ['read', 'script', 'explain']],
  ['WITH a AS (SELECT 1) SELECT * FROM a;', ['read', 'script', 'explain']],
  ['WITH a AS (SELECT 1) DELETE FROM b', ['write', 'script', 'explain']],
  ['INSERT INTO a VALUES (1)', ['write', 'script', 'explain']],
  ['REPLACE INTO a VALUES (1)', ['write', 'script', 'explain']],
  ['UPDATE a SET x = 1', ['write', 'script', 'explain']],
  ['CREATE TABLE a (x)', ['write', 'script']],
  ['CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END', ['write', 'script']],
  ['DROP TABLE a', ['write', 'script']],
  ['ALTER TABLE a ADD b', ['write', 'script']],
  ['ANALYZE', ['write', 'script']],
  ['REINDEX', ['write', 'script']],
  ['EXPLAIN SELECT 1', ['read', 'explain']],
  ['EXPLAIN QUERY PLAN WITH a AS (SELECT 1) DELETE FROM b', ['read', 'explain']],
  ['EXPLAIN CREATE TABLE a (x)', []],
  ['EXPLAIN EXPLAIN SELECT 1', []],
  ['PRAGMA foreign_keys', []],
  ['(SELECT 1)', []],
  ['"PRAGMA" x', []],
])('%s is for %j', (sql, allowed) => {
  expect(all.filter((kind) => refusedBy(() => checkStatement(sql, kind)) === undefined)).toEqual(allowed);
});

const verbs = 'PRAGMA ATTACH DETACH VACUUM BEGIN COMMIT END ROLLBACK SAVEPOINT RELEASE'.split(' ');
const disguises = [
  (sql: string) => sql,
  (sql: string) => sql.toLowerCase(),
  (sql: string) => `\uFEFF${sql}`,
  (sql: string) => `;;\t;${sql}`,
  (sql: string) => `-- SELECT 1\n${sql}`,
  (sql: string) => `/* SELECT 1 /* */${sql}`,
  (sql: string) => `EXPLAIN ${sql}`,
  (sql: string) => `/**/eXplain/**/\uFEFFquery\f\v\rplan--\n${sql}`,
  (sql: string) => `EXPLAIN;${sql}`,
];

test.each(verbs)('%s is refused in every form, and the refusal names a tool or the reason', (verb) => {
  for (const disguise of disguises) {
    for (const kind of all) {
      const sql = disguise(`${verb} x`);
      expect([sql, refusedBy(() => checkStatement(sql, kind))]).toEqual([sql, 'refused']);
    }
  }
  expect(() => checkScript(`SELECT 1; ${verb} x`)).toThrow(`${verb} is refused`);
});

test.each<[sql: string, code: string]>([
  ['', 'empty-statement'],
  [' ; -- nothing', 'empty-statement'],
  ['/* PRAGMA x', 'empty-statement'],
  ['SELECT 1; DELETE FROM a', 'multiple-statements'],
  ['SELECT 1; PRAGMA x', 'multiple-statements'],
  ['SELECT 1\0; DELETE FROM a', 'refused'],
])('%j is reported as %s', (sql, code) => {
  expect(refusedBy(() => checkStatement(sql, 'read'))).toBe(code);
  if (code !== 'multiple-statements') expect(refusedBy(() => checkScript(sql))).toBe(code);
});

test('a text that was accepted for one kind of tool is checked again for another', () => {
  checkStatement('DELETE FROM a', 'write');
  expect(refusedBy(() => checkStatement('DELETE FROM a', 'read'))).toBe('refused');
  expect(checkStatement('DELETE FROM a', 'write')).toBe(checkStatement('DELETE FROM a', 'write'));
});

const fragments = [
  ' ',
  '\n',
  '\t',
  '\f',
  '\r',
  '\v',
  ';',
  '\uFEFF',
  '-- x\n',
  '--',
  '/* x */',
  '/*',
  '/**/',
  '*/',
  '/',
  '\0',
  '\u00A0',
  'EXPLAIN',
  'QUERY PLAN',
  'explain ',
  'query ',
  'plan ',
  'SELECT 1',
  "'",
  '"',
  '`',
  '[',
  ']',
  '(',
  ')',
  'x',
  '1',
];
const effects = ['PRAGMA foreign_keys=OFF', 'PRAGMA/**/foreign_keys=0', 'pragma main . foreign_keys(off)'];

test('no accepted text generated around a pragma has an effect in SQLite', () => {
  const db = new (loadDriver())(':memory:');
  const setting = db.prepare('PRAGMA foreign_keys').pluck();
  db.pragma('foreign_keys = ON');
  let effective = 0;
  for (const seed of seeds(20_000)) {
    const random = new Random(seed);
    const sql = random.run(fragments, 6) + random.pick(effects) + random.run(fragments, 3);
    const isRefused = all.every((kind) => refusedBy(() => checkStatement(sql, kind)) !== undefined);
    const hadEffect = turnsOff(sql);
    expect([sql, hadEffect && !isRefused]).toEqual([sql, false]);
    if (hadEffect) effective += 1;
  }
  expect(effective).toBeGreaterThan(100);

  function turnsOff(sql: string): boolean {
    try {
      db.prepare(sql).all();
    } catch (error) {
      // most are not SQL; some take effect all the same
      if (!(error instanceof Error)) throw error;
    }
    if (setting.get() === 1) return false;
    db.pragma('foreign_keys = ON');
    return true;
  }
});

function refusedBy(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}
