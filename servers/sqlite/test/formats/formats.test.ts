import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { readCsv } from '../../src/lane/formats/csv-read.ts';
import { csvLine } from '../../src/lane/formats/csv-write.ts';
import { parseExact } from '../../src/lane/formats/json-exact.ts';
import { readJsonArray, readJsonLines } from '../../src/lane/formats/json-read.ts';
import { readSql } from '../../src/lane/formats/sql-read.ts';
import { textOf } from '../../src/lane/formats/text.ts';

/** Splits text into pieces of a size that splits lines, quotes and characters. */
function inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  let at = 0;
  return textOf(() => {
    const piece = bytes.subarray(at, at + size);
    at += size;
    return piece.length === 0 ? undefined : piece;
  }, undefined);
}

const sizes = [1, 2, 3, 7, 64, 100_000];

test.each(sizes)('CSV is the same in pieces of %i bytes', (size) => {
  const text = 'a,"b ""x""",\r\n,"",é\r"two\r\nlines",3,"😀"\n\nlast';
  expect([...readCsv(inPieces(text, size))]).toEqual([
    { line: 1, fields: ['a', 'b "x"', undefined] },
    { line: 2, fields: [undefined, '', 'é'] },
    { line: 3, fields: ['two\r\nlines', '3', '😀'] },
    { line: 5, fields: [undefined] },
    { line: 6, fields: ['last'] },
  ]);
});

test('random fields round-trip through CSV', () => {
  const turns = full ? 200_000 : 2_000;
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const alphabet = ['a', ',', '"', '\n', '\r', '\r\n', ' ', ';', '\uFEFF', '😀', ''];
  const rows = Array.from({ length: turns }, () =>
    Array.from({ length: 3 }, () =>
      random(6) === 0 ? null : Array.from({ length: random(5) }, () => alphabet[random(11)]).join(''),
    ),
  );
  const text = rows.map((row) => csvLine(row)).join('');
  const read = [...readCsv(inPieces(text, 1_000))].map(({ fields }) => fields.map((field) => field ?? null));
  expect(read).toEqual(rows);
});

test('a wrongly quoted field is a problem of its line only', () => {
  expect([...readCsv(inPieces('"a"b,c\nd,e\nf"g,h\n"open', 5))]).toEqual([
    { line: 1, fields: ['a'], problem: 'text follows a closing quote' },
    { line: 2, fields: ['d', 'e'] },
    { line: 3, fields: ['f"g', 'h'] },
    { line: 4, fields: [], problem: 'a quote is never closed' },
  ]);
});

test.each(sizes)('a JSON array is the same in pieces of %i bytes', (size) => {
  const text = ' [ {"a": "]},\\"{", "b": [1, {"c": 2}]} ,\n 12, "x,y",\n [true, null] ] \n';
  expect([...readJsonArray(inPieces(text, size))]).toEqual([
    { line: 1, value: { a: ']},"{', b: [1, { c: 2 }] } },
    { line: 2, value: 12 },
    { line: 2, value: 'x,y' },
    { line: 3, value: [true, null] },
  ]);
});

test.each([
  ['[1, 2', 'line 1: the array is not closed'],
  ['{"a": 1}', 'line 1: the file is not a JSON array'],
  ['[1]\n[2]', 'line 2: unexpected content after the array'],
  ['[1 2]', 'line 1: not JSON'],
  ['[{"a": 1}\n{"a": 2}]', 'line 2: a comma is missing'],
  ['', 'line 1: the array is not closed'],
])('%j is refused with its line', (text, message) => {
  expect(() => [...readJsonArray(inPieces(text, 4))]).toThrow(message);
});

test('each line of NDJSON is a value or a problem', () => {
  expect([...readJsonLines(inPieces('{"a":1}\r\n\n{oops}\n"x"', 3))]).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 3, value: undefined, problem: 'not JSON' },
    { line: 4, value: 'x' },
  ]);
});

test('numbers of JSON keep their digits', () => {
  expect(parseExact('[9007199254740993, 5.0, 5, -1e3, 0.5, "12345678901234567890 1.0", 9.0e+999]')).toEqual([
    { $int: '9007199254740993' },
    { $real: '5.0' },
    5,
    { $real: '-1e3' },
    0.5,
    '12345678901234567890 1.0',
    Number.POSITIVE_INFINITY,
  ]);
});

test.each(sizes)('statements are the same in pieces of %i bytes', (size) => {
  const text = `-- a; comment\nSELECT 'a;''b';\n/* ; */ CREATE TRIGGER t AFTER INSERT ON x BEGIN\n SELECT 1; SELECT "e;"; END;\n\nSELECT 2`;
  expect([...readSql(inPieces(text, size))].map(({ line, statement }) => [line, statement.text])).toEqual([
    [2, "SELECT 'a;''b'"],
    [3, 'CREATE TRIGGER t AFTER INSERT ON x BEGIN\n SELECT 1; SELECT "e;"; END'],
    [6, 'SELECT 2'],
  ]);
});
