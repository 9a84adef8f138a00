import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';
import { holdOpen } from '../writing/other-writer.ts';

const served = new Served();
const { folder, database, open, write } = scratch();
const usual = oneServer(folder);
const rows = (count: number) =>
  `CREATE TABLE t (a, b); INSERT INTO t SELECT value, printf('%0200d', value) FROM json_each('[' || trim(replace(hex(zeroblob(${count})), '00', '1,'), ',') || ']')`;
const all = (path: string) => open(path).prepare('SELECT count(*), sum(a) FROM t').raw().all();

interface Backup {
  pages: number;
  bytes: number;
  sha256: string;
  checked: boolean;
}
interface Restored {
  undo?: { point: string };
  no_undo?: string;
}

test('a backup is a valid database with the same content, and the result describes its file', async () => {
  const from = database('a.db', `PRAGMA journal_mode = WAL; ${rows(5_000)}`);
  const client = await usual();
  const progressed: number[] = [];
  const path = join(folder, 'a.bak');
  const { facts, text } = await call<Backup>(
    client,
    'backup_database',
    { path, database: from },
    {
      onProgress: ({ progress }) => progressed.push(progress),
    },
  );
  const bytes = readFileSync(path);
  expect(facts).toMatchObject({ pages: bytes.length / 4096, bytes: bytes.length, checked: true });
  const again = await call(client, 'backup_database', { path, database: from });
  expect(again.code).toBe('exists');
  const over = await call(client, 'backup_database', { path, database: from, overwrite: true });
  expect([over.failed, text.includes(facts.sha256), progressed.length > 0, all(path)]).toEqual([
    false,
    true,
    true,
    all(from),
  ]);
});

test('a backup while another process writes contains whole commits only', async () => {
  const from = database(
    'b.db',
    'PRAGMA journal_mode = WAL; CREATE TABLE pair (side, n); INSERT INTO pair VALUES (1, 0), (2, 0)',
  );
  const writer = spawn('sqlite3', [from], { stdio: ['pipe', 'ignore', 'ignore'] });
  writer.stdin.write('.timeout 2000\n');
  for (let n = 1; n <= 3_000; n += 1)
    writer.stdin.write(
      `BEGIN IMMEDIATE; UPDATE pair SET n = ${n} WHERE side = 1; UPDATE pair SET n = ${n} WHERE side = 2; COMMIT;\n`,
    );
  writer.stdin.end();
  const client = await usual();
  for (let turn = 0; turn < 3; turn += 1) {
    const path = join(folder, `b${turn}.bak`);
    await call(client, 'backup_database', { path, database: from });
    const [one, two] = open(path).prepare('SELECT n FROM pair').pluck().all();
    expect(one).toBe(two);
  }
  if (writer.exitCode === null) await once(writer, 'exit');
});

test('a backup is not written to names of side files, over its own database, or outside the roots', async () => {
  const from = database('c.db', rows(10));
  const client = await usual();
  write('left.db-journal', 'x');
  for (const [path, code] of [
    [join(folder, 'left.db'), 'refused'],
    [join(folder, 'x.db-wal'), 'refused'],
    [from, 'exists'],
    ['../c.bak', 'not-found'],
  ] as const)
    expect([path, (await call(client, 'backup_database', { path, database: from })).code]).toEqual([
      path,
      code,
    ]);
  const reader = await served.client([{ path: folder, readOnly: true }]);
  expect((await call(reader, 'backup_database', { path: join(folder, 'r.bak'), database: from })).code).toBe(
    'read-only',
  );
  expect(existsSync(join(folder, 'r.bak'))).toBe(false);
});

test.each(['DELETE', 'WAL'])(
  'a restore replaces the content, keeps the mode %s, is visible to open connections, and can be undone',
  async (mode) => {
    const name = `d-${mode}.db`;
    const path = database(name, `PRAGMA journal_mode = ${mode}; ${rows(300)}`);
    const client = await usual();
    const backup = join(folder, `${name}.bak`);
    await call(client, 'backup_database', { path: backup, database: path });
    const other = open(path);
    const count = other.prepare('SELECT count(*) FROM t').pluck();
    other.exec('DELETE FROM t WHERE rowid > 100; CREATE TABLE later (x)');
    expect(count.get()).toBe(100);
    const { facts, text } = await call<Restored>(client, 'restore_database', {
      path: backup,
      database: path,
    });
    expect([
      count.get(),
      other.pragma('journal_mode', { simple: true }),
      other.pragma('integrity_check', { simple: true }),
    ]).toEqual([300, mode.toLowerCase(), 'ok']);
    expect(text).toContain(facts.undo?.point);
    const undone = await call(client, 'restore_database', { undo_point: facts.undo?.point, database: path });
    expect([undone.failed, count.get()]).toEqual([false, 100]);
    expect(other.prepare('SELECT count(*) FROM later').pluck().get()).toBe(0);
  },
);

