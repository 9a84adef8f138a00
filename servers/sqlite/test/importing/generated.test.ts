import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  double,
  integer,
  oneof,
  option,
  record,
  string,
} from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { readCsv } from '../../src/lane/formats/csv-read.ts';
import { csvLine } from '../../src/lane/formats/csv-write.ts';
import { parseExact } from '../../src/lane/formats/json-exact.ts';
import { sameNumber } from '../../src/lane/formats/numbers.ts';
import { affinityOf, storedText, toNumber } from '../../src/lane/importing/affinity.ts';
import { call } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const { folder, database, write, open } = scratch();
const client = oneServer(folder);
const path = database('generated.db');
const db = open(path);

const numberLike = oneof(
  integer().map(String),
  double({ noNaN: true }).map(String),
  integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
  constantFrom(
    '007',
    '+1',
    '-0',
    '-0.0',
    '0.0',
    '.5',
    '5.',
    '1e3',
    '1E3',
    '5.0',
    '1.10',
    ' 1',
    '1 ',
    '1\t',
    '0x1',
    'inf',
  ),
  constantFrom(
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '1e400',
  ),
  constantFrom(
    '123456789012345678.91',
    '0.1000000000000000055',
    '1.0e+21',
    '9.0e+999',
    '1e-400',
    '5e-324',
    '٣',
    '1\0',
  ),
);
const cell = oneof(
  numberLike,
  string({ maxLength: 6 }),
  constantFrom('', '"', ',', '\r\n', '\n', '\uFEFF', '\u00a0', 'true', '2026-01-02', 'NULL', '=1+1', '😀'),
);
/** Columns, most of them with cells of one kind. */
const column = oneof(
  array(option(integer().map(String)), { minLength: 4, maxLength: 4 }),
  array(option(integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2))), {
    minLength: 4,
    maxLength: 4,
  }),
  array(option(numberLike), { minLength: 4, maxLength: 4 }),
  array(option(cell), { minLength: 4, maxLength: 4 }),
);
const file = record({
  header: array(oneof(string({ maxLength: 4 }), constantFrom('a', 'A', ' a', '', 'a_2', 'column_1')), {
    minLength: 2,
    maxLength: 3,
  }),
  columns: array(column, { minLength: 3, maxLength: 3 }),
  /** preceding rows, the first of which suggest other types */
  before: constantFrom(0, 0, 0, 1_001),
  into: constantFrom('create', 'TEXT', ''),
  delimiter: constantFrom(',', '\t', ';'),
});

interface Facts {
  renamed?: { from: string; to: string }[];
  altered_count?: number;
  zeros_dropped?: { column: string; decimals: number }[];
}

async function tool(name: string, args: Record<string, unknown>): Promise<Facts> {
  const { failed, text, facts } = await call<Facts>(await client(), name, args);
  expect([text, failed]).toEqual([text, false]);
  return facts;
}

test('a generated file has the same cells after import and export, except reported zeros', async () => {
  const property = asyncProperty(file, async ({ header, columns, before, into, delimiter }) => {
    db.exec('DROP TABLE IF EXISTS t');
    const width = header.length;
    const rows = [
      ...Array.from({ length: before }, (_, at) => Array.from({ length: width }, () => String(at))),
      ...Array.from({ length: 4 }, (_, at) => columns.slice(0, width).map((cells) => cells[at] ?? null)),
    ];
    const names = header.map((_, at) => `c${at}`);
    if (into !== 'create') db.exec(`CREATE TABLE t (${names.map((name) => `${name} ${into}`).join(', ')})`);
    const written = into === 'create' ? header : names;
    const source = write('in.csv', [written, ...rows].map((row) => csvLine(row, delimiter)).join(''));
    const facts = await tool('import_data', {
      path: source,
      table: 't',
      database: path,
      delimiter,
      ...(into === 'create' && { create: true }),
    });
    const back = join(folder, 'out.tsv');
    await tool('export_data', { path: back, table: 't', database: path, overwrite: true });
    const [head, ...cells] = readAll(readFileSync(back, 'utf8'), '\t');
    const zeros = new Set(facts.zeros_dropped?.map(({ column }) => column));
    const isLossy = (head ?? []).map((name) => zeros.has(name ?? ''));
    const expected = rows.map((row) =>
      row.map((value, at) =>
        isLossy[at] === true && value !== null ? value.replace(/(\.\d+?)0+$/, '$1') : value,
      ),
    );
    // a single NULL in the last line is an empty line as well
    expect(cells).toEqual(expected);
    expect(facts.altered_count).toBeUndefined();
    const to = new Map(facts.renamed?.map(({ from, to: name }) => [name, from]));
    expect(head?.map((name) => to.get(name ?? '') ?? name)).toEqual(written);
    rmSync(back);
  });
  await assert(property, { numRuns: tenth(250) });
});

