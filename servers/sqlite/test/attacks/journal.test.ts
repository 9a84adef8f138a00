import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../src/lane/driver.ts';
import { superJournalOf } from '../../src/lane/journal.ts';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { hotJournal, trailerOf } from './hot-journal.ts';

const served = new Served();
const { folder, database, write } = scratch();
let made = 0;

/** A database in a root, and a file outside the roots that its journal names. */
function planted(wal = false): { root: string; path: string; victim: string; plant(bytes?: Buffer): void } {
  made += 1;
  const path = database(`in/${made}/a.db`, `${wal ? 'PRAGMA journal_mode = WAL;' : ''} CREATE TABLE t (x)`);
  // SQLite 3.54 and later delete only a file with such a name and content, earlier versions any file
  const victim = write(`outside/${made}-mj0123459ab`, `${path}-journal\0`);
  const plant = (bytes = hotJournal(path, victim)): void => {
    write(`in/${made}/a.db-journal`, bytes);
  };
  return { root: join(folder, `in/${made}`), path, victim, plant };
}

test.each([false, true])('without the check a journal deletes a file outside the roots (WAL: %s)', (wal) => {
  const { path, victim, plant } = planted(wal);
  plant();
  const db = new (loadDriver())(path);
  db.prepare('SELECT count(*) FROM t').get();
  db.close();
  expect(existsSync(victim)).toBe(false);
});

test.each([false, true])('reading and writing keep the file that a journal names (WAL: %s)', async (wal) => {
  const { root, victim, plant } = planted(wal);
  plant();
  const client = await served.client([root]);
  const { code } = await call(client, 'write_query', { query: 'INSERT INTO t VALUES (1)' });
  expect([code, existsSync(victim)]).toEqual(['hostile-journal', true]);
  const read = await call(client, 'read_query', { query: 'SELECT * FROM t' });
  expect([read.failed, existsSync(victim)]).toEqual([true, true]);
  await call(client, 'list_tables');
  await call(client, 'list_databases');
  await served.close();
  expect(existsSync(victim)).toBe(true);
});

test.each([false, true])(
  'a journal that appears while the database is open deletes nothing (WAL: %s)',
  async (wal) => {
    const { root, victim, plant } = planted(wal);
    const client = await served.client([root]);
    const insert = () => call(client, 'write_query', { query: 'INSERT INTO t VALUES (1)' });
    const select = () => call(client, 'read_query', { query: 'SELECT * FROM t' });
    expect([(await insert()).failed, (await select()).failed]).toEqual([false, false]);
    plant();
    expect((await insert()).code).toBe('hostile-journal');
    await select();
    await served.close();
    expect(existsSync(victim)).toBe(true);
  },
);

test('a journal that is not hot is refused as well, since the next transaction would make it hot', async () => {
  const { root, path, victim, plant } = planted();
  const bytes = hotJournal(path, victim);
  bytes.fill(0, 0, 28);
  plant(bytes);
  const client = await served.client([root]);
  const { code } = await call(client, 'write_query', { query: 'INSERT INTO t VALUES (1)' });
  expect([code, existsSync(victim)]).toEqual(['hostile-journal', true]);
});

test('a journal that names no file is accepted, and writing works after a bad one was deleted', async () => {
  const { root, path, plant } = planted();
  const client = await served.client([root]);
  plant();
  const insert = () => call(client, 'write_query', { query: 'INSERT INTO t VALUES (1)' });
  expect((await insert()).code).toBe('hostile-journal');
  rmSync(`${path}-journal`);
  expect((await insert()).failed).toBe(false);
  plant(Buffer.alloc(600));
  expect((await insert()).failed).toBe(false);
});

test.each(['-journal', '-wal', '-shm'])(
  'a %s that is a link out of the roots is not followed',
  async (side) => {
    for (const wal of [false, true]) {
      const { root, path, victim } = planted(wal);
      symlinkSync(victim, path + side);
      const client = await served.client([root]);
      for (const [name, query] of [
        ['write_query', 'INSERT INTO t VALUES (1)'],
        ['read_query', 'SELECT * FROM t'],
      ] as const) {
        const { code } = await call(client, name, { query });
        expect([name, code]).toEqual([name, 'hostile-journal']);
      }
      expect(existsSync(victim)).toBe(true);
    }
  },
);

test.each<[what: string, bytes: (name: string) => Buffer, found: boolean]>([
  ['a whole journal', (name) => Buffer.concat([Buffer.alloc(512), trailerOf(name)]), true],
  ['a trailer alone', trailerOf, true],
  ['a damaged checksum', (name) => damaged(trailerOf(name), 12), true],
  ['a damaged ending', (name) => damaged(trailerOf(name), 1), false],
  ['a name longer than the file', (name) => damaged(trailerOf(name), 16), false],
  ['something after the trailer', (name) => Buffer.concat([trailerOf(name), Buffer.alloc(1)]), false],
  ['the ending alone', (name) => trailerOf(name).subarray(-8), false],
  ['nothing', () => Buffer.alloc(0), false],
])('%s names a super-journal exactly where SQLite could see one', (_, bytes, found) => {
  const { path, victim, plant } = planted();
  plant(bytes(victim));
  expect(superJournalOf(path)).toBe(found ? victim : undefined);
});

function damaged(bytes: Buffer, fromEnd: number): Buffer {
  bytes[bytes.length - fromEnd]! ^= 0x40;
  return bytes;
}
