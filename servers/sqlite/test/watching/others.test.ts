import { copyFileSync, renameSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { newest, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { subscribed } from './notifications.ts';
import { Writer } from './writer.ts';

const served = new Served();
const writers: Writer[] = [];
afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.kill();
});

const table = (name: string) => ({ kind: 'table', table: name }) as const;
const targets = {
  a: table('a'),
  b: table('b'),
  rows: { kind: 'rows', table: 'a' },
  row: { kind: 'row', table: 'a', key: ['1'] },
  view: table('both'),
  schema: { kind: 'schema' },
  fence: { kind: 'row', table: 'fence', key: ['1'] },
} as const;
const schema = `
  CREATE TABLE a (id INTEGER PRIMARY KEY, n); CREATE INDEX a_n ON a (n); CREATE TABLE b (id INTEGER PRIMARY KEY, n);
  CREATE VIEW both AS SELECT a.n, b.n FROM a JOIN b USING (id); CREATE TABLE fence (n); CREATE TABLE other (n);
  INSERT INTO a VALUES (1, 'one'), (2, 'two'); INSERT INTO b VALUES (1, 'one'); INSERT INTO fence VALUES (0);
`;
const fence = 'UPDATE fence SET n = n + 1';

async function watching(journal: string, revision = '2026-07-28') {
  const made = scratch();
  const path = made.database('shop.db', `PRAGMA journal_mode = ${journal}; ${schema}`);
  const client = await served.client([made.folder], { revision: revision as '2026-07-28' });
  const writer = new Writer(path);
  writers.push(writer);
  const all = await subscribed(client, path, targets);
  const notifiedBy = (sql: string, expected: readonly (keyof typeof targets)[] = []): Promise<string[]> =>
    all.notifiedBy(
      () => writer.run(sql),
      'fence',
      () => writer.run(fence),
      expected,
    );
  return { ...made, path, client, writer, all, notifiedBy };
}

describe.each(sampled(['wal', 'delete'], 2))('with journal_mode = %s', (journal) => {
  describe.each(journal === 'wal' ? ['2025-11-25', newest] : [newest])('%s', (revision) => {
    test('changes by another process are reported by table, row and view, and nothing else is', async () => {
      const { notifiedBy } = await watching(journal, revision);
      expect(await notifiedBy("UPDATE a SET n = 'changed' WHERE id = 2")).toEqual(['a', 'rows', 'view']);
      expect(await notifiedBy("UPDATE a SET n = 'changed' WHERE id = 1")).toEqual([
        'a',
        'rows',
        'row',
        'view',
      ]);
      expect(await notifiedBy("INSERT INTO b VALUES (2, 'two')")).toEqual(['b', 'view']);
      expect(await notifiedBy('INSERT INTO other VALUES (1)')).toEqual([]);
      expect(await notifiedBy('BEGIN; DELETE FROM a; ROLLBACK')).toEqual([]);
      expect(await notifiedBy('DELETE FROM a WHERE id = 1')).toEqual(['a', 'rows', 'row', 'view']);
    });
  });

  test('a recreated table is reported and watched from then on', async () => {
    const { notifiedBy } = await watching(journal);
    expect(await notifiedBy('DROP TABLE b; CREATE TABLE b (id INTEGER PRIMARY KEY, n)')).toEqual([
      'b',
      'view',
      'schema',
    ]);
    expect(await notifiedBy("INSERT INTO b VALUES (5, 'five')")).toEqual(['b', 'view']);
    expect(await notifiedBy('CREATE TABLE more (n)')).toEqual(['schema']);
    expect(await notifiedBy('CREATE INDEX b_n ON b (n)')).toEqual(['b', 'view', 'schema']);
  });

  test('changes after a VACUUM are reported by table', async () => {
    const { all, writer, notifiedBy } = await watching(journal);
    await all.byName('schema').of(() => writer.run('VACUUM'));
    await all.byName('fence').of(() => writer.run(fence));
    expect(await notifiedBy("INSERT INTO b VALUES (7, 'seven')", ['b', 'view'])).toEqual(['b', 'view']);
  });

  test('a file that replaces the database is reported and watched', async () => {
    const { all, path, folder, writer } = await watching(journal);
    await writer.end();
    copyFileSync(path, `${folder}/copy`);
    await all.byName('a').of(() => renameSync(`${folder}/copy`, path));
    const next = new Writer(path);
    writers.push(next);
    await all.byName('fence').of(() => next.run(fence));
    const notified = await all.notifiedBy(
      () => next.run("INSERT INTO b VALUES (9, 'nine')"),
      'fence',
      () => next.run(fence),
      ['b', 'view'],
    );
    expect(notified).toEqual(['b', 'view']);
  });

  test('uncommitted changes of a killed writer are not reported', async () => {
    const { all, path, writer } = await watching(journal);
    // more than fits the cache, so that pages are written before the commit that never comes
    await writer.run(
      `PRAGMA cache_size = 5; BEGIN; WITH RECURSIVE i(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM i WHERE n < 200)
       INSERT INTO b SELECT n, hex(randomblob(1000)) FROM i`,
    );
    await writer.kill();
    const next = new Writer(path);
    writers.push(next);
    const notified = await all.notifiedBy(
      () => next.run('SELECT 1'),
      'fence',
      () => next.run(fence),
    );
    expect(notified).toEqual([]);
  });
});

test('checkpoints of another process are not reported', async () => {
  const { notifiedBy } = await watching('wal');
  for (const kind of ['PASSIVE', 'RESTART', 'TRUNCATE']) {
    expect(await notifiedBy("UPDATE b SET n = n || 'x'")).toEqual(['b', 'view']);
    expect(await notifiedBy(`PRAGMA wal_checkpoint(${kind})`)).toEqual([]);
  }
});
