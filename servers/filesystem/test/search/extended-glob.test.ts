import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extendedGlob } from '../../src/search/extended-glob.ts';
import { toBytes } from '../../src/search/order.ts';

const matches = (pattern: string, path: string): boolean => {
  const slash = path.lastIndexOf('/') + 1;
  return extendedGlob(pattern).inside(toBytes(path.slice(0, slash)))?.(toBytes(path.slice(slash))) === true;
};

const character = fc.constantFrom('a', 'b', '.', '?', '*', '[ab]', '[!a]', '[[:alpha:].]', '\\a');
const { pattern } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
  pattern: fc
    .array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, character, tie('group')), { maxLength: 4 })
    .map((parts) => parts.join('')),
  group: fc
    .tuple(fc.constantFrom('@', '?', '*', '+', '!'), fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }))
    .map(([mark, ways]) => `${mark}(${ways.join('|')})`),
}));
const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), minLength: 1, maxLength: 6 });

// Windows has no bash
test.runIf(existsSync('/bin/bash'))('a generated pattern matches the same names as in bash', () => {
  // bash is wrong for a star before a group, and for an empty alternative
  const sound = pattern.filter((one) => !/\*[@?*+!]\(|[(|][|)]/.test(one));
  const pairs = fc.sample(fc.tuple(sound, fc.array(name, { minLength: 1, maxLength: 8 })), {
    seed: 18,
    numRuns: 600,
  });
  const lines = pairs.flatMap(([one, names]) => names.map((each) => `${one}\n${each}\n`));
  const script =
    'shopt -s extglob; while IFS= read -r p && IFS= read -r n; do [[ $n == $p ]] && echo 1 || echo 0; done';
  const { stdout } = spawnSync('/bin/bash', ['-c', script], {
    input: lines.join(''),
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
  });
  const expected = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line === '1');
  const asked = pairs.flatMap(([one, names]) => names.map((each) => [one, each] as const));
  expect(expected).toHaveLength(asked.length);
  expect(expected.filter(Boolean).length).toBeGreaterThan(100);
  const wrong = asked.filter(([one, each], index) => matches(one, each) !== expected[index]);
  expect(wrong).toEqual([]);
});

describe('a pattern on a path', () => {
  test.each<[string, string[], string[]]>([
    ['{src,lib}/**/*.@(ts|js)', ['src/a.ts', 'lib/x/y/b.js'], ['src/a.css', 'a.ts', 'other/src/a.ts']],
    ['@(src|lib)/**', ['src/a', 'lib/b/c'], ['src', 'other/a']],
    ['**/@(a|b)', ['a', 'x/b', 'x/y/a'], ['xa', 'a/x']],
    ['x@(**/b)', ['x/b', 'xy/b'], ['xb', 'x/y/b']],
    ['!(*.test).ts', ['a.ts', 'a.test.js.ts'], ['a.test.ts', 'x/a.ts']],
    ['src/!(vendor|node_modules)/*.ts', ['src/own/a.ts'], ['src/vendor/a.ts', 'src/a/b/c.ts']],
    ['!*.@(md|txt)', ['a.ts', 'x/a.md'], ['a.md', 'b.txt']],
    ['!!@(a|b)', ['a'], ['c']],
    ['{1..3}.txt', ['1.txt', '3.txt'], ['0.txt', '4.txt', '1..3.txt']],
    ['{08..10}', ['08', '09', '10'], ['8', '11']],
    ['{a..e..2}', ['a', 'c', 'e'], ['b', 'd']],
    ['{3..1}', ['1', '2', '3'], ['0']],
    ['{-2..1}', ['-2', '-1', '0', '1'], ['2']],
    ['{a,b{c,d}}', ['a', 'bc', 'bd'], ['b', 'bcd']],
    ['{a,}b', ['ab', 'b'], ['a']],
    ['{a}@(b)', ['{a}b'], ['ab']],
    ['@(a', ['@(a'], ['a']],
    ['@(b)(1).js', ['b(1).js'], ['b1.js']],
    ['[[:digit:]]*', ['1a', '2'], ['a1']],
    ['[![:upper:]_]@(x)', ['ax', '-x'], ['Ax', '_x']],
    ['@(?)', ['é', '\u{1f600}', '.'], ['', 'ab']],
  ])('%s', (one, yes, no) => {
    expect([...yes, ...no].filter((path) => matches(one, path))).toEqual(yes);
  });
});

describe('a pattern that takes a backtracking regular expression exponential time', () => {
  const long = 'a'.repeat(255);
  test.each([
    '+([ab]|a)c',
    '*(*(a|aa)|a)b',
    `${'{a,aa}'.repeat(60)}b`,
    `${'?(a)'.repeat(255)}b`,
    `${'*@(a)'.repeat(60)}b`,
    '!(!(+(a|aa)))b',
  ])('%s fails', (one) => {
    expect(matches(one, long)).toBe(false);
  });

  test.each([
    ['deep groups', '@('.repeat(100), 'groups are nested more than 8 deep'],
    ['deep braces', '{a,'.repeat(100), 'groups are nested more than 8 deep'],
    ['many values', '{1..1000000}', 'a range has more than 1000 values'],
    ['many steps', `**/${'!(!(*(*(?|/|a)|a|/)))'.repeat(4)}b`, 'use fewer groups, or several globs'],
  ])('with %s is refused', (_what, one, why) => {
    expect(() => matches(one, `${long}/`.repeat(15) + long)).toThrow(
      expect.objectContaining({ code: 'pattern', message: `glob is too complex: ${why}` }),
    );
  });
});
