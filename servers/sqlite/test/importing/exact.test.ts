import { expect, test } from 'vitest';
import { call } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const { folder, database, write, open } = scratch();
const client = oneServer(folder);

interface Facts {
  inserted: number;
  rejected: number;
  columns?: { name: string; type: string; from?: string }[];
  altered?: { column: string; count: number; first: { line: number; from: string; to: string }[] }[];
  altered_count?: number;
  kept_as_text?: { column: string; line: number; value: string; ask: string }[];
  zeros_dropped?: { column: string; decimals: number }[];
}

const path = database('exact.db');
const db = open(path);

/** Imports a file into the table t, which `sql` creates before, or else the import. */
async function importing(
  name: string,
  content: string | Buffer,
  args: Record<string, unknown> = {},
  sql = '',
) {
  db.exec(`DROP TABLE IF EXISTS t; ${sql}`);
  const file = write(name, content);
  const given = { path: file, table: 't', database: path, ...(sql === '' && { create: true }), ...args };
  const outcome = await call<Facts>(await client(), 'import_data', given);
  const rows = (query = 'SELECT typeof(v), CAST(v AS TEXT) FROM t') =>
    db.prepare(query).raw().safeIntegers().all() as unknown[][];
  return { ...outcome, rows };
}

const types = "SELECT group_concat(name || ' ' || type) FROM pragma_table_info('t')";

test.each([
  [['1', '-5', '9223372036854775807', '0'], 'INTEGER', undefined],
  [['1.5', '-0.25', '0.0', '1.0e+21'], 'REAL', undefined],
  [['1.9', '1.10'], 'TEXT', { line: 3, value: '1.10', ask: 'REAL' }],
  [['5E3'], 'TEXT', { line: 2, value: '5E3', ask: 'REAL' }],
  [['9007199254740993', '0.5'], 'TEXT', { line: 3, value: '0.5', ask: 'REAL' }],
  [['0.5', '2'], 'TEXT', { line: 3, value: '2', ask: 'REAL' }],
  [
    ['9223372036854775807', '9223372036854775808'],
    'TEXT',
    { line: 3, value: '9223372036854775808', ask: 'REAL' },
  ],
  [['12', '007'], 'TEXT', { line: 3, value: '007', ask: 'INTEGER' }],
  [['1', '+2'], 'TEXT', { line: 3, value: '+2', ask: 'INTEGER' }],
  [['1', '" 2 "'], 'TEXT', { line: 3, value: ' 2 ', ask: 'INTEGER' }],
  [['-0'], 'TEXT', { line: 2, value: '-0', ask: 'INTEGER' }],
  [['-0.00', '1.25'], 'TEXT', { line: 2, value: '-0.00', ask: 'REAL' }],
  [['-0.0'], 'TEXT', { line: 2, value: '-0.0', ask: 'REAL' }],
  [['.5', '1.5'], 'TEXT', { line: 2, value: '.5', ask: 'REAL' }],
  [['1.5', '5.'], 'TEXT', { line: 3, value: '5.', ask: 'REAL' }],
  [['1e400'], 'TEXT', { line: 2, value: '1e400', ask: 'REAL' }],
  [['123456789012345678.91', '0.10'], 'TEXT', { line: 2, value: '123456789012345678.91', ask: 'REAL' }],
  [['0.1234567890123456789'], 'TEXT', { line: 2, value: '0.1234567890123456789', ask: 'REAL' }],
  [['1', '0x10'], 'TEXT', undefined],
  [['1', 'inf'], 'TEXT', undefined],
  [['1.5', 'nan'], 'TEXT', undefined],
  [['"1,234"', '5'], 'TEXT', undefined],
  [['1', '٣'], 'TEXT', undefined],
  [['1', '\u00a02'], 'TEXT', undefined],
  [['1', '""'], 'TEXT', undefined],
  [['1', '"2\r\n3"'], 'TEXT', undefined],
  [['true', 'false'], 'TEXT', undefined],
  [['2026-01-02'], 'TEXT', undefined],
  [['1', 'x'], 'TEXT', undefined],
])('a new table preserves every cell of %j: %s', async (cells, type, kept) => {
  const { rows, facts, text } = await importing(
    'cells.csv',
    `k,v\r\n${cells.map((cell) => `k,${cell}\r\n`).join('')}`,
  );
  const plain = cells.map((cell) => cell.replaceAll('"', ''));
  expect(rows(types)).toEqual([[`k TEXT,v ${type}`]]);
  if (type === 'TEXT') expect(rows('SELECT v FROM t').flat()).toEqual(plain);
  expect(facts.kept_as_text).toEqual(kept && [{ column: 'v', ...kept }]);
  if (kept !== undefined) {
    expect(text).toContain(
      `because ${JSON.stringify(kept.value)} in line ${kept.line} would change as a number; for numbers, give it type ${kept.ask} in columns`,
    );
    expect(text).toContain('text compares as text');
  }
  expect([facts.altered, facts.zeros_dropped]).toEqual([undefined, undefined]);
});

