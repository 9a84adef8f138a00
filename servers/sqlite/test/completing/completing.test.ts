import { Boundary } from '@rootbound/kit/boundary';
import type { CallContext, Complete, Completion } from '@rootbound/protocol';
import { afterAll, expect, inject, test } from 'vitest';
import { completeDatabase } from '../../src/completing/databases.ts';
import { completeTable, keysFrom, suggested } from '../../src/completing/suggestions.ts';
import { Engine } from '../../src/engine.ts';
import { usualLimits } from '../../src/lanes/limits.ts';
import type { Workspace } from '../../src/workspace.ts';
import { scratch } from '../scratch.ts';

const { folder, database } = scratch();
const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i';
const shop = database(
  'shop.db',
  `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item ${numbers}, 'x' FROM n;
   INSERT INTO item VALUES (-12, 'less'), (-120, 'much less'), (9223372036854775807, 'most');
   CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO word VALUES ('tea'), ('team'), ('ten'), ('a%'), ('12 eggs');
   CREATE TABLE pair (a TEXT, b INTEGER, PRIMARY KEY (a, b)); INSERT INTO pair VALUES ('x', 1), ('x', 12), ('y', 13);
   CREATE TABLE loose (k PRIMARY KEY); INSERT INTO loose VALUES (12), ('12a'), (125), ('13'), (4);
   CREATE TABLE plain (v); INSERT INTO plain VALUES ('q'), ('r');
   CREATE VIEW items AS SELECT * FROM item;
   CREATE VIRTUAL TABLE note USING fts5(body);`,
);
database('deep/other.db', 'CREATE TABLE t (a)');

const engine = new Engine({ laneFile: inject('laneFile'), limits: usualLimits });
afterAll(() => engine.close());
const scope = new Boundary({
  roots: [{ path: folder, readOnly: false }],
  policy: 'ignore',
  readOnly: false,
}).operatorScope();
const context = {
  scope: { scope, engine, maxOutput: 100_000, owner: '' },
  signal: new AbortController().signal,
} as unknown as CallContext<Workspace, undefined>; // the members that completion uses

async function values(
  complete: Complete<Workspace>,
  typed: string,
  given: Record<string, string> = {},
): Promise<{ values: readonly string[]; hasMore?: boolean }> {
  const completion: Completion = await complete(typed, context, given);
  return isList(completion) ? { values: completion } : completion;
}

const completeKey: Complete<Workspace> = async (typed, given, { database: path, table = '' }) =>
  suggested((await keysFrom(given, { database: path, table, typed: [typed] })).flat());

function isList(completion: Completion): completion is readonly string[] {
  return Array.isArray(completion);
}

test('databases are suggested by any part of their path', async () => {
  expect((await values(completeDatabase, '')).values).toEqual([shop, `${folder}/deep/other.db`]);
  expect((await values(completeDatabase, 'OTHER')).values).toEqual([`${folder}/deep/other.db`]);
});

test('tables are suggested by name, those that begin with the typed text first', async () => {
  const given = { database: shop };
  expect((await values(completeTable, '', given)).values).toEqual([
    'item',
    'items',
    'loose',
    'note',
    'pair',
    'plain',
    'word',
  ]);
  expect((await values(completeTable, 'i', given)).values).toEqual(['item', 'items', 'pair', 'plain']);
});

test('keys are suggested by prefix, up to a hundred', async () => {
  const of = (table: string) => ({ database: shop, table });
  expect(await values(completeKey, '12', of('item'))).toMatchObject({ hasMore: true });
  const { values: long } = await values(completeKey, '12', of('item'));
  expect([long.length, long.slice(0, 3), long[11]]).toEqual([100, ['12', '120', '121'], '1200']);
  expect((await values(completeKey, '299', of('item'))).values).toEqual([
    '299',
    ...Array.from({ length: 10 }, (_, at) => String(2990 + at)),
  ]);
  expect((await values(completeKey, '-12', of('item'))).values).toEqual(['-12', '-120']);
  expect((await values(completeKey, '922337203685477580', of('item'))).values).toEqual([
    '9223372036854775807',
  ]);
  expect((await values(completeKey, 'te', of('word'))).values).toEqual(['tea', 'team', 'ten']);
  expect((await values(completeKey, '12', of('word'))).values).toEqual(['12 eggs']);
  expect((await values(completeKey, '12', of('loose'))).values).toEqual(['12', '125', '12a']);
  expect((await values(completeKey, '%', of('word'))).values).toEqual([]);
  expect((await values(completeKey, '', of('plain'))).values).toEqual(['1', '2']);
  expect((await values(completeKey, '', of('items'))).values).toEqual([]);
});

test('keys of several columns are suggested after the preceding values', async () => {
  const of = { database: shop, table: 'pair' };
  expect(await keysFrom(context, { ...of, typed: ['x', '1'] })).toEqual([
    ['x', '1'],
    ['x', '12'],
  ]);
  expect(await keysFrom(context, { ...of, typed: ['y'] })).toEqual([['y', '13']]);
});

test('completion reports no errors', async () => {
  for (const given of [{ database: 'gone.db', table: 'item' }, { database: shop, table: 'gone' }, {}]) {
    expect((await values(completeKey, '', given)).values).toEqual([]);
  }
});
