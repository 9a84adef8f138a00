import { existsSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConnection } from '../../src/lane/connection.ts';
import { makeUndoCopy } from '../../src/lane/copies/undo-copy.ts';
import type { LaneCall } from '../../src/lane/verb.ts';
import type { ChangeFacts } from '../../src/lane/writing/facts.ts';
import { runAll } from '../../src/lane/writing/run-all.ts';
import { planOf } from '../../src/shared/write-plan.ts';
import { checkScript } from '../../src/statements.ts';
import { Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { over } from '../writing/over.ts';

const served = new Served();
const { folder, database, open } = scratch();

const few = 'CREATE TABLE t (a, b); INSERT INTO t (a) VALUES (1), (2), (3);';
const many = `${few} INSERT INTO t (a) WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i FROM n;`;

/** Runs a script as a lane does, so that the copy can be inspected. */
async function changed(
  path: string,
  script: string,
  dryRun = false,
): Promise<ChangeFacts & { copyAt: string }> {
  const { dev, ino } = statSync(path);
  const connection = openConnection({
    path,
    dev: String(dev),
    ino: String(ino),
    mode: 'write',
    readOnly: false,
    ownsSideFiles: false,
    busyMs: 100,
    mostBytes: 2 ** 30,
  });
  const call: LaneCall = { connection, progress: () => {}, emit: () => {}, pull: () => undefined };
  const copyAt = `${path}.copy`;
  try {
    const { facts } = await runAll(call, {
      statements: checkScript(script).map((statement) => planOf(statement)),
      terms: { dryRun, maxChanges: undefined, undo: { path: copyAt, when: 'when-needed' } },
      caps: { rows: 10, bytes: 1_000 },
      checks: { keys: false, file: false },
    });
    return { ...facts, copyAt };
  } finally {
    connection.close();
  }
}

test.each(['wal', 'delete'])(
  'an undo copy is complete and contains nothing of the change, with journal_mode %s',
  async (mode) => {
    const path = database(`${mode}.db`, `PRAGMA journal_mode = ${mode}; ${many}`);
    const { copy, copyAt, applied } = await changed(
      path,
      'UPDATE t SET a = -a WHERE a > 0; DELETE FROM t WHERE a < -1200',
    );
    expect(copy).toEqual({ bytes: statSync(copyAt).size });
    expect(applied.map(({ changes }) => changes)).toEqual([1_500, 300]);
    const before = open(copyAt);
    expect(before.prepare('SELECT count(*), min(a), sum(a) FROM t').raw().get()).toEqual([
      1_500, 1, 1_125_750,
    ]);
    expect(before.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(open(path).prepare('SELECT count(*), max(a) FROM t').raw().get()).toEqual([1_200, -1]);
  },
);

test.each([
  ['a table that is dropped', few, 'DROP TABLE t', true],
  ['a column that is dropped', few, 'ALTER TABLE t DROP COLUMN b', true],
  ['every row of a table', few, 'DELETE FROM t', true],
  ['more than a thousand rows', many, 'DELETE FROM t WHERE a > 0', true],
  ['a row', few, 'DELETE FROM t WHERE a = 1', false],
  ['rows that come', few, "INSERT INTO t (a) SELECT value FROM json_each('[1,2,3]')", false],
  ['a column that comes', few, 'ALTER TABLE t ADD COLUMN c', false],
])('of %s a copy from before is kept: %#', async (_what, schema, sql, isKept) => {
  const { write, script } = await over(served, schema);
  const dry = await write(sql, { all_rows: true, dry_run: true });
  const { facts, text } = await script(sql, { all_rows: true });
  expect([dry.facts.undo, facts.undo !== undefined]).toEqual([undefined, isKept]);
  expect(text.includes(`restore_database {"undo_point":"${facts.undo?.point}"}`)).toBe(isKept);
});

test('the caller may request or refuse an undo copy', async () => {
  const { write } = await over(served, few);
  const without = await write('DELETE FROM t WHERE a = 1', { undo: true });
  const having = await write('DELETE FROM t', { undo: false, all_rows: true });
  expect([without.facts.undo !== undefined, having.facts.undo]).toEqual([true, undefined]);
});

test('a failed change leaves no undo copy', async () => {
  const path = database('fails.db', few);
  await expect(changed(path, 'DROP TABLE t; INSERT INTO missing VALUES (1)')).rejects.toThrow(
    'no such table',
  );
  expect(open(path).prepare('SELECT count(*) FROM t').pluck().get()).toBe(3);
  const { write, folder: own } = await over(served, few);
  expect((await write('DELETE FROM missing', { all_rows: true })).failed).toBe(true);
  expect(existsSync(join(own, 'undo'))).toBe(false);
  expect(existsSync(join(folder, 'undo'))).toBe(false);
});

test('a database that is too large is changed without undo copy, and the result says why', async () => {
  // pages that were never written take no space on the disk
  const path = database('large.db', few);
  const db = open(path);
  db.exec('CREATE TABLE big (x); INSERT INTO big VALUES (zeroblob(270000000)); DELETE FROM big');
  db.close();
  const { copy, copyAt, committed } = await changed(path, 'DELETE FROM t');
  expect([copy, committed, existsSync(copyAt)]).toEqual([
    { none: 'the database is larger than 256 MB' },
    true,
    false,
  ]);
});

test('no undo copy is made through a link beside the database', async () => {
  const path = database('linked.db', few);
  const { dev, ino } = statSync(path);
  const connection = openConnection({
    path,
    dev: String(dev),
    ino: String(ino),
    mode: 'write',
    readOnly: false,
    ownsSideFiles: false,
    busyMs: 100,
    mostBytes: 2 ** 30,
  });
  const call: LaneCall = { connection, progress: () => {}, emit: () => {}, pull: () => undefined };
  symlinkSync(join(folder, 'elsewhere'), `${path}-wal`);
  try {
    await expect(makeUndoCopy(call, `${path}.copy`)).rejects.toMatchObject({ code: 'hostile-journal' });
    expect(existsSync(`${path}.copy`)).toBe(false);
  } finally {
    connection.close();
  }
});