test.each([1, 999, 1_000, 1_001, 5_000])('a cell after %i others counts for the type', async (before) => {
  const ids = Array.from({ length: before }, (_, id) => `${id},1.5,,2`).join('\n');
  const { rows, facts } = await importing('late.csv', `id,price,note,n\n${ids}\n0x,1.50,7,\n`);
  expect(facts.inserted).toBe(before + 1);
  expect(rows(types)).toEqual([['id TEXT,price TEXT,note INTEGER,n INTEGER']]);
  expect(rows('SELECT id, price, note, n FROM t ORDER BY rowid DESC LIMIT 2')).toEqual([
    ['0x', '1.50', 7n, null],
    [String(before - 1), '1.5', null, 2n],
  ]);
});

test('prices are numbers, and dropped trailing zeros are reported', async () => {
  const { rows, facts, text } = await importing('prices.csv', 'v\n1.10\n-20.00\n0.55\n');
  expect(rows('SELECT v FROM t')).toEqual([[1.1], [-20], [0.55]]);
  expect(facts.zeros_dropped).toEqual([{ column: 'v', decimals: 2 }]);
  expect(text).toContain('v is REAL: all cells have 2 decimals, and trailing zeros are not kept');
});

test('a type that the caller names is used, and each value that it alters is reported', async () => {
  const file = 'v,w\n007,1.10\n8,2\n+9,x\n1e2,3.50\n10,\n';
  const { rows, facts, text } = await importing('named.csv', file, {
    columns: { v: 'v INTEGER', w: 'w' },
  });
  expect(rows('SELECT v FROM t').flat()).toEqual([7n, 8n, 9n, 100n, 10n]);
  expect(facts.altered_count).toBe(3);
  expect(facts.altered).toEqual([
    {
      column: 'v',
      count: 3,
      first: [
        { line: 2, from: '007', to: '7' },
        { line: 4, from: '+9', to: '9' },
        { line: 5, from: '1e2', to: '100' },
      ],
    },
  ]);
  expect(text).toContain('v, 3: line 2 "007" became "7", line 4 "+9" became "9", line 5 "1e2" became "100"');
});

test('a value that a named type cannot hold is rejected', async () => {
  const { code, text } = await importing('misfit.csv', 'v\n1\nx\n', { columns: { v: 'v INTEGER' } });
  expect(code).toBe('rejected');
  expect(text).toContain('line 3');
});

test.each([
  ['INTEGER', '007', 'integer', '7', ['007', '7']],
  ['INTEGER', '9007199254740993', 'integer', '9007199254740993', undefined],
  ['NUMERIC', '1e3', 'integer', '1000', ['1e3', '1000']],
  ['NUMERIC', '1.50', 'real', '1.5', ['1.50', '1.5']],
  ['INT', '4.0', 'integer', '4', ['4.0', '4']],
  ['INTEGER', '1.5', 'real', '1.5', undefined],
  ['REAL', '5', 'real', '5.0', undefined],
  ['REAL', '9007199254740993', 'real', '9007199254740992.0', ['9007199254740993', '9007199254740992.0']],
  ['DOUBLE', '-0.0', 'real', '0.0', ['-0.0', '0.0']],
  ['REAL', '1e400', 'real', 'Inf', ['1e400', '9.0e+999']],
  ['DATE', '2026', 'integer', '2026', undefined],
  ['DATE', '2026-01-02', 'text', '2026-01-02', undefined],
  ['BOOLEAN', 'true', 'text', 'true', undefined],
  ['TEXT', '007', 'text', '007', undefined],
  ['VARCHAR(9)', '1.10', 'text', '1.10', undefined],
  ['', '1.10', 'text', '1.10', undefined],
])(
  'in a column of %j the cell %s is stored as %s %s, and an alteration is reported',
  async (type, cell, kind, stored, change) => {
    const { rows, facts } = await importing('into.csv', `v\n"${cell}"\n`, {}, `CREATE TABLE t (v ${type})`);
    expect(rows()).toEqual([[kind, stored]]);
    const first = change && [{ line: 2, from: change[0], to: change[1] }];
    expect(facts.altered).toEqual(first && [{ column: 'v', count: 1, first }]);
  },
);

