import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/formats/json.ts';

const read = (text: string, bounds = {}) =>
  readJson({ text, mediaType: 'application/json', url: 'https://a.test/x' }, bounds);

describe('layout', () => {
  test('short lists and objects are on one line, others on several', () => {
    const source = '{"a":[1,2,{"b":null}],"c":{"d":"e","f":true},"g":[],"h":{}}';
    expect(read(source).text).toBe(
      [
        '{',
        '  "a": [',
        '    1,',
        '    2,',
        '    { "b": null }',
        '  ],',
        '  "c": { "d": "e", "f": true },',
        '  "g": [],',
        '  "h": {}',
        '}',
      ].join('\n'),
    );
  });

  test('numbers keep their spelling, of any size and length', () => {
    const numbers = '[12345678901234567890, 1.10, 1E400, -0.0, 3.141592653589793238462643383279]';
    expect(read(numbers).text).toBe(numbers);
  });

  test('formatted JSON has the same value', () => {
    const value = {
      text: 'a "quoted" \\ back\\\\slash\n\t, [not] {a} list: x',
      deep: [[[[{ a: [{ b: [] }, [], 'x'.repeat(200)] }]]]],
      '': { '"': 1 },
      many: Array.from({ length: 60 }, (_, index) => ({ index, name: `name ${index}`, tags: ['a', 'b'] })),
    };
    for (const source of [JSON.stringify(value), JSON.stringify(value, null, '\t')])
      expect(JSON.parse(read(source).text)).toEqual(value);
  });

  test('escaped letters are decoded, but invisible ones are not', () => {
    expect(read('["\\u4e2d\\u6587", "https:\\/\\/a.b", "a\\u202eb\\u200b"]').text).toBe(
      '["中文", "https://a.b", "a\\u202eb\\u200b"]',
    );
    expect(read('["a\u200bb"]')).toMatchObject({ text: '["ab"]', removed: { invisible: 1 } });
  });

  test('depth does not grow the result without limit, and JSON that would grow too much keeps its layout', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(read(deep).text.length).toBeLessThan(deep.length + 10_000);
    expect(read('[[1],[2]]', { characters: 5 }).text).toBe('[[1],[2]]');
    expect(read('[[[[[[1]]]]]]', { characters: 20 }).text).toBe('[[[[[[1]]]]]]');
  });
});

describe('shape', () => {
  test('each path is a line with its types, their counts and sample keys', () => {
    const source = JSON.stringify({
      items: [
        { id: 1, name: 'a' },
        { id: 2, name: null, 'odd key': [true] },
      ],
      next: null,
    });
    expect(read(source).shape).toBe(
      [
        '$: object; keys items, next',
        '$.items: array; 2 items',
        '$.next: null',
        '$.items[]: object × 2; keys id, name, odd key',
        '$.items[].id: number × 2',
        '$.items[].name: string × 1, null × 1',
        '$.items[]["odd key"]: array; 1 item',
        '$.items[]["odd key"][]: boolean',
      ].join('\n'),
    );
  });

  test('an object with many keys is described as a table', () => {
    const table = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`id${index}`, { n: index }]));
    expect(read(JSON.stringify(table)).shape!.split('\n')).toEqual([
      '$: object; keys id0, id1, id2, id3, id4, id5, id6, id7, id8, id9, id10, id11, …',
      '$.*: object × 100; keys n',
      '$.*.n: number × 100',
    ]);
  });

  test('a huge or deep value has a short shape that says it is incomplete', () => {
    const nested = (depth: number): unknown =>
      depth === 0
        ? 1
        : Object.fromEntries(
            Array.from({ length: 6 }, (_, index) => [`k${depth}${index}`, nested(depth - 1)]),
          );
    for (const value of [
      nested(5),
      Array.from({ length: 300_000 }, () => 0),
      JSON.parse('['.repeat(100) + ']'.repeat(100)),
    ]) {
      const lines = read(JSON.stringify(value)).shape!.split('\n');
      expect(lines.length).toBeLessThan(160);
      expect(lines.at(-1)).toBe('… and more, beyond the limits');
    }
  });
});

test('JSON lines keep their layout, and their shape covers all lines', () => {
  const source = '{"a":1}\n{"a":"x","b":[2]}\n';
  expect(read(source)).toMatchObject({
    kind: 'json',
    mediaType: 'application/x-ndjson',
    text: source,
    shape:
      'line: array; 2 items\nline[]: object × 2; keys a, b\nline[].a: number × 1, string × 1\nline[].b: array; 1 item\nline[].b[]: number',
  });
});

test('URLs in it are links, and a guard prefix is skipped', () => {
  const reading = read(')]}\'\n{"url":"https:\\/\\/b.test\\/c","js":"javascript:x"}');
  expect(reading.links).toEqual([{ url: 'https://b.test/c', text: '', place: 'content' }]);
  expect(reading.text).toBe('{ "url": "https://b.test/c", "js": "javascript:x" }');
});

test('invalid JSON is read as text', () => {
  expect(read('{"a": 1,}')).toMatchObject({ kind: 'text', mediaType: 'text/plain', text: '{"a": 1,}' });
  expect(read('{"a": 1}\n{"a": }\n')).toMatchObject({ kind: 'text' });
});
