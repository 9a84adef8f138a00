import { expect, test } from 'vitest';
import { full, sampled } from '../../../../test/extent.ts';
import { Served } from '../harness.ts';
import { holdOpen, otherWriter } from './other-writer.ts';
import { over } from './over.ts';

const served = new Served();
const times = full ? 300 : 30;
const rows = `CREATE TABLE t (id INTEGER PRIMARY KEY, a);
  INSERT INTO t (a) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i FROM n;`;
/** Changes every row, spills the changes into the files, and never ends. */
const endless = `UPDATE t SET a = zeroblob(9000);
  INSERT INTO t (a) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT NULL FROM n WHERE i < 0;`;

test.each(sampled(['wal', 'delete'], 2))(
  'a write that takes too long changes nothing, with journal_mode %s',
  async (mode) => {
    const { script, write, db, rows: read, path } = await over(served, rows, {});
    db.pragma(`journal_mode = ${mode}`);
    const late = await script(endless, { all_rows: true, undo: false, timeout_ms: 800 });
    expect([late.failed, late.code]).toEqual([true, 'deadline']);
    expect(read('SELECT count(*), sum(a) FROM t')).toEqual([[2_000, 2_001_000]]);
    // as an open connection sees it, and as a new one
    expect(await otherWriter(path, 'PRAGMA integrity_check')).toBe('ok');
    expect((await write('UPDATE t SET a = 0 WHERE id = 1')).facts.changes).toBe(1);
  },
);

test('a write that is cancelled in the middle changes nothing', async () => {
  const { client, rows: read, write } = await over(served, rows, {});
  const cancel = new AbortController();
  const done: (string | undefined)[] = [];
  const call = client.callTool(
    'run_script',
    { script: endless, all_rows: true, undo: false },
    {
      signal: cancel.signal,
      onProgress({ progress, message }) {
        done.push(`${progress} ${message}`);
        cancel.abort();
      },
    },
  );
  await expect(call).rejects.toThrow();
  expect(done).toEqual(['1 statements']);
  expect(read('SELECT count(*), sum(a) FROM t')).toEqual([[2_000, 2_001_000]]);
  expect((await write('DELETE FROM t WHERE id = 1')).facts.changes).toBe(1);
});

test('a write waits for the lock of another program, and fails as busy if it is not released', async () => {
  const { write, path } = await over(served, rows, { limits: { busyMs: 150 } });
  const release = await holdOpen(path, 'UPDATE t SET a = 1 WHERE id = 1');
  const { code, text } = await write('DELETE FROM t WHERE id = 2');
  expect(code).toBe('busy');
  expect(text).toContain(
    'another program is writing to the database; the lock was not released within 150 ms',
  );
  await release();
  expect((await write('DELETE FROM t WHERE id = 2')).facts.changes).toBe(1);
});

test('a commit blocked by a reader of another program fails, and nothing is changed', async () => {
  const { write, path, rows: read } = await over(served, rows, { limits: { busyMs: 150 } });
  const release = await holdOpen(path, 'SELECT id FROM t');
  const { code, text } = await write('DELETE FROM t WHERE id = 2');
  expect([code, text.includes('another program kept reading the database')]).toEqual(['busy', true]);
  await release();
  expect(read('SELECT count(*) FROM t')).toEqual([[2_000]]);
  expect((await write('DELETE FROM t WHERE id = 2')).facts.changes).toBe(1);
});

test.each(sampled(['wal', 'delete'], 2))(
  'nothing that this server and another program write at once is lost, with journal_mode %s',
  async (mode) => {
    const { write, db, rows: read, path } = await over(served, rows, { limits: { busyMs: 10_000 } });
    db.pragma(`journal_mode = ${mode}`);
    db.exec('CREATE TABLE sum (n); INSERT INTO sum VALUES (0)');
    const other = otherWriter(path, 'UPDATE sum SET n = n + 1', times);
    const own = Array.from({ length: times }, () => write('UPDATE sum SET n = n + 1 WHERE true'));
    const failed = (await Promise.all(own)).filter((outcome) => outcome.failed);
    await other;
    expect([failed, read('SELECT n FROM sum')]).toEqual([[], [[2 * times]]]);
  },
);

test('a database that may not grow further stays intact, and the failure says why', async () => {
  const { write, rows: read, db } = await over(served, rows, { limits: { fileBytes: 1 << 20 } });
  const before = read('SELECT count(*), sum(a) FROM t');
  const { code, text } = await write('INSERT INTO t (a) SELECT zeroblob(10000) FROM t');
  expect([code, text.includes('cannot grow')]).toEqual(['disk-full', true]);
  expect(read('SELECT count(*), sum(a) FROM t')).toEqual(before);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect((await write('DELETE FROM t WHERE id = 1')).facts.changes).toBe(1);
});
