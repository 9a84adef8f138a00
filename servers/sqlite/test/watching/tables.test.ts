import { describe, expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import type { Database } from '../../src/lane/driver.ts';
import { WatchedFile } from '../../src/lane/watching/watched-file.ts';
import { scratch } from '../scratch.ts';
import { randomOf } from './random.ts';

const { database, open } = scratch();
const names = ['a', 'b', 'c', 'keyed', 'search', 'area'];
const schema = `
  CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER, text TEXT); CREATE INDEX a_n ON a (n, text);
  CREATE TABLE b (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, text TEXT); CREATE UNIQUE INDEX b_n ON b (n, id);
  CREATE TABLE c (id INTEGER PRIMARY KEY, n INTEGER, text TEXT);
  CREATE TABLE keyed (id INTEGER, n INTEGER, text TEXT, PRIMARY KEY (id, n)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE search USING fts5 (text);
  CREATE VIRTUAL TABLE area USING rtree (id, low, high);
`;

/** Changes one table at random and returns whether a row of it was touched. */
function change(db: Database, table: string, random: (below: number) => number): boolean {
  const text = String(random(2 ** 31)).padEnd(random(8) === 0 ? random(12_000) : random(400), 'x');
  const id = random(500);
  const insert = (): boolean => {
    if (table === 'search') return db.prepare('INSERT INTO search (text) VALUES (?)').run(text).changes > 0;
    if (table === 'area')
      return (
        db.prepare('INSERT OR REPLACE INTO area VALUES (?, ?, ?)').run(id, id, id + random(100_000)).changes >
        0
      );
    const some = Array.from({ length: 1 + random(60) }, () => random(500));
    const statement = db.prepare(`INSERT OR REPLACE INTO ${table} (id, n, text) VALUES (?, ?, ?)`);
    for (const each of some) statement.run(each, random(9), text);
    return true;
  };
  const key = table === 'search' ? 'rowid' : 'id';
  switch (random(4)) {
    case 0:
      return (
        db.prepare(`DELETE FROM ${table} WHERE ${key} BETWEEN ? AND ?`).run(id, id + random(100)).changes > 0
      );
    case 1: {
      if (table === 'area')
        return db.prepare('UPDATE area SET high = high + 1 WHERE id = ?').run(id).changes > 0;
      return db.prepare(`UPDATE ${table} SET text = ? WHERE ${key} = ?`).run(text, id).changes > 0;
    }
    default:
      return insert();
  }
}

const rounds = tenth(120);

const large = 'CREATE TABLE large (data BLOB); INSERT INTO large VALUES (zeroblob(12000000));';

describe.each([
  ['wal', 'small', 'left open'],
  ['wal', 'small', 'closed'],
  ['wal', 'large', 'left open'],
  ['wal', 'large', 'closed'],
  ['delete', 'small', 'left open'],
  ['delete', 'large', 'left open'],
  ['truncate', 'small', 'left open'],
  ['persist', 'small', 'left open'],
])('with journal_mode = %s, a %s database that is %s by its only writer', (mode, size, ending) => {
  test('random transactions are reported by exactly the tables that they write', { timeout: 300_000 }, () => {
    const path = database(
      `random-${mode}-${size}-${ending}.db`,
      `PRAGMA page_size = 1024; PRAGMA journal_mode = ${mode}; ${schema} ${size === 'large' ? large : ''}`,
    );
    const connect = (): Database => {
      const made = open(path);
      made.pragma('synchronous = OFF');
      return made;
    };
    let db = connect();
    const watched = new WatchedFile(path);
    expect(watched.look(names).state).toBe('begun');
    const random = randomOf(mode.length);
    for (let round = 0; round < rounds; round++) {
      const touched = new Set<string>();
      db.exec('BEGIN');
      for (let count = 1 + random(3); count > 0; count--) {
        const table = names[random(names.length)]!;
        if (change(db, table, random)) touched.add(table);
      }
      const isKept = random(10) > 0;
      db.exec(isKept ? 'COMMIT' : 'ROLLBACK');
      if (random(15) === 0) db.pragma(`wal_checkpoint(${['PASSIVE', 'TRUNCATE', 'RESTART'][random(3)]})`);
      if (ending === 'closed') {
        db.close();
        db = connect();
      }
      const { tables } = watched.look(names);
      expect([...tables].sort(), `round ${round}`).toEqual(isKept ? [...touched].sort() : []);
    }
  });
});