function readAll(text: string, delimiter: string): (string | null)[][] {
  let given = false;
  const pull = (): string | undefined => {
    if (given) return undefined;
    given = true;
    return text;
  };
  return [...readCsv(pull, delimiter)].map(({ fields }) => fields.map((field) => field ?? null));
}

const number = oneof(
  integer().map(String),
  double({ noNaN: true, noDefaultInfinity: true }).map(String),
  constantFrom(
    '9007199254740993',
    '9223372036854775808',
    '123456789012345678.91',
    '1e400',
    '1E-7',
    '-0',
    '-0.0',
    '1.10',
  ),
);
const jsonValue = oneof(
  number,
  number,
  string({ maxLength: 5 }).map((text) => JSON.stringify(text)),
  constantFrom('null', '"007"'),
);

test.each(['json', 'ndjson'])(
  'the numbers of a generated %s file are equal after an import and an export',
  async (format) => {
    const lists = array(array(oneof(number, jsonValue), { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    });
    const property = asyncProperty(lists, async (columns) => {
      db.exec('DROP TABLE IF EXISTS t');
      const depth = Math.max(...columns.map(({ length }) => length));
      const lines = Array.from(
        { length: depth },
        (_, at) => `{${columns.map((values, index) => `"c${index}":${values[at] ?? 'null'}`).join(',')}}`,
      );
      const source = write(`in.${format}`, format === 'json' ? `[${lines.join(',\n')}]` : lines.join('\n'));
      await tool('import_data', { path: source, table: 't', create: true, database: path });
      const back = join(folder, `out.${format}`);
      await tool('export_data', { path: back, table: 't', database: path, overwrite: true });
      const text = readFileSync(back, 'utf8').trim();
      const read = format === 'json' ? text.slice(1, -1).trim().split(',\n') : text.split('\n');
      for (const [at, line] of read.entries()) {
        const [row, was] = [plain(line), plain(lines[at]!)];
        for (const [name, value] of Object.entries(was))
          expect([name, isEqual(value, row[name])]).toEqual([name, true]);
      }
    });
    await assert(property, { numRuns: tenth(250) });
  },
);

/** Returns the members of an object as texts: numbers that no REAL equals are stored as text. */
function plain(line: string): Record<string, string | null> {
  const entries = Object.entries(parseExact(line) as Record<string, unknown>); // each line of the file is an object
  return Object.fromEntries(entries.map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string | null {
  if (typeof value === 'object' && value !== null) return String(Object.values(value)[0]);
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isEqual(one: string | null, other: string | null | undefined): boolean {
  if (one === other) return true;
  return (
    one !== null && other != null && isNumber.test(one) && isNumber.test(other) && sameNumber(one, other)
  );
}

test("text is converted to a column's type as SQLite converts it", async () => {
  db.exec(
    'DROP TABLE IF EXISTS a; CREATE TABLE a (i INTEGER, r REAL, n NUMERIC, d DECIMAL(9,2), f FLOATING, b BOOLEAN)',
  );
  const insert = db.prepare('INSERT INTO a VALUES (?, ?, ?, ?, ?, ?)');
  const read = db.prepare("SELECT iif(typeof(i) = 'text', i, i), r, n, d, f, b FROM a").raw().safeIntegers();
  const declared = ['INTEGER', 'REAL', 'NUMERIC', 'DECIMAL(9,2)', 'FLOATING', 'BOOLEAN'];
  const property = asyncProperty(oneof(numberLike, cell), async (text) => {
    db.exec('DELETE FROM a');
    insert.run(text, text, text, text, text, text);
    const stored = read.get() as (string | number | bigint)[];
    for (const [at, type] of declared.entries()) {
      const affinity = affinityOf(type, false);
      if (affinity === 'TEXT' || affinity === 'NONE') continue;
      const [ours, theirs] = [toNumber(text, affinity), stored[at]!];
      expect([type, text, typeof ours, storedText(ours)]).toEqual([
        type,
        text,
        typeof theirs,
        storedText(theirs),
      ]);
    }
  });
  // in one transaction, since each commit waits for the disk
  db.exec('BEGIN');
  onTestFinished(() => void db.exec('ROLLBACK'));
  await assert(property, { numRuns: tenth(20_000) });
});
