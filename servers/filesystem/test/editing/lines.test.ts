import { expect, test } from 'vitest';
import { call, inEveryRevision, newest, type Outcome, Scene } from '../harness.ts';

const scene = new Scene();
const text = 'one\ntwo\nthree\nfour\nfive\n';

async function edit(
  before: string | Uint8Array,
  edits: readonly object[],
  setting: object = { revision: newest },
): Promise<Outcome> {
  scene.put('a.txt', before);
  return call(await scene.client(setting), 'edit_file', { path: 'a.txt', edits });
}

async function edited(before: string, edits: readonly object[]): Promise<string> {
  const { failed, text: message } = await edit(before, edits);
  expect(failed, message).toBe(false);
  return scene.bytes('a.txt').toString();
}

inEveryRevision((revision) => {
  test('lines are replaced and inserted by line number', async () => {
    const edits = [
      { startLine: 2, endLine: 3, newText: 'TWO\nand a half' },
      { insertLine: 0, newText: 'zero' },
      { insertLine: 5, newText: 'six\n' },
    ];
    const { failed, text: message } = await edit(text, edits, { revision });
    expect([failed, message.split(', etag')[0]]).toEqual([false, 'edited a.txt (replaced 1 + 1 + 1']);
    expect(scene.bytes('a.txt').toString()).toBe('zero\none\nTWO\nand a half\nfour\nfive\nsix\n');
  });
});

test.each<[string, string, object[], string]>([
  ['one line without endLine', text, [{ startLine: 5, newText: 'V' }], 'one\ntwo\nthree\nfour\nV\n'],
  ['a newText with its line end', text, [{ startLine: 1, newText: 'I\n' }], 'I\ntwo\nthree\nfour\nfive\n'],
  ['an empty newText, which removes', text, [{ startLine: 2, endLine: 4, newText: '' }], 'one\nfive\n'],
  ['"\\n", which is one empty line', text, [{ startLine: 2, endLine: 5, newText: '\n' }], 'one\n\n'],
  ['an empty line inserted', 'a\nb\n', [{ insertLine: 1, newText: '\n' }], 'a\n\nb\n'],
  ['a last line without an end', 'a\nb', [{ startLine: 2, newText: 'B\n' }], 'a\nB'],
  ['lines after a last line without an end', 'a\nb', [{ insertLine: 2, newText: 'c\nd\n' }], 'a\nb\nc\nd'],
  [
    'lines in place of a removed last line',
    'a\nb',
    [
      { startLine: 2, newText: '' },
      { insertLine: 2, newText: 'c' },
    ],
    'a\nc',
  ],
  ['the text of an empty file', '', [{ insertLine: 0, newText: 'a\nb\n' }], 'a\nb\n'],
  ['the start behind a byte order mark', '\uFEFFa\n', [{ insertLine: 0, newText: 'z' }], '\uFEFFz\na\n'],
  ['lines of CRLF', 'a\r\nb\r\nc\r\n', [{ startLine: 2, newText: 'x\ny' }], 'a\r\nx\r\ny\r\nc\r\n'],
  ['a line inserted between CRLF', 'a\r\nb\r\n', [{ insertLine: 1, newText: 'x' }], 'a\r\nx\r\nb\r\n'],
  ['a line inserted before CRLF', 'a\r\nb\r\n', [{ insertLine: 0, newText: 'x' }], 'x\r\na\r\nb\r\n'],
  [
    'each place of a mixed file as it is there',
    'a\r\nb\nc\n',
    [{ startLine: 1, newText: 'x\ny' }],
    'x\r\ny\r\nb\nc\n',
  ],
  ['all of it', 'a\nb\nc', [{ startLine: 1, endLine: 3, newText: 'x' }], 'x'],
])('by lines: %s', async (_what, before, edits, after) => {
  expect(await edited(before, edits)).toBe(after);
});

