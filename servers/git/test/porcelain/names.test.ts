import { ToolError } from '@rootbound/protocol';
import { expect, test } from 'vitest';
import { bytesOfName, isPlainName, nameOf } from '../../src/porcelain/names.ts';
import { scratch } from '../scratch.ts';
import { random } from './random.ts';

const bytes = (latin1: string) => Buffer.from(latin1, 'latin1');

test('a name of UTF-8 on one line is itself', () => {
  for (const name of [
    'plain.txt',
    'two words',
    ' lead',
    'trail ',
    '-dash',
    '--output=x',
    'it"s',
    'a\\b',
    'größe',
    '日本.md',
    '😀',
    '\ufeffmark',
    '',
  ]) {
    expect(nameOf(Buffer.from(name))).toBe(name);
    expect(bytesOfName(name)).toEqual(Buffer.from(name));
    expect(isPlainName(name)).toBe(true);
  }
});

test('a name that would not read as itself on one line is quoted', () => {
  const quoted: readonly (readonly [string | Buffer, string])[] = [
    [bytes('caf\xe9.txt'), String.raw`"caf\351.txt"`],
    ['"quoted"', String.raw`"\"quoted\""`],
    ['"', String.raw`"\""`],
    ['a\nb', String.raw`"a\nb"`],
    ['\x07\b\t\v\f\r\x1b\x7f', String.raw`"\a\b\t\v\f\r\033\177"`],
    ['é\n', String.raw`"\303\251\n"`],
    ['back\\slash\n', String.raw`"back\\slash\n"`],
    // marks that turn the text round, line separators and the controls of Latin-1
    ['txt.\u202egpj', String.raw`"txt.\342\200\256gpj"`],
    ['a\u2028b', String.raw`"a\342\200\250b"`],
    ['a\u0085b', String.raw`"a\302\205b"`],
    // a surrogate alone is no UTF-8, whatever other programs write
    [bytes('\xed\xa0\x80'), String.raw`"\355\240\200"`],
  ];
  for (const [name, text] of quoted) {
    expect(nameOf(Buffer.from(name))).toBe(text);
    expect(bytesOfName(text)).toEqual(Buffer.from(name));
    expect(isPlainName(text)).toBe(false);
  }
});

test('whatever its bytes are, a name goes both ways', () => {
  const next = random(1);
  const alphabets = ['abc/.- ', '"\\', '\n\t\r\x1b\x7f', '\xc3\xa9', '\xe9\xff\x80', '01234567n'];
  for (let round = 0; round < 5000; round++) {
    const name = Array.from({ length: next(12) }, () => {
      const alphabet = alphabets[next(alphabets.length)]!;
      return alphabet[next(alphabet.length)];
    }).join('');
    const text = nameOf(bytes(name));
    expect(bytesOfName(text)).toEqual(bytes(name));
    expect(text).not.toMatch(/[\n\r\t\ufffd]/);
  }
  for (let byte = 1; byte < 256; byte++) {
    const name = Buffer.of(byte, 0x62, byte);
    expect(bytesOfName(nameOf(name))).toEqual(name);
  }
});

test('a quoted name is the one that git prints', () => {
  const { folder, git } = scratch();
  git(folder, 'init');
  const names = Array.from({ length: 255 }, (_, index) => index + 1)
    .filter((byte) => byte !== 0x2f)
    .map((byte) => Buffer.concat([bytes('"'), Buffer.of(byte, 0x61)]));
  const blob = git(folder, 'hash-object', '-w', '--stdin', { input: 'x' }).toString().trim();
  const lines = names.map((name) => Buffer.concat([bytes(`100644 ${blob}\t`), name, bytes('\0')]));
  git(folder, 'update-index', '-z', '--index-info', { input: Buffer.concat(lines) });
  const visible = git(folder, 'ls-files').toString().trimEnd().split('\n');
  expect(names.map(nameOf).sort()).toEqual(visible.sort());
});

test('every quoted form that git reads is taken', () => {
  expect(bytesOfName('"plain"')).toEqual(bytes('plain'));
  expect(bytesOfName('"é"')).toEqual(Buffer.from('é'));
  expect(bytesOfName('""')).toEqual(Buffer.alloc(0));
});

test('what is no name is refused with how to write one', () => {
  for (const name of [
    '"',
    '"open',
    '"a" b',
    String.raw`"\"`,
    String.raw`"\400"`,
    String.raw`"\18"`,
    String.raw`"\e"`,
    String.raw`"a\000"`,
    '"a"b"',
    'a\0b',
    'lone \ud800',
  ]) {
    const refusal = refusalOf(() => bytesOfName(name));
    expect(refusal).toBeInstanceOf(ToolError);
    expect(refusal).toMatchObject({
      code: 'invalid-path',
      retryable: false,
      hint: expect.stringContaining('"caf'),
    });
  }
});

function refusalOf(attempt: () => unknown): unknown {
  try {
    return attempt();
  } catch (error) {
    return error;
  }
}
