import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import type { Database } from '../../src/lane/driver.ts';
import { loadDriver } from '../../src/lane/driver.ts';
import { Served } from '../harness.ts';
import { type Counts, over } from './over.ts';

const served = new Served();
const rounds = full ? 2_000 : 60;

const schema = `
  CREATE TABLE a (id INTEGER PRIMARY KEY, k INTEGER UNIQUE, v);
  CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id) ON DELETE CASCADE ON UPDATE CASCADE, v);
  CREATE TABLE c (x, y, v, PRIMARY KEY (x, y)) WITHOUT ROWID;
  CREATE TABLE d (id INTEGER PRIMARY KEY, up INTEGER REFERENCES d (id) ON DELETE SET NULL, k UNIQUE ON CONFLICT REPLACE);
  CREATE TABLE log (id INTEGER PRIMARY KEY, t, v);
  CREATE VIEW w AS SELECT k, v FROM a;
  CREATE TRIGGER ai AFTER INSERT ON a BEGIN INSERT INTO log (t, v) VALUES ('a', new.v); END;
  CREATE TRIGGER bd AFTER DELETE ON b BEGIN DELETE FROM c WHERE x = old.id % 5; END;
  CREATE TRIGGER wi INSTEAD OF INSERT ON w BEGIN INSERT OR REPLACE INTO a (k, v) VALUES (new.k, new.v); END;
`;

/** A small generator whose numbers are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function statement(next: (below: number) => number): string {
  const n = (): number => next(12);
  const or = ['', '', 'OR REPLACE ', 'OR IGNORE '][next(4)]!;
  const key = n();
  const all = [
    `INSERT ${or}INTO a (id, k, v) VALUES (${n()}, ${n()}, ${n()}), (${n()}, ${n()}, ${n()})`,
    `INSERT ${or}INTO b (a, v) SELECT id, ${n()} FROM a WHERE id < ${n()}`,
    `INSERT INTO a (id, k) VALUES (${n()}, ${n()}) ON CONFLICT (id) DO UPDATE SET v = excluded.k ON CONFLICT DO NOTHING`,
    `INSERT ${or}INTO c VALUES (${n()}, ${n()}, ${n()})`,
    // SQLite ignores a reference to a row that REPLACE deletes, unless a trigger exists
    `INSERT INTO d (up, k) VALUES ((SELECT max(id) FROM d WHERE k <> ${key}), ${key})`,
    `INSERT INTO w VALUES (${n()}, ${n()})`,
    `UPDATE ${or}a SET id = id + ${n()} WHERE k > ${n()}`,
    `UPDATE ${or}a SET k = ${n()} WHERE id = ${n()}`,
    `UPDATE ${or}c SET x = x + 1 WHERE y < ${n()}`,
    `DELETE FROM a WHERE id % 4 = ${next(4)}`,
    `DELETE FROM b WHERE v < ${n()}`,
    `DELETE FROM d WHERE id = ${n()}`,
    `WITH few AS (SELECT id FROM a LIMIT 2) UPDATE b SET v = v + 1 WHERE a IN few`,
  ];
  return all[next(all.length)]!;
}

const tables = ['a', 'b', 'c', 'd', 'log'];
const contents = (db: Database): unknown[] =>
  tables.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().all());
const sizes = (db: Database): number[] =>
  tables.map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number);

test('random changes have the effects of SQLite, and the counts equal the rows that each table gained', async () => {
  const { write, db } = await over(served, schema);
  const mirror = new (loadDriver())(':memory:');
  mirror.exec(schema);
  const next = numbers(7);
  for (let round = 0; round < rounds; round += 1) {
    const sql = statement(next);
    const before = sizes(mirror);
    let failure: string | undefined;
    let changes = 0;
    try {
      ({ changes } = mirror.prepare(sql).run());
    } catch (error) {
      failure = (error as Error).message;
    }
    const { facts, failed, text } = await write(sql, { undo: false });
    expect([sql, failed, failed && text.includes(failure!)]).toEqual([
      sql,
      failure !== undefined,
      failure !== undefined,
    ]);
    expect([sql, contents(db)]).toEqual([sql, contents(mirror)]);
    if (failed) continue;
    const of = (table: string): Counts | undefined => facts.tables.find((each) => each.table === table);
    const gained = tables.map((table) => (of(table)?.inserted ?? 0) - (of(table)?.deleted ?? 0));
    expect([sql, facts.changes, gained]).toEqual([
      sql,
      changes,
      sizes(mirror).map((size, at) => size - before[at]!),
    ]);
  }
  mirror.close();
});
