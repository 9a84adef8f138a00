import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../packages/protocol/src/protocol/json-schema/budget.ts';
import { compilePattern } from '../../packages/protocol/src/protocol/json-schema/pattern.ts';
import { full } from '../extent.ts';

const runs = full ? 1000 : 250;
const finds = (source: string, text: string): boolean => compilePattern(source).matches(text, new Budget());

/** Patterns of all constructs that can be matched in linear time. */
const source = fc.letrec<{ choice: string; sequence: string; term: string }>((tie) => ({
  choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((options) => options.join('|')),
  sequence: fc
    .array(
      fc.tuple(tie('term'), fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{0,1}', '{1,}', '{0}')),
      {
        maxLength: 4,
      },
    )
    .map((parts) =>
      parts
        .map(([term, times]) => (/^(?:[\^$]|\\[bB]|\(\?<?[=!])/.test(term) ? term : term + times))
        .join(''),
    ),
  term: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '\\D',
      '\\w',
      '\\W',
      '\\s',
      '\\S',
      '\\n',
      '\\x61',
      '\\u0062',
      '\\u{1f4a7}',
      '\\.',
      '💧',
      '\\p{L}',
      '\\P{L}',
      '\\cJ',
      '\\0',
    ),
    fc.constantFrom('^', '$', '\\b', '\\B'),
    fc.constantFrom(
      '[ab]',
      '[^a]',
      '[a-c0-9]',
      '[\\d_-]',
      '[^\\W]',
      '[\\b]',
      '[.]',
      '[]',
      '[^]',
      '[\\]]',
      '[💧b]',
    ),
    tie('choice').map((inner) => `(${inner})`),
    tie('choice').map((inner) => `(?:${inner})`),
    tie('choice').map((inner) => `(?=${inner})`),
    tie('choice').map((inner) => `(?!${inner})`),
    tie('choice').map((inner) => `(?<=${inner})`),
    tie('choice').map((inner) => `(?<!${inner})`),
  ),
})).choice;
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '0', '_', ' ', '\n', '.', '-', '💧', 'é', '\0', '\b', '\u2028'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

test('generated patterns have the same matches as in RegExp', () => {
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 1, maxLength: 5 }), (pattern, texts) => {
      const looks = (pattern.match(/\(\?<?[=!]/g) ?? []).length;
      fc.pre(looks < 20);
      const native = new RegExp(pattern, 'u');
      for (const one of texts) {
        // V8 evaluates a lookaround in the middle of a surrogate pair, where no match can begin
        const whole = looks > 0 || pattern.includes('\\B') ? one.replaceAll('💧', 'c') : one;
        expect(finds(pattern, whole)).toBe(native.test(whole));
      }
    }),
    { numRuns: runs },
  );
});

test.each([
  ['(?<year>\\d{4})-(?<month>\\d\\d)', '2025-01', true],
  ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'Passw0rdX', true],
  ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'password', false],
  ['(?<!\\$)\\b\\d+', '$42', false],
  ['^[\\w.+-]+@[\\w-]+\\.[\\w.]+$', 'ada@example.com', true],
  ['^\\S+$', 'a\ufeff', false],
  ['a{,2}', 'a{,2}', true],
  ['^{', '{', true],
  ['\\-', '-', true],
  ['\\_', '_', true],
  ['^\\p{Script=Greek}+$', 'αβγ', true],
  ['^\\p{Lu}', 'a', false],
  ['\\u', 'u', true],
  ['\\ud83d\\udca7', '💧', true],
])('%s in %j: %s', (pattern, within, expected) => {
  expect(finds(pattern, within)).toBe(expected);
});

describe('patterns that take backtracking engines exponential time', () => {
  test.each([
    ['^(a+)+$', `${'a'.repeat(50_000)}!`],
    ['^(a|a)*$', `${'a'.repeat(50_000)}!`],
    ['^(a|aa)+$', `${'a'.repeat(50_000)}!`],
    ['(x+x+)+y', 'x'.repeat(50_000)],
    ['^(?:.*,){11}P', 'a,'.repeat(20_000)],
    ['^(?=(a+)+$)', `${'a'.repeat(50_000)}!`],
  ])('%s is answered', (pattern, within) => {
    expect(finds(pattern, within)).toBe(false);
  });

  test('patterns that take too many steps are given up', () => {
    const costly = compilePattern(`${'(a?)'.repeat(500)}${'a'.repeat(500)}b`);
    expect(() => costly.matches('a'.repeat(100_000), new Budget())).toThrow(
      'the patterns take too many steps',
    );
  });
});

test.each([
  ['(a)\\1', 'has a back reference, which is not supported'],
  ['(?<x>a)\\k<x>', 'has a back reference, which is not supported'],
  ['(', 'has a ( without a )'],
  [')', 'has a ) without a ('],
  ['[a', 'ends unexpectedly'],
  ['a\\', 'ends unexpectedly'],
  ['*a', 'has a quantifier with nothing to repeat'],
  ['a**', 'repeats a quantifier'],
  ['a{2,1}', 'has a quantifier whose bounds are out of order'],
  ['[b-a]', 'has a range that is out of order'],
  ['(?i:a)', 'has a group of an unknown kind'],
  ['\\p{Nothing}', 'has a Unicode property that does not exist'],
  ['\\u{110000}', 'has a code point that does not exist'],
  ['a{99999}', 'repeats more than 10000 times'],
  ['('.repeat(100), 'is nested too deeply'],
  ['a'.repeat(20_000), 'is too long'],
])('%j is refused', (pattern, why) => {
  expect(() => compilePattern(pattern)).toThrow(
    expect.objectContaining({ name: 'SchemaError', message: expect.stringContaining(why) }),
  );
});

test.each(['(a{1000}){1000}', '((a{100}){100}){100}', '(?:(?=a)b){1000}'])('%s is too large', (pattern) => {
  expect(() => compilePattern(pattern)).toThrow(/a pattern (?:is too large|has too many lookarounds)/);
});
