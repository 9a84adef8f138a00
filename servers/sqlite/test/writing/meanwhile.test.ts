import { expect, test } from 'vitest';
import { Served } from '../harness.ts';
import { holdOpen } from './other-writer.ts';
import { of, over } from './over.ts';

const served = new Served();
const schema = 'CREATE TABLE t (x); CREATE TABLE log (x); INSERT INTO t VALUES (1)';
const logs = 'CREATE TRIGGER logged AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.x); END';

test('rows changed by a trigger that another program creates while a change waits for its lock are counted', async () => {
  const { write, path, client } = await over(served, schema, { limits: { busyMs: 20_000 } });
  const sql = 'INSERT INTO t VALUES (2)';
  // the statement has been inspected by now
  expect((await write(sql)).facts.tables).toEqual([of('t', { inserted: 1 })]);
  const release = await holdOpen(path, logs);
  const waiting = write(sql);
  // a reader's answer arrives after the change has begun
  await client.callTool('read_query', { query: 'SELECT count(*) FROM t' });
  await release('COMMIT');
  const { facts } = await waiting;
  expect(facts.tables.toSorted((a, b) => (a.table < b.table ? -1 : 1))).toEqual([
    of('log', { inserted: 1 }),
    of('t', { inserted: 1 }),
  ]);
});