test('line numbers are those of the file before the call, whatever the order of the edits', async () => {
  const edits = [
    { startLine: 4, newText: 'IV' },
    { insertLine: 1, newText: 'between' },
    { startLine: 1, newText: 'I\nI' },
    { insertLine: 4, newText: 'first behind' },
    { insertLine: 4, newText: 'second behind' },
  ];
  const after = 'I\nI\nbetween\ntwo\nthree\nIV\nfirst behind\nsecond behind\nfive\n';
  expect(await edited(text, edits)).toBe(after);
  expect(await edited(text, edits.toReversed())).toBe(
    after.replace('first behind\nsecond', 'second behind\nfirst'),
  );
});

test('edits by line are applied before those by text', async () => {
  const after = await edited(text, [
    { oldText: 'two\nTHREE', newText: 'done' },
    { startLine: 3, newText: 'THREE' },
  ]);
  expect(after).toBe('one\ndone\nfour\nfive\n');
});

test.each<[string, object[], string, string]>([
  [
    'two ranges that share a line',
    [
      { startLine: 3, endLine: 5, newText: 'x' },
      { startLine: 1, endLine: 3, newText: 'y' },
    ],
    'overlap',
    'edits 1 and 2 overlap: lines 3-5 and lines 1-3',
  ],
  [
    'an insertion within a range',
    [
      { insertLine: 2, newText: 'x' },
      { startLine: 2, endLine: 3, newText: 'y' },
    ],
    'overlap',
    'edits 1 and 2 overlap: after line 2 and lines 2-3',
  ],
  [
    'the same line twice',
    [
      { startLine: 2, newText: 'x' },
      { startLine: 2, newText: 'y' },
    ],
    'overlap',
    'edits 1 and 2 overlap: line 2 and line 2',
  ],
  [
    'a range beyond the end',
    [{ startLine: 5, endLine: 6, newText: 'x' }],
    'no-match',
    'endLine 6 is past the end: the file has 5 lines',
  ],
  [
    'a start beyond the end',
    [{ startLine: 9, newText: 'x' }],
    'no-match',
    'startLine 9 is past the end: the file has 5 lines',
  ],
  [
    'an insertion beyond the end',
    [{ insertLine: 6, newText: 'x' }],
    'no-match',
    'insertLine 6 is past the end: the file has 5 lines',
  ],
  [
    'a range that runs backwards',
    [{ startLine: 3, endLine: 2, newText: 'x' }],
    'invalid-arguments',
    'endLine 2 is before startLine 3',
  ],
  [
    'an edit without a form',
    [{ newText: 'x' }],
    'invalid-arguments',
    'the edit has none of oldText, startLine and insertLine',
  ],
  [
    'an edit of two forms, which is named',
    [
      { insertLine: 0, newText: 'x' },
      { oldText: 'one', startLine: 1, newText: 'x' },
    ],
    'invalid-arguments',
    'edit 2: has more than one of oldText, startLine and insertLine',
  ],
  [
    'endLine alone',
    [{ oldText: 'one', endLine: 1, newText: 'x' }],
    'invalid-arguments',
    'endLine needs startLine',
  ],
  [
    'replaceAll of lines',
    [{ startLine: 1, newText: 'x', replaceAll: true }],
    'invalid-arguments',
    'replaceAll and expected need oldText',
  ],
  ['an insertion of nothing', [{ insertLine: 1, newText: '' }], 'invalid-arguments', 'newText is empty'],
])('refused, and nothing is written: %s', async (_what, edits, code, message) => {
  const outcome = await edit(text, edits);
  expect([outcome.failed, outcome.code, outcome.text.split('\n')[0]]).toEqual([true, code, message]);
  expect(scene.bytes('a.txt').toString()).toBe(text);
});

test('UTF-16 has lines like any other text', async () => {
  const bytes = (content: string): Buffer => Buffer.from(`\uFEFF${content}`, 'utf16le').swap16();
  // U+0A0D and U+0D0A contain the bytes of line ends
  const { failed } = await edit(bytes('a\u0a0d\r\nb\u0d0a\r\nc'), [
    { startLine: 2, newText: 'x\ny' },
    { insertLine: 3, newText: 'd' },
  ]);
  expect([failed, scene.bytes('a.txt').equals(bytes('a\u0a0d\r\nx\r\ny\r\nc\r\nd'))]).toEqual([false, true]);
});
