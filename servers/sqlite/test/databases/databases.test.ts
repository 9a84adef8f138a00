import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();

interface Listed {
  databases: {
    path: string;
    bytes: number;
    journal?: string;
    page_size?: number;
    encoding?: string;
    beside?: string[];
    opens: boolean;
    problem?: string;
    read_only?: boolean;
  }[];
  truncated: boolean;
  next_cursor?: string;
}

test('databases are found by their headers, whose facts are listed', async () => {
  const { folder, database, write } = scratch();
  database('shop.db', 'PRAGMA page_size = 8192; CREATE TABLE t(a)');
  database('deep/er/still/notes.sqlite', "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a)");
  database('odd.bin', 'CREATE TABLE t(a)');
  database('deep/er/odd.bin', 'CREATE TABLE t(a)');
  database('node_modules/cache.db', 'CREATE TABLE t(a)');
  database('.hidden/cache.db', 'CREATE TABLE t(a)');
  write('readme.db', 'this is no database');
  write('empty.db', '');
  write('shop.db-wal', '');
  const client = await served.client([folder]);
  const { facts, text } = await call<Listed>(client, 'list_databases');
  expect(facts.databases.map(({ path }) => path.slice(folder.length + 1))).toEqual([
    'empty.db',
    'odd.bin',
    'shop.db',
    'deep/er/still/notes.sqlite',
  ]);
  expect(facts.databases[2]).toEqual({
    path: join(folder, 'shop.db'),
    bytes: 16_384,
    journal: 'rollback',
    page_size: 8192,
    encoding: 'UTF-8',
    beside: ['-wal'],
    opens: true,
  });
  expect(facts.databases[3]).toMatchObject({ encoding: 'UTF-16le', opens: true });
  expect(facts.truncated).toBe(false);
  expect(text).toContain('shop.db (16 KB, rollback, pages of 8192, with -wal)');
});

test('the list marks databases in WAL mode, damaged ones and read-only ones', async () => {
  const { folder, database } = scratch();
  database('wal.db', 'PRAGMA journal_mode = WAL; CREATE TABLE t(a)');
  truncateSync(database('cut.db', 'CREATE TABLE t(a)'), 1000);
  const client = await served.client([{ path: folder, readOnly: true }]);
  const { facts } = await call<Listed>(client, 'list_databases');
  expect(facts.databases).toMatchObject([
    { opens: false, problem: 'it is cut off within its first page', read_only: true },
    { journal: 'wal', opens: true },
  ]);
});

test('other tools accept the listed paths, relative paths, and the path of a root that is a file', async () => {
  const { folder, database } = scratch();
  const path = database('a/one.db', 'CREATE TABLE first(a)');
  database('two.db', 'CREATE TABLE second(a)');
  const client = await served.client([folder]);
  for (const named of [path, 'a/one.db']) {
    const { facts } = await call<{ tables: object[] }>(client, 'list_tables', { database: named });
    expect(facts.tables).toMatchObject([{ name: 'first' }]);
  }
  const other = await served.client([path]);
  const { facts } = await call<Listed>(other, 'list_databases');
  expect(facts.databases.map((one) => one.path)).toEqual([path]);
  const { facts: tables } = await call<{ tables: object[] }>(other, 'list_tables');
  expect(tables.tables).toMatchObject([{ name: 'first' }]);
});

test('each page of the list continues after the previous one', async () => {
  const { folder, write } = scratch();
  for (let at = 10; at < 40; at++) write(`${at}.db`, '');
  const client = await served.client([folder], { maxOutput: 1_500 });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { facts } = await call<Listed>(client, 'list_databases', cursor === undefined ? {} : { cursor });
    seen.push(...facts.databases.map(({ path }) => path.slice(-5, -3)));
    expect(JSON.stringify(facts).length).toBeLessThanOrEqual(1_500);
    expect(facts.truncated).toBe(facts.next_cursor !== undefined);
    cursor = facts.next_cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(Array.from({ length: 30 }, (_, at) => String(at + 10)));
});

test('the only database is the default until there is another one', async () => {
  const { folder, database } = scratch();
  database('only.db', 'CREATE TABLE first(a)');
  const client = await served.client([folder]);
  const { facts } = await call<{ tables: object[] }>(client, 'list_tables');
  expect(facts.tables).toMatchObject([{ name: 'first' }]);
  const path = database('other.db', 'CREATE TABLE second(a)');
  const { code, text } = await call(client, 'list_tables');
  expect(code).toBe('which-database');
  expect(text).toContain(path);
});

test('a file that is replaced between calls is opened again, and refused if it is no longer a database', async () => {
  const { folder, database, write } = scratch();
  const path = database('one.db', 'CREATE TABLE first(a)');
  const client = await served.client([folder]);
  const args = { query: 'SELECT name FROM sqlite_schema', database: path };
  const namesOf = async () => (await call<{ rows: unknown[][] }>(client, 'read_query', args)).facts.rows;
  expect(await namesOf()).toEqual([['first']]);
  expect(await namesOf()).toEqual([['first']]);
  renameSync(database('two.db', 'CREATE TABLE second(a)'), path);
  expect(await namesOf()).toEqual([['second']]);
  renameSync(write('none', 'this is no database'), path);
  expect(await call(client, 'read_query', args)).toMatchObject({ code: 'not-a-database' });
  rmSync(path);
  symlinkSync('/etc/passwd', path);
  expect(await call(client, 'read_query', args)).toMatchObject({ code: 'not-found' });
});

test('without a database the failure says so, and of many databases only some are named', async () => {
  const { folder, write } = scratch();
  const client = await served.client([folder]);
  const none = await call(client, 'list_tables');
  expect([none.code, none.text]).toEqual(['which-database', expect.stringContaining('hold no database')]);
  for (let at = 10; at < 40; at++) writeFileSync(join(folder, `${at}.db`), '');
  write('x', '');
  const many = await call(client, 'list_tables');
  expect(many.text).toContain('19.db, …');
  expect(many.text).not.toContain('20.db');
});

test('databases outside the roots are not found, also through links', async () => {
  const { database } = scratch();
  const outside = database('secret.db', 'CREATE TABLE secret(a)');
  const { folder } = scratch();
  const { symlinkSync } = await import('node:fs');
  symlinkSync(outside, join(folder, 'link.db'));
  const client = await served.client([folder]);
  const { facts } = await call<Listed>(client, 'list_databases');
  expect(facts.databases).toEqual([]);
  const named = await call(client, 'list_tables', { database: 'link.db' });
  expect(named.code).toBe('not-found');
});

test('a folder given as --db-path is a root, and a missing file is created', async () => {
  const own = scratch();
  const made = join(own.folder, 'new/shop.db');
  const client = await served.client([own.folder], { extra: { 'db-path': [own.folder, made] } });
  const { facts } = await call<{ databases: { path: string }[] }>(client, 'list_databases');
  expect(facts.databases.map(({ path }) => path)).toEqual([made]);
});
