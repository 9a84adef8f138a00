import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { Connection } from '../../src/lane/connection.ts';
import { RowCursor } from '../../src/lane/values/row-cursor.ts';
import { type RowStatements, rowStatementsOf } from '../../src/lane/values/row-statements.ts';
import { scratch } from '../scratch.ts';
import { Chance } from './generated.ts';

const { database, open } = scratch();
const path = database(
  'generated.db',
  'CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT, c REAL, d INTEGER, e BLOB)',
);
const db = open(path);
db.pragma('synchronous = OFF');
const connection = new Connection(db, { path, mode: 'read' }, false);
const runs = full ? 3000 : 60;

const limits = { cellBytes: 200, rowBytes: Number.POSITIVE_INFINITY };

const reading = rowStatementsOf(connection, 'SELECT * FROM t', limits);
const merged = rowStatementsOf(connection, 'SELECT * FROM t ORDER BY id', {
  ...limits,
  keyAt: 0,
  isStored: true,
});

function rowsOf(of: RowStatements, most = limits): string[] {
  db.exec('BEGIN');
  try {
    const cursor = new RowCursor(connection, of, [], most);
    const rows: string[] = [];
    for (let row = cursor.next(); row !== undefined; row = cursor.next()) rows.push(row);
    return rows;
  } finally {
    db.exec('COMMIT');
  }
}

const chance = new Chance(20);

/** Returns a random value of any kind, also longer than a cell may be. */
function anyValue(): unknown {
  return chance.pick<() => unknown>([
    () => null,
    () => chance.integer(),
    () => chance.double(),
    () => chance.text(30),
    () => 'x'.repeat(180 + chance.below(50)),
    () => chance.bytes(20),
  ])();
}

/** Returns a random value that SQLite writes as JSON exactly. */
function plainValue(): unknown {
  return chance.pick<() => unknown>([
    () => null,
    () => BigInt(chance.below(2 ** 53)) * chance.pick([1n, -1n]),
    () => chance.below(1e12) / chance.pick([1, 7, 1000]),
    () => chance.text(20).replaceAll('\uFFFD', ''),
  ])();
}

function rowOf(make: () => unknown): unknown[] {
  return Array.from({ length: 5 }, make);
}

function fill(rows: readonly (readonly unknown[])[]): void {
  db.exec('BEGIN; DELETE FROM t');
  const insert = db.prepare('INSERT INTO t (a, b, c, d, e) VALUES (?, ?, ?, ?, ?)');
  for (const row of rows) insert.run(...row);
  db.exec('COMMIT');
}

/** Normalizes reals to numbers: SQLite and JavaScript may write the same one differently. */
function asValues(rows: readonly string[]): unknown[] {
  return rows.map((row) =>
    JSON.parse(row.replace(/(?<=[[,])-?\d+\.\d+(?:e[+-]?\d+)?(?=[\],])/g, '{"real":$&}')),
  );
}

test('rows written by SQLite equal rows written value by value', () => {
  for (let run = 0; run < runs; run += 1) {
    fill(Array.from({ length: 1 + chance.below(5) }, () => rowOf(plainValue)));
    const quick = { ...reading };
    const slow = { ...quick, plain: undefined };
    expect(asValues(rowsOf(quick))).toEqual(asValues(rowsOf(slow)));
    expect(rowsOf({ ...merged })).toEqual(rowsOf(quick));
    expect(quick.plain).not.toBe(undefined);
  }
});

test('random rows are the same, also if a row that is not plain follows plain ones', () => {
  for (let run = 0; run < runs; run += 1) {
    fill([...chance.list(3, () => rowOf(plainValue)), ...chance.list(5, () => rowOf(anyValue))]);
    const quick = { ...reading };
    const slow = { ...quick, plain: undefined };
    expect(asValues(rowsOf(quick))).toEqual(asValues(rowsOf(slow)));
    expect(asValues(rowsOf({ ...merged }))).toEqual(asValues(rowsOf(slow)));
  }
});

