import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { changes, escapesOf } from './escapes.ts';
import { answers, ground } from './ground.ts';

const served = new Served('file');
const { inside, outside, secret, shop, seen } = ground();
let usual: Promise<Client> | undefined;
const clientOf = (): Promise<Client> => (usual ??= served.client([inside]));
const escapes = escapesOf({ outside, secret });
const tools: [name: string, argument: string][] = [
  ['read_query', 'query'],
  ['write_query', 'query'],
  ['create_table', 'query'],
  ['explain_query', 'query'],
  ['draw_chart', 'query'],
];

test.each(tools)(
  'no statement of %s escapes or changes anything, and later calls are answered',
  async (name, argument) => {
    const client = await clientOf();
    const before = seen();
    for (const sql of escapes) {
      // these may be explained, since they are not run
      const explained = name === 'explain_query' && /^(?:SELECT|UPDATE|INSERT|DELETE)[^;]*$/.test(sql);
      const { failed, text } = await call(client, name, {
        [argument]: sql,
        ...(name === 'draw_chart' && { kind: 'bar' }),
      });
      if (!explained) expect([sql, failed]).toEqual([sql, true]);
      expect(text).not.toContain('hidden-word');
      if (!sql.includes(outside)) expect(text).not.toContain(outside);
    }
    await answers(client, shop);
    expect(seen()).toEqual(before);
    expect(served.faults).toEqual([]);
  },
);

test('no statement of a script escapes, even after others that have run', async () => {
  const client = await clientOf();
  const before = seen();
  const lone = escapes.filter((sql) => !sql.startsWith('SELECT 1;'));
  for (const sql of lone) {
    const script = `INSERT INTO item (name) VALUES ('new'); ${sql}`;
    const { failed, text } = await call(client, 'run_script', { script });
    // without the empty ones the script has one statement
    if (/^(?:|--.*|\/\*.*)$/.test(sql) && !sql.includes('ATTACH')) continue;
    expect([sql, failed]).toEqual([sql, true]);
    expect(text).not.toContain('hidden-word');
  }
  const { facts } = await call<{ rows: unknown[] }>(client, 'read_query', {
    query: "SELECT count(*) FROM item WHERE name <> 'new'",
  });
  expect(facts.rows).toEqual([[3]]);
  const after = seen();
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(after[secret]).toBe(before[secret]);
});

test.each(['read_query', 'draw_chart', 'explain_query'])('%s changes nothing', async (name) => {
  const client = await clientOf();
  const before = seen();
  for (const query of changes) {
    const { failed } = await call(client, name, { query, ...(name === 'draw_chart' && { kind: 'bar' }) });
    if (name !== 'explain_query') expect([query, failed]).toEqual([query, true]);
  }
  expect(seen()).toEqual(before);
});

test('a refusal is one line and its hint names the tool to use', async () => {
  const client = await clientOf();
  const refusalOf = async (query: string) => {
    const { code, text } = await call(client, 'read_query', { query });
    return [code, text.includes('\n\n')];
  };
  expect(await refusalOf('VACUUM INTO ?')).toEqual(['refused', false]);
  const { text } = await call(client, 'read_query', { query: 'VACUUM INTO ?' });
  expect(text).toContain('backup_database');
  expect((await call(client, 'read_query', { query: 'BEGIN' })).text).toContain('run_script');
  expect((await call(client, 'read_query', { query: 'DROP TABLE item' })).text).toContain('write_query');
  expect((await call(client, 'write_query', { query: 'SELECT 1' })).text).toContain('read_query');
  expect((await call(client, 'read_query', { query: 'SELECT 1; SELECT 2' })).code).toBe(
    'multiple-statements',
  );
});

test.each([
  ['database', { query: 'SELECT * FROM secret', database: secret }],
  ['attach', { query: 'SELECT * FROM s.secret', database: shop, attach: { s: secret } }],
  ['a name with ..', { query: 'SELECT * FROM secret', database: join(inside, '../outside/secret.db') }],
  ['a URI', { query: 'SELECT * FROM secret', database: `file:${secret}` }],
])('a database outside is not read by naming it in %s', async (_, args) => {
  const client = await clientOf();
  const { failed, text } = await call(client, 'read_query', args);
  expect([failed, text.includes('hidden-word')]).toEqual([true, false]);
});

test('read_query does not write attached databases', async () => {
  const client = await served.client([inside, outside]);
  const before = seen();
  for (const query of ['DELETE FROM s.secret WHERE 1', 'CREATE TABLE s.x (a)', 'PRAGMA s.user_version = 3']) {
    const { failed } = await call(client, 'read_query', { query, database: shop, attach: { s: secret } });
    expect([query, failed]).toEqual([query, true]);
  }
  const { failed, facts } = await call<{ rows: unknown[] }>(client, 'read_query', {
    query: 'SELECT word FROM s.secret',
    database: shop,
    attach: { s: secret },
  });
  expect([failed, facts.rows]).toEqual([false, [['hidden-word']]]);
  const again = await call(client, 'read_query', { query: 'SELECT word FROM s.secret', database: shop });
  expect(again.failed).toBe(true);
  expect(seen()).toEqual(before);
});
