import { readFileSync } from 'node:fs';
import { afterAll, expect, inject, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { resolveDatabase } from '../../src/databases/resolve.ts';
import { Engine } from '../../src/engine.ts';
import { usualLimits } from '../../src/lanes/limits.ts';
import { call, Served } from '../harness.ts';
import { scopeOver, scratch } from '../scratch.ts';

const served = new Served();
const { folder, database } = scratch();
const path = database('shop.db', 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)');
const target = resolveDatabase(scopeOver(folder), path);
const engine = new Engine({ laneFile: inject('laneFile'), limits: usualLimits });
afterAll(() => engine.close());

const numbers = (most: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${most}) SELECT i FROM n`;

/** Queries that use as much memory as they are allowed. */
const greedy = [
  'SELECT zeroblob(300000000)',
  "SELECT replace(hex(zeroblob(30000000)), '0', 'xxxxxxxx')",
  "SELECT printf('%*d', 400000000, 1)",
  `SELECT group_concat(hex(randomblob(100000))) FROM (${numbers(1500)})`,
  `SELECT json_group_array(hex(randomblob(100000))) FROM (${numbers(1500)})`,
  `SELECT i, randomblob(200) AS r FROM (${numbers(300_000)}) ORDER BY r`,
  `SELECT hex(randomblob(1000000)) FROM (${numbers(500)})`,
  `SELECT DISTINCT randomblob(500) FROM (${numbers(100_000)})`,
];

test.runIf(process.platform === 'linux').each(sampled(greedy, 8))(
  'a lane uses less than 256 MB for any query: %s',
  async (query) => {
    await engine.lanes.run(target, 'read', 'query', { sql: query }).catch(() => {});
    const [lane] = engine.lanes.processes();
    if (lane === undefined) return; // it was killed for it
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${lane.pid}/status`, 'utf8'))?.[1];
    expect(Number(peak)).toBeLessThan(256 * 1000);
  },
);

test('a query is stopped at its deadline, while other databases answer', async () => {
  const other = resolveDatabase(scopeOver(folder), database('other.db', 'CREATE TABLE t (a)'));
  const ask = (): Promise<unknown> => engine.lanes.run(other, 'read', 'query', { sql: 'SELECT 1' });
  await ask();
  const endless = engine.lanes.run(
    target,
    'read',
    'query',
    { sql: `SELECT count(*) FROM (${numbers(1e15)})` },
    { deadlineMs: 1000 },
  );
  const stopped = endless.then(
    () => 'it ended',
    (error: { code: string }) => error.code,
  );
  const first = await Promise.race([stopped, ask().then(() => 'the other one')]);
  expect([first, await stopped]).toEqual(['the other one', 'deadline']);
});

test('the server answers a ping while an endless query runs', async () => {
  const client = await served.client([path]);
  const cancel = new AbortController();
  const endless = call(
    client,
    'read_query',
    { query: `SELECT count(*) FROM (${numbers(1e15)})` },
    { signal: cancel.signal },
  );
  const ended = endless.then(
    () => 'it ended',
    () => 'it was cancelled',
  );
  const first = await Promise.race([ended, client.listTools().then(() => 'the list')]);
  cancel.abort();
  expect([first, await ended]).toEqual(['the list', 'it was cancelled']);
});

test('calls on the same database run in order, and a cancelled one is skipped', async () => {
  const order: string[] = [];
  const run = (name: string, signal?: AbortSignal): Promise<unknown> =>
    engine.lanes.run(target, 'read', 'query', { sql: `SELECT '${name}'` }, { signal }).then(
      () => order.push(name),
      () => order.push(`not ${name}`),
    );
  const cancel = new AbortController();
  const all = [run('a'), run('b', cancel.signal), run('c')];
  cancel.abort();
  await Promise.all(all);
  expect(order).toEqual(['not b', 'a', 'c']);
});
