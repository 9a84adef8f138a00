import { expect, test } from 'vitest';
import { loadDriver } from '../../src/lane/driver.ts';
import { type Token, tokensOf } from '../../src/shared/sql/lexer.ts';
import { Random, seeds } from './random.ts';

const db = new (loadDriver())(':memory:');

test.each<[sql: string, tokens: string[]]>([
  [
    'SELECT \'it\'\'s\', "a""b", `c``d`, [e]f]',
    ['SELECT', "'it''s'", ',', '"a""b"', ',', '`c``d`', ',', '[e]', 'f', ']'],
  ],
  ['a -- b\nc /* d */ e /* f', ['a', 'c', 'e']],
  ['a/*', ['a', '/', '*']],
  ['a/**/b/*/c*/d', ['a', 'b', 'd']],
  ['\uFEFFa\uFEFFb \uFEFFc', ['a\uFEFFb', 'c']],
  ['a\0b', ['a']],
  ["x'00' X'0' x'0g' xy'a'", ["x'00'", "X'0'", "x'0g'", 'xy', "'a'"]],
  [
    '? ?12 :a @b $c $d::e(f) #1 : @',
    ['?', '?12', ':a', '@b', '$c', '$d', ':', ':e', '(', 'f', ')', '#1', ':', '@'],
  ],
  [
    '1 1.5 .5 1. 1e5 1e 0x1F 0xg 1_000 12a',
    ['1', '1.5', '.5', '1.', '1e5', '1e', '0x1F', '0xg', '1_000', '12a'],
  ],
  ['a->b->>c<>d||e!=f==g<<h!i', 'a -> b ->> c <> d || e != f == g << h ! i'.split(' ')],
  ["'open", ["'open"]],
  ['ſelect ıf', ['ſelect', 'ıf']],
])('the tokens of %j are those that SQLite sees', (sql, tokens) => {
  expect(tokensOf(sql).map((token) => textOf(sql, token))).toEqual(tokens);
  for (const [index, token] of tokensOf(sql).entries())
    expect(nextToken(sql, index)).toEqual(errorAt(sql, token));
});

test('only ASCII letters are converted to upper case, as in SQLite', () => {
  expect(tokensOf('pRagma prAgmıa').map(({ word }) => word)).toEqual(['PRAGMA', 'PRAGMıA']);
});

const fragments = [
  ...' \t\n\f\r\v;(),.+-*/%&|~<>=!?:@$#\'"`[]\\^{}\0\uFEFF\u00A0\u2028éſ\uFFFD_xXeE019'.split(''),
  '--',
  '/*',
  '*/',
  '->',
  '->>',
  "''",
  '""',
  '``',
  "x'",
  "X'0a'",
  '?1',
  ':a',
  '$b',
  '::',
  '0x',
  '1e',
  '.5',
  '1_0',
  'select',
  'PRAGMA',
  'Attach',
  'end',
  'window',
  'ab',
  'a$b',
  'é1',
  "'x'",
  '"y"',
  '`z`',
  '[w]',
  ' ',
  ' ',
  '\n',
];

test('tokens of generated texts are those of SQLite', () => {
  for (const seed of seeds(20_000)) {
    const random = new Random(seed);
    const sql = random.run(fragments, 14);
    const tokens = tokensOf(sql);
    for (let index = 0; index <= tokens.length; index += 1) {
      const token = tokens[index];
      const expected = token === undefined ? 'incomplete input' : errorAt(sql, token);
      expect([sql, nextToken(sql, index)]).toEqual([sql, expected]);
      if (token?.kind === 'illegal') break;
    }
  }
});

/**
 * Returns SQLite's error for the token with this index: after CREATE it accepts only words that no fragment contains.
 */
function nextToken(sql: string, index: number): string {
  const from = index === 0 ? 0 : tokensOf(sql)[index - 1]!.end;
  try {
    db.prepare(`CREATE/**/${sql.slice(from)}`);
    return 'prepared';
  } catch (error) {
    return (error as Error).message;
  }
}

function errorAt(sql: string, token: Token): string {
  const text = textOf(sql, token);
  return token.kind === 'illegal' ? `unrecognized token: "${text}"` : `near "${text}": syntax error`;
}

function textOf(sql: string, { start, end }: Token): string {
  return sql.slice(start, end);
}