test('SQLite writes the rows of tables of any name', () => {
  for (const name of ['r', 'c0', 'k0', 'rows']) {
    db.exec(`CREATE TABLE ${name} (c0, k0)`);
    expect(rowStatementsOf(connection, `SELECT * FROM ${name}`, limits).plain).not.toBe(undefined);
    db.exec(`DROP TABLE ${name}`);
  }
});

test('the keys of the last row and of the one before are available', () => {
  fill(Array.from({ length: 3 }, () => rowOf(plainValue)));
  db.exec('UPDATE t SET id = 9007199254740993 WHERE id = (SELECT max(id) FROM t)');
  const cursor = new RowCursor(connection, { ...merged }, [], limits);
  const keys: unknown[] = [];
  while (cursor.next() !== undefined) keys.push([cursor.keyBefore, cursor.key]);
  const [first, second] = db.prepare('SELECT id FROM t ORDER BY id').pluck().all() as number[];
  expect(keys).toEqual([
    [undefined, `[${first}]`],
    [`[${first}]`, `[${second}]`],
    [`[${second}]`, '[{"$int":"9007199254740993"}]'],
  ]);
});

const shell = spawnSync('sqlite3', ['--version']);

test.skipIf(shell.error !== undefined)('rows equal those of the sqlite3 command line', () => {
  const big = { cellBytes: 1e6, rowBytes: Number.POSITIVE_INFINITY };
  const columns = ['id', 'a', 'b', 'c', 'd', 'e', 'length(b)', 'c + d', 'typeof(a)'];
  const quoted = columns.map(
    (column) =>
      `typeof(${column}) || ':' || hex(iif(typeof(${column}) = 'real', ieee754_to_blob(${column}), ${column}))`,
  );
  for (let run = 0; run < runs / 30; run += 1) {
    fill(Array.from({ length: 20 + chance.below(20) }, () => rowOf(anyValue)));
    const rows = rowsOf(rowStatementsOf(connection, `SELECT ${columns.join()} FROM t ORDER BY id`, big), big);
    const own = rows.flatMap((row) => (JSON.parse(row) as unknown[]).map(comparable));
    const args = ['-batch', '-noheader', '-list', '-separator', '\n', path];
    const { stdout } = spawnSync('sqlite3', [...args, `SELECT ${quoted.join()} FROM t ORDER BY id`], {
      encoding: 'utf8',
    });
    expect(own).toEqual(stdout.trimEnd().split('\n').map(fromShell));
  }
});

/** Returns a value of a row as its bytes in hex, numbers as numbers. */
function comparable(cell: unknown): unknown {
  if (cell === null) return '';
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'string') return Buffer.from(cell).toString('hex').toUpperCase();
  const { $int, $real, $blob, $text_base64 } = cell as Record<string, string>;
  if ($int !== undefined) return Number($int);
  if ($real !== undefined) return Number($real);
  return Buffer.from($blob ?? $text_base64 ?? '', 'base64')
    .toString('hex')
    .toUpperCase();
}

function fromShell(line: string): unknown {
  const [type, text = ''] = line.split(':');
  // older versions of the command line write a wrong last digit of a real
  if (type === 'real') return Buffer.from(text, 'hex').readDoubleBE();
  // hex() of a number returns its digits
  return type === 'integer' ? Number(Buffer.from(text, 'hex').toString()) : text;
}

test('blobs that SQLite could take for JSONB stay blobs in columns of any type', () => {
  const small = [Buffer.alloc(0), ...Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]))];
  fill(small.map((blob) => [blob, blob, blob, blob, blob]));
  const rows = rowsOf(rowStatementsOf(connection, 'SELECT a, b, c, d, e FROM t ORDER BY id', limits));
  const expected = small.map((blob) => {
    const cell = `{"$blob":"${blob.toString('base64')}","bytes":${blob.length}}`;
    return `[${Array(5).fill(cell).join()}]`;
  });
  expect(rows.map((row) => row.split('\n')[0])).toEqual(expected);
  const stored = { ...limits, isStored: true };
  expect(rowsOf(rowStatementsOf(connection, 'SELECT a, b, c, d, e FROM t ORDER BY id', stored))).toEqual(
    expected,
  );
});
