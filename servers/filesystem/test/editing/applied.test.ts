import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, newest, Scene } from '../harness.ts';

const scene = new Scene();

const programs: [name: string, args: string[]][] = [
  ['git', ['apply', '-p0', '--whitespace=nowarn', 'the.diff']],
  ['patch', ['-p0', '-s', '--binary', '-i', 'the.diff']],
];
const installed = programs.filter(([name]) => spawnSync(name, ['--version']).status === 0);

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

const cases: [what: string, name: string, before: string, edits: object[]][] = [
  ['one line', 'a.txt', lines(9), [{ startLine: 5, newText: 'V' }]],
  [
    'the first and the last line',
    'a.txt',
    lines(40),
    [
      { startLine: 1, newText: 'I' },
      { startLine: 40, newText: '' },
    ],
  ],
  [
    'hunks that touch',
    'a.txt',
    lines(20),
    [
      { startLine: 5, newText: 'a' },
      { startLine: 12, newText: 'b\nc' },
    ],
  ],
  [
    'hunks that do not',
    'a.txt',
    lines(20),
    [
      { startLine: 5, newText: '' },
      { startLine: 13, newText: 'b' },
    ],
  ],
  ['the first text of an empty file', 'a.txt', '', [{ insertLine: 0, newText: 'a\nb' }]],
  ['all text taken away', 'a.txt', 'a\nb\n', [{ startLine: 1, endLine: 2, newText: '' }]],
  ['no line end at the end', 'a.txt', 'a\nb', [{ startLine: 2, newText: 'c' }]],
  ['a line end added at the end', 'a.txt', 'a\nb', [{ oldText: 'b', newText: 'b\n' }]],
  ['a line end taken from the end', 'a.txt', 'a\nb\n', [{ oldText: 'b\n', newText: 'b' }]],
  ['a line behind one without an end', 'a.txt', 'a\nb', [{ insertLine: 2, newText: 'c' }]],
  ['CRLF', 'a.txt', 'a\r\nb\r\nc\r\n', [{ oldText: 'b\n', newText: 'x\ny\n' }]],
  ['one line end alone', 'a.txt', 'a\nb\n', [{ oldText: 'a\n', newText: 'a\r\n' }]],
  ['a lone CR', 'a.txt', 'a\rb\nc\n', [{ oldText: 'b', newText: 'x' }]],
  ['a byte order mark beside it', 'a.txt', '\uFEFFa\nb\n', [{ oldText: 'a', newText: 'x' }]],
  ['a name with spaces', 'my own file.txt', 'a\nb\n', [{ oldText: 'a', newText: 'x' }]],
  ['a name that is not ASCII', 'blå 文.txt', 'a\nb\n', [{ oldText: 'a', newText: 'x' }]],
  ['a name with quotes and a line end', 'a "b"\n\\c.txt', 'a\nb\n', [{ oldText: 'a', newText: 'x' }]],
  [
    'lines like those of a diff',
    'a.txt',
    '--- a\n+++ b\n@@ -1 +1 @@\n-x\n',
    [{ oldText: '-x', newText: '+x' }],
  ],
];

for (const [program, args] of installed) {
  test.each(cases)(`${program} applies the diff: %s`, async (_what, name, before, edits) => {
    const folder = join(scene.outside, 'copy');
    mkdirSync(folder);
    writeFileSync(join(folder, name), before);
    scene.put(name, before);
    const client = await scene.client({ revision: newest });
    const { failed, text, facts } = await call(client, 'edit_file', { path: name, edits });
    expect([failed, facts.truncated], text).toEqual([false, false]);
    writeFileSync(join(folder, 'the.diff'), facts.diff);
    const ran = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    expect([ran.status, ran.stderr], facts.diff).toEqual([0, '']);
    expect(readFileSync(join(folder, name)).equals(scene.bytes(name))).toBe(true);
  });
}
