import { expect, test } from 'vitest';
import { readCsv } from '../../src/formats/csv.ts';

const read = (text: string, bounds = {}, mediaType = 'text/csv') =>
  readCsv({ text, mediaType, url: 'https://a.test/x.csv' }, bounds);

test('a table begins with its size and columns, then its rows', () => {
  const source =
    '\uFEFFname,price,day,ok,note\r\n"Smith, ""Jo""",1.5,2026-01-02,true,a|b\r\nBe,20,2026-01-03,false,"two\r\nlines"\r\n\r\nCe,,2026-01-04,yes,\r\n';
  expect(read(source)).toMatchObject({
    kind: 'csv',
    text: [
      '3 rows, 5 columns, separated by commas',
      '',
      '- name: text',
      '- price: number × 1, integer × 1, 1.5 to 20, 1 empty',
      '- day: date',
      '- ok: boolean',
      '- note: text, 1 empty',
      '',
      '| name | price | day | ok | note |',
      '| --- | ---: | --- | --- | --- |',
      '| Smith, "Jo" | 1.5 | 2026-01-02 | true | a\\|b |',
      '| Be | 20 | 2026-01-03 | false | two lines |',
      '| Ce |  | 2026-01-04 | yes |  |',
    ].join('\n'),
    removed: { invisible: 1 },
  });
});

test('separators are detected, and tabs are implied by the type', () => {
  expect(read('a;b\n1,5;2\n').text).toContain('separated by semicolons');
  expect(read('a;b\n1,5;2\n').text).toContain('| 1,5 | 2 |');
  expect(read('a|b\n1|2\n').text).toContain('separated by bars');
  expect(read('a,b\tc\n1,2\t3\n', {}, 'text/tab-separated-values').text).toContain('| 1,2 | 3 |');
});

test('a first row of values is not a header', () => {
  expect(read('1,2\n3,4\n').text.split('\n').slice(0, 5)).toEqual([
    '2 rows, 2 columns, separated by commas, without a header',
    '',
    '- column 1: integer, 1 to 3',
    '- column 2: integer, 2 to 4',
    '',
  ]);
  expect(read('x,x\ny,y\n').text).toContain('without a header');
  expect(read('only,one row').text).toContain('1 row, 2 columns');
});

test('codes with leading zeros are text, and rows of any length fill their columns', () => {
  const { text } = read('zip,n\n01234,1\n00501\n99999,2,more\n');
  expect(text).toContain('- zip: text × 2, integer × 1');
  expect(text).toContain('- column 3: text');
  expect(text).toContain('| 00501 |  |  |');
});

test('the table is limited, and says so', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => `${index},${'x'.repeat(400)}`);
  const source = `n,text\n${rows.join('\n')}`;
  const { text } = read(source, { rows: 3 });
  expect(text).toContain('1000 rows, 2 columns');
  expect(text).toContain('- n: integer, 0 to 999');
  expect(text).toContain('The first 3 rows:');
  expect(text.split('\n').at(-1)).toBe(`| 2 | ${'x'.repeat(300)}… |`);
  expect(read(source, { characters: 1000 }).text).toContain('The first 3 rows:');
  expect(read(source, { counted: 10 }).text).toContain('more than 10 rows');
  expect(read('a,b,c\n1,2,3\n', { columns: 2 }).text).toContain('| 1 | 2 |');
});

test('empty input is an empty table, and an unclosed quotation ends with the text', () => {
  expect(read('').text).toBe('');
  expect(read('\n\n').text).toBe('');
  expect(read('a,b\n1,"2\n3').text).toContain('| 1 | 2 3 |');
});
