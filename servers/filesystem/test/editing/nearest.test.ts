import { expect, test } from 'vitest';
import { call, halves, newest, Scene } from '../harness.ts';

const scene = new Scene();

/** Returns the error message for a missing text, without its first line. */
async function miss(before: string | Uint8Array, oldText: string, newText = 'x'): Promise<string[]> {
  scene.put('a.txt', before);
  const client = await scene.client({ revision: newest, maxOutput: 1024 });
  const edits = [{ oldText, newText }];
  const { code, text, result } = await call(client, 'edit_file', { path: 'a.txt', edits });
  const [first, ...rest] = text.split('\n');
  expect([code, first]).toEqual([
    'no-match',
    'oldText was not found; it must match exactly, including white space',
  ]);
  expect(halves(result).content).toBeLessThanOrEqual(1024);
  return rest;
}

const python = 'def f(x):\n\tif x:\n\t\treturn one(x)\n\treturn two(x)\n';

test('differing lines are listed as a diff, with equal lines around them', async () => {
  expect(await miss('a = 1\nlet b = two(a);\nc = 3\n', 'a = 1\nlet b = 2(a);\nc = 3\n')).toEqual([
    'the nearest text is on line 1 (- oldText, + file):',
    ' a = 1',
    '-let b = 2(a);',
    '+let b = two(a);',
    ' c = 3',
    'read the file again',
  ]);
});

test.each<[string, string, string, string[], string]>([
  [
    'tabs for spaces',
    python,
    'def f(x):\n    if x:\n        return one(x)',
    [' def f(x):', '-····if x:', '-········return one(x)', '+→if x:', '+→→return one(x)'],
    'the file indents with tabs, oldText with spaces',
  ],
  [
    'spaces for tabs',
    'if x:\n    go()\n',
    'if x:\n\tgo()',
    [' if x:', '-→go()', '+····go()'],
    'the file indents with spaces, oldText with tabs',
  ],
  [
    'white space at the end of a line',
    'one;  \ntwo;\n',
    'one;\ntwo;',
    ['-one;', '+one;··', ' two;'],
    'the file has white space at the end of line 1',
  ],
  [
    'white space at the end of a searched line',
    'one;\ntwo;\n',
    'one; \ntwo;',
    ['-one;·', '+one;', ' two;'],
    'oldText has white space at the end of line 1',
  ],
  [
    'a line end of LF where CRLF was searched',
    'one;\ntwo;\n',
    'one;\r\ntwo;',
    ['-one;␍', '+one;', ' two;'],
    'line 1 of the file ends in LF',
  ],
  [
    'one CRLF between LF',
    'one;\r\ntwo;\nthree;\n',
    'one;\ntwo;\nthree;',
    ['-one;', '+one;␍', ' two;', ' three;'],
    'line 1 of the file ends in CRLF',
  ],
  [
    'a space that is none',
    'const a\u00a0= 1;\n',
    'const a = 1;',
    ['-const a = 1;', '+const a⍽= 1;'],
    'the file has U+00A0 in place of a space on line 1',
  ],
  ['a space more within', 'a  = 1;\n', 'a = 1;', ['-a = 1;', '+a  = 1;'], 'inside line 1'],
])(
  'a difference in white space alone is made visible and described: %s',
  async (_what, before, oldText, rows, named) => {
    const [where, ...rest] = await miss(before, oldText);
    expect(where).toBe('the nearest text is on line 1 (- oldText, + file):');
    expect(rest).toEqual([...rows, `only white space differs: ${named}`, 'read the file again']);
  },
);

test('a long line is cut around its first difference', async () => {
  const line = (word: string): string => `${'word '.repeat(2000)}${word} ${'more '.repeat(2000)}`;
  const [, old, now] = await miss(`${line('there')}\n`, line('wanted'));
  expect([old?.slice(0, 3), old?.includes('wanted'), now?.includes('there')]).toEqual(['-…w', true, true]);
});

test('the nearest text is found far into a large file', async () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `line number ${index} of many`);
  lines[50_000] = 'call(first, second);';
  const message = await miss(lines.join('\n'), 'call(first, second);\nline number fifty thousand and one');
  expect(message[0]).toBe('the nearest text is on line 50001 (- oldText, + file):');
  expect(message).toContain('+line number 50001 of many');
});

test('an edit that was already applied is recognised', async () => {
  const message = await miss('zero\nthe new words\n', 'the other words', 'the new words');
  expect(message).toContain('newText is already in the file, on line 2');
});

test('line numbers in oldText are recognised', async () => {
  expect((await miss('alpha\nbeta\n', '1\talpha\n2\tbeta')).at(-1)).toBe(
    'leave the line numbers out of oldText',
  );
});

test('U+FFFD in oldText is explained', async () => {
  const message = await miss(Buffer.from('caf\xe9 noir\n', 'latin1'), 'caf\ufffd noir');
  expect(message.at(-1)).toBe(
    "U+FFFD stands for bytes that are not valid UTF-8: leave it out of oldText, or set encoding to 'latin1'",
  );
});

test('the message for a text of ten megabytes is as short as for a short one', async () => {
  const oldText = Array.from({ length: 400_000 }, (_, index) => `searched line ${index} here`).join('\n');
  const message = await miss('searched line 0 there\nsearched line 1 there\n', oldText);
  expect(message[0]).toBe('the nearest text is on line 1 (- oldText, + file):');
});
