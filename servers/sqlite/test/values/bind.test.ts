import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, database } = scratch();
database('empty.db', 'CREATE TABLE t (a TEXT)');

interface Facts {
  rows: unknown[][];
}

async function runner() {
  const client = await served.client([folder]);
  return (query: string, params?: unknown) =>
    call<Facts>(client, 'read_query', { query, ...(params !== undefined && { params }) });
}

test('a value is bound with its type and reads back', async () => {
  const run = await runner();
  for (const [value, type, back] of [
    [7, 'integer', 7],
    [-1, 'integer', -1],
    [1.5, 'real', 1.5],
    [1e300, 'real', 1e300],
    [true, 'integer', 1],
    [null, 'null', null],
    ['5', 'text', '5'],
    ['a\0b', 'text', 'a\0b'],
    [{ $int: '9223372036854775807' }, 'integer', { $int: '9223372036854775807' }],
    [{ $int: '-9223372036854775808' }, 'integer', { $int: '-9223372036854775808' }],
    [{ $real: '5' }, 'real', 5],
    [{ $real: '-Infinity' }, 'real', { $real: '-Infinity' }],
    [{ $blob: 'AAEC', bytes: 3 }, 'blob', { $blob: 'AAEC', bytes: 3 }],
    [{ $blob: '' }, 'blob', { $blob: '', bytes: 0 }],
    [{ $text_base64: 'w6Q=' }, 'text', 'ä'],
  ]) {
    const { facts } = await run('SELECT typeof(?1), ?1', [value]);
    expect(facts.rows, JSON.stringify(value)).toEqual([[type, back]]);
  }
});

test('a whole number stays an INTEGER in a TEXT column and in a division', async () => {
  const run = await runner();
  const { facts } = await run('SELECT CAST(:n AS TEXT), :n / 2, json_array(:n)', { n: 5 });
  expect(facts.rows).toEqual([['5', 2, '[5]']]);
});

test('values are bound by position or by name, with or without prefix', async () => {
  const run = await runner();
  for (const [query, params] of [
    ['SELECT ?, ?', [1, 2]],
    ['SELECT :a, @b', { a: 1, b: 2 }],
    ['SELECT :a, @b', { ':a': 1, '@b': 2 }],
    ['SELECT $a, :b', [1, 2]],
    ['SELECT ?1, ?2', [1, 2]],
    ['SELECT ?1, ?2', { 1: 1, 2: 2 }],
    ["SELECT ?1, ?2 -- ?3 ':x'", [1, 2]],
    ['SELECT ?, :b', [1, 2]],
  ] as const)
    expect((await run(query, params)).facts.rows, query).toEqual([[1, 2]]);
});

test('values that do not fit are refused with the reason', async () => {
  const run = await runner();
  for (const [query, params, message] of [
    ['SELECT ?, ?', [1], 'params has the wrong number of values: 1 instead of 2'],
    ['SELECT ?', undefined, 'params is missing: the statement has ? (1)'],
    ['SELECT 1', [1], 'the statement has no parameters'],
    ['SELECT :a', { b: 1 }, 'params has no value for :a'],
    ['SELECT :a', { a: 1, b: 1 }, 'the statement has no parameter b'],
    ['SELECT ?', { a: 1 }, 'parameter 1 is an unnamed ?'],
    ['SELECT :a', { a: [1] }, 'params.a is an array, which SQLite has no type for'],
    ['SELECT ?', [{ a: 1 }], 'params[0] is an object, which SQLite has no type for'],
    ['SELECT ?', [{ $int: '1.5' }], 'params[0] is not a value of $int'],
    ['SELECT ?', [{ $int: '9223372036854775808' }], 'params[0] is not a value of $int'],
    ['SELECT ?', [{ $blob: '*' }], 'params[0] is not a value of $blob'],
    ['SELECT ?', [2 ** 53], 'params[0] is too large for an exact JSON number'],
    ['SELECT ?', [{ $text_base64: '/w==' }], 'bytes that are not UTF-8 cannot be bound as text'],
    ['SELECT :a, @a', [1, 2], 'two parameters have the name a'],
  ] as const) {
    const { code, text } = await run(query, params);
    expect([code, text.split('\n')[0]]).toEqual(['parameters', message]);
  }
});
