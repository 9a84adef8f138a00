import { describe, expect, test } from 'vitest';
import { type Observation, WatchedFile } from '../../src/lane/watching/watched-file.ts';
import { scratch } from '../scratch.ts';

const { database, open } = scratch();
const names = ['blobs', 'a', 'b'];
const MiB = 2 ** 20;

/** Creates a database of 24 MiB: a table of 12 MiB, one of the same size that is not watched, and small ones. */
function large(name: string, mode: string): string {
  return database(
    name,
    `PRAGMA journal_mode = ${mode}; PRAGMA synchronous = OFF;
     CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX a_text ON a (text);
     CREATE TABLE b (id INTEGER PRIMARY KEY, text TEXT);
     CREATE TABLE blobs (id INTEGER PRIMARY KEY, data BLOB); CREATE TABLE other (data BLOB);
     WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 300)
       INSERT INTO a SELECT n, hex(randomblob(100)) FROM i;
     INSERT INTO b SELECT * FROM a;
     INSERT INTO blobs VALUES (1, zeroblob(${6 * MiB})), (2, zeroblob(${6 * MiB}));
     INSERT INTO other VALUES (zeroblob(${12 * MiB}));`,
  );
}

/** Runs SQL in the only connection, closes it, and returns what the next check finds. */
function seenAfter(watched: WatchedFile, path: string, sql: string): Observation {
  const db = open(path);
  db.exec(sql);
  db.close();
  return watched.look(names);
}

const sorted = ({ tables }: Observation): string[] => [...tables].sort();

test('in WAL mode changed tables are exact, also if the last connection removes the WAL', () => {
  const path = large('wal.db', 'wal');
  const watched = new WatchedFile(path);
  watched.look(names);
  const changed = (sql: string): string[] => sorted(seenAfter(watched, path, sql));
  expect(changed("INSERT INTO b (text) VALUES ('b')")).toEqual(['b']);
  expect(changed("UPDATE a SET text = 'x' WHERE id = 7")).toEqual(['a']);
  expect(changed("UPDATE blobs SET data = x'01' WHERE id = 1")).toEqual(['blobs']);
  expect(changed('INSERT INTO a (text) VALUES (hex(randomblob(5000))); DELETE FROM b')).toEqual(['a', 'b']);
  expect(changed('UPDATE other SET data = 1')).toEqual([]);
  // the frames show it without reading tables
  const db = open(path);
  db.exec("INSERT INTO b (text) VALUES ('c')");
  expect(sorted(watched.look(names))).toEqual(['b']);
  db.exec('DELETE FROM blobs WHERE id = 2');
  expect(sorted(watched.look(names))).toEqual(['blobs']);
});

describe('in rollback mode', () => {
  test('a table of less than 10 MB is reported exactly, a larger one at every commit', () => {
    const path = large('delete.db', 'delete');
    const watched = new WatchedFile(path);
    watched.look(names);
    const changed = (sql: string): string[] => sorted(seenAfter(watched, path, sql));
    expect(changed("INSERT INTO b (text) VALUES ('b')")).toEqual(['b', 'blobs']);
    expect(changed("UPDATE a SET text = 'x' WHERE id = 7")).toEqual(['a', 'blobs']);
    expect(changed('UPDATE other SET data = 1')).toEqual(['blobs']);
    expect(changed('BEGIN; DELETE FROM a; ROLLBACK')).toEqual([]);
    expect(changed("UPDATE blobs SET data = x'01' WHERE id = 1")).toEqual(['blobs']);
  });

  test('a check that cannot distinguish all tables is coarse and counts the commits', () => {
    const path = large('coarse.db', 'delete');
    const watched = new WatchedFile(path);
    watched.look(names);
    const sql = "INSERT INTO b (text) VALUES ('b')";
    expect(seenAfter(watched, path, sql)).toMatchObject({ commits: 1, coarse: true });
    expect(seenAfter(watched, path, `${sql}; ${sql}`)).toMatchObject({ commits: 2, coarse: true });
  });

  test('changed tables of a large database are exact once it is in WAL mode', () => {
    const path = large('turned.db', 'delete');
    const watched = new WatchedFile(path);
    watched.look(names);
    seenAfter(watched, path, 'PRAGMA journal_mode = wal');
    expect(sorted(seenAfter(watched, path, "INSERT INTO b (text) VALUES ('b')"))).toEqual(['b']);
    expect(sorted(seenAfter(watched, path, "UPDATE blobs SET data = x'01' WHERE id = 1"))).toEqual(['blobs']);
  });
});

describe('with auto_vacuum', () => {
  test('no change of tables with moved pages is missed', () => {
    const path = database(
      'moving.db',
      `PRAGMA auto_vacuum = full; PRAGMA journal_mode = wal; CREATE TABLE gap (n); CREATE TABLE a (id INTEGER PRIMARY KEY, text);
       CREATE TABLE b (id INTEGER PRIMARY KEY, text);
       WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 200)
         INSERT INTO gap SELECT hex(randomblob(500)) FROM i;
       INSERT INTO a SELECT rowid, n FROM gap; INSERT INTO b SELECT rowid, n || n || n || n || n FROM gap;`,
    );
    const db = open(path);
    const watched = new WatchedFile(path);
    watched.look(['a', 'b']);
    db.exec('DELETE FROM gap');
    watched.look(['a', 'b']);
    for (let id = 1; id <= 200; id += 9) {
      db.exec(`UPDATE b SET text = text || 'x' WHERE id = ${id}`);
      expect(watched.look(['a', 'b']).tables, `row ${id}`).toContain('b');
      db.exec(`UPDATE a SET text = 'x' WHERE id = ${id}`);
      expect(watched.look(['a', 'b']).tables, `row ${id}`).toContain('a');
    }
  });
});
