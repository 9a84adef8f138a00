import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { holdOpen } from '../writing/other-writer.ts';

const served = new Served();
const { folder, database, open } = scratch();
const TIMES = full ? 200 : 40;

test.each(['wal', 'delete'])(
  'nothing that two servers write to one database at once is lost, also if both have to wait, with journal_mode %s',
  async (mode) => {
    const path = database(
      `${mode}.db`,
      `PRAGMA journal_mode = ${mode}; CREATE TABLE counter (n); INSERT INTO counter VALUES (0); CREATE TABLE log (n, who)`,
    );
    const limits = { busyMs: 60_000 };
    const servers = [await served.client([folder], { limits }), await served.client([folder], { limits })];
    const settled: boolean[] = [];
    const step = async (client: Client, who: number): Promise<void> => {
      const script = `UPDATE counter SET n = n + 1 WHERE true; INSERT INTO log SELECT n, ${who} FROM counter`;
      const { failed } = await call(client, 'run_script', { script, database: path, timeout_ms: 120_000 });
      settled.push(failed);
    };
    const release = await holdOpen(path, 'UPDATE counter SET n = n WHERE true');
    const all = servers.flatMap((client, who) => Array.from({ length: TIMES }, () => step(client, who)));
    // the readers' answers give the writers time to wait for the lock
    for (const client of servers) {
      const { facts } = await call<{ rows: unknown }>(client, 'read_query', {
        query: 'SELECT n FROM counter',
        database: path,
      });
      expect(facts.rows).toEqual([[0]]);
    }
    expect(settled).toEqual([]);
    await release();
    await Promise.all(all);
    expect(settled).toEqual(Array(2 * TIMES).fill(false));
    const db = open(path);
    expect(db.prepare('SELECT n FROM counter').pluck().get()).toBe(2 * TIMES);
    expect(db.prepare('SELECT n FROM log ORDER BY n').pluck().all()).toEqual(
      Array.from({ length: 2 * TIMES }, (_, at) => at + 1),
    );
    expect(db.prepare('SELECT count(*) FROM log GROUP BY who').pluck().all()).toEqual([TIMES, TIMES]);
  },
);