test('a restore of a backup in WAL mode keeps DELETE mode', async () => {
  const from = database('e-from.db', `PRAGMA journal_mode = WAL; ${rows(20)}`);
  const path = database('e.db', 'PRAGMA page_size = 1024; CREATE TABLE old (x)');
  const client = await usual();
  expect((await call(client, 'restore_database', { path: from, database: path })).failed).toBe(false);
  expect([open(path).pragma('journal_mode', { simple: true }), all(path)]).toEqual(['delete', [[20, 20]]]);
});

test('a damaged or empty file, one that is not a database, and the database itself are not restored', async () => {
  const path = database('f.db', rows(50));
  const bad = database('f-bad.db', rows(2_000));
  const bytes = readFileSync(bad);
  bytes.fill(0xff, 4096 * 3, 4096 * 5);
  writeFileSync(bad, bytes);
  const cut = database('f-cut.db', rows(2_000));
  truncateSync(cut, 4096 * 3);
  const client = await usual();
  for (const [source, codes] of [
    [bad, ['corrupt']],
    [cut, ['corrupt']],
    [write('f.txt', 'no database at all, but long enough to be one'), ['not-a-database']],
    [write('f-empty.db', ''), ['not-a-database']],
    [path, ['invalid-arguments']],
    ['../f.db', ['not-found']],
  ] as const) {
    const { code, text } = await call(client, 'restore_database', { path: source, database: path });
    expect([source, text, codes.includes(code as never)]).toEqual([source, text, true]);
  }
  expect(all(path)).toEqual([[50, 50]]);
});

test('a restore that does not get the lock in time changes nothing', async () => {
  const path = database('g.db', rows(50));
  const from = database('g-from.db', rows(5));
  const client = await served.client([folder], { limits: { busyMs: 100 } });
  const other = spawn('sqlite3', [path], { stdio: ['pipe', 'pipe', 'ignore'] });
  other.stdin.write('BEGIN; SELECT count(*) FROM t;\n');
  await once(other.stdout, 'data');
  const { code } = await call(client, 'restore_database', { path: from, database: path });
  other.stdin.end();
  await once(other, 'exit');
  expect([code, all(path)]).toEqual(['busy', [[50, 50]]]);
});

test('the user is asked first, and a refusal changes nothing', async () => {
  const path = database('h.db', rows(50));
  const from = database('h-from.db', rows(5));
  const asked: string[] = [];
  const client = await served.client([folder], {
    elicitation: ({ message }) => {
      asked.push(message);
      return { action: 'decline' };
    },
  });
  const { code } = await call(client, 'restore_database', { path: from, database: path });
  expect([code, asked.length, all(path)]).toEqual(['declined', 1, [[50, 50]]]);
});

test('a restore that is cancelled in the middle keeps the previous content intact', async () => {
  const path = database('i.db', rows(100));
  const from = database('i-from.db', rows(20_000));
  // a reader keeps the restore from ending before it is cancelled
  const release = await holdOpen(path, 'SELECT * FROM t');
  const client = await served.client([folder], { limits: { busyMs: 60_000, deadlineMs: 120_000 } });
  const cancel = new AbortController();
  let lastMessage: string | undefined;
  const cancelled = call(
    client,
    'restore_database',
    { path: from, database: path },
    {
      signal: cancel.signal,
      onProgress({ message }) {
        lastMessage = message;
        cancel.abort();
      },
    },
  );
  await expect(cancelled).rejects.toThrow();
  await release();
  const { failed } = await call(client, 'list_tables', { database: path });
  expect([lastMessage, failed]).toEqual(['copying for undo', false]);
  expect([all(path), open(path).pragma('integrity_check', { simple: true })]).toEqual([[[100, 100]], 'ok']);
  // a journal without header may remain, which SQLite does not roll back
  const left = readdirSync(folder).filter((name) => name.startsWith('i.db-'));
  expect(left.every((name) => (readFileSync(join(folder, name))[0] ?? 0) === 0)).toBe(true);
});

test('a database is not replaced by its own backup', async () => {
  const path = database('own.db', 'CREATE TABLE t (x); INSERT INTO t VALUES (1)');
  symlinkSync(path, join(folder, 'own-link.db'));
  const { ino } = statSync(path);
  for (const place of [path, join(folder, 'own-link.db')]) {
    const { failed } = await call(await usual(), 'backup_database', {
      path: place,
      overwrite: true,
      database: path,
    });
    expect([failed, statSync(path).ino]).toEqual([true, ino]);
  }
});

test('a backup that is cancelled leaves no file', async () => {
  const from = database('k.db', `PRAGMA page_size = 512; ${rows(60_000)}`);
  const path = join(folder, 'k.bak');
  const before = readdirSync(folder);
  const cancel = new AbortController();
  const cancelled = call(
    await usual(),
    'backup_database',
    { path, database: from },
    { signal: cancel.signal, onProgress: () => cancel.abort() },
  );
  await expect(cancelled).rejects.toThrow();
  expect((await call(await usual(), 'backup_database', { path, database: from })).failed).toBe(false);
  expect(readdirSync(folder)).toEqual([...before, 'k.bak'].toSorted());
});