test('text that is not base64 is not stored as BLOB', async () => {
  const { code, text } = await importing('blob.csv', 'v\nnot bytes\n', {}, 'CREATE TABLE t (v BLOB)');
  expect([code, text.split('\n')[0]]).toEqual(['rejected', 'line 2: not base64; nothing was imported']);
});

test.each([
  ['[1, 9223372036854775807]', 'INTEGER', ['integer 1', 'integer 9223372036854775807']],
  ['[0.5, 3]', 'REAL', ['real 0.5', 'real 3.0']],
  ['[9007199254740993, 0.5]', 'ANY', ['integer 9007199254740993', 'real 0.5']],
  ['[18446744073709551616]', 'TEXT', ['text 18446744073709551616']],
  ['[18446744073709551617, 1]', 'TEXT', ['text 18446744073709551617', 'text 1']],
  ['[123456789012345678.91]', 'TEXT', ['text 123456789012345678.91']],
  ['[1e400]', 'TEXT', ['text 1e400']],
  ['[1e-400]', 'TEXT', ['text 1e-400']],
  ['[1e3]', 'REAL', ['real 1000.0']],
  ['[9.0e+999]', 'REAL', ['real Inf']],
  ['["007", "1.10"]', 'TEXT', ['text 007', 'text 1.10']],
  ['["007", 5]', 'ANY', ['text 007', 'integer 5']],
])('the JSON numbers of %s keep their value in a column of %s', async (values, type, stored) => {
  const list = values.slice(1, -1).split(', ');
  const { rows } = await importing('numbers.ndjson', list.map((value) => `{"v":${value}}`).join('\n'));
  expect(rows(types)).toEqual([[`v ${type}`]]);
  expect(rows().map((row) => row.join(' '))).toEqual(stored);
});

test('minus zero of JSON is stored neither as INTEGER nor in a REAL column', async () => {
  const { rows } = await importing('zero.ndjson', '{"v":-0.0}\n{"v":-0}\n{"v":1}');
  expect([rows(types), rows('SELECT v FROM t')]).toEqual([[['v ANY']], [[-0], [-0], [1n]]]);
});

test.each([
  ['INTEGER', '18446744073709551617', 'real', '18446744073709551617', '1.8446744073709552e+19'],
  ['REAL', '9007199254740993', 'real', '9007199254740993', '9007199254740992.0'],
  ['REAL', '1e400', 'real', '1e400', '9.0e+999'],
  ['INTEGER', '-0', 'integer', '-0', '0'],
  ['INTEGER', '"007"', 'integer', '007', '7'],
  ['', '1e400', 'text', '1e400', 'the text 1e400'],
  ['INTEGER', 'true', 'integer', 'true', '1'],
])('a column of %j that alters the JSON value %s is reported', async (type, value, kind, from, to) => {
  const { rows, facts } = await importing('v.ndjson', `{"v":${value}}`, {}, `CREATE TABLE t (v ${type})`);
  expect(rows().map(([typeName]) => typeName)).toEqual([kind]);
  const [altered] = facts.altered ?? [];
  expect(altered).toMatchObject({ column: 'v', count: 1, first: [{ line: 1, from }] });
  expect(Number(altered!.first[0]!.to.replace('the text ', ''))).toBe(Number(to.replace('the text ', '')));
});

test('half of a surrogate pair is rejected, since UTF-8 cannot encode it', async () => {
  const { code, text } = await importing('half.ndjson', '{"v":"a\\ud800"}');
  expect([code, text.includes('surrogate')]).toEqual(['rejected', true]);
});

test('a tagged number with trailing text is rejected, and an object with more members is JSON', async () => {
  const { code } = await importing('tag.ndjson', '{"v":{"$real":"1.5abc"}}');
  expect(code).toBe('rejected');
  const { rows } = await importing('more.ndjson', '{"v":{"$int":"5","x":1}}');
  expect(rows('SELECT v FROM t')).toEqual([['{"$int":"5","x":1}']]);
});
