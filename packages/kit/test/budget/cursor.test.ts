import { ToolError } from '@rootbound/protocol';
import { expect, test } from 'vitest';
import { openCursor, sealCursor } from '../../src/budget.ts';

const refusal = expect.objectContaining({
  code: 'invalid-cursor',
  message: "cursor is not one of this server's; start again without it",
});

function failureOf(open: () => unknown): unknown {
  try {
    open();
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    return error;
  }
  return expect.fail('the cursor was accepted');
}

test.each([{ after: 'src/日本.ts', offset: 12 }, ['a', 1, null, true], 'plain', 0, null, {}])(
  'a sealed position %j opens as it was',
  (value) => {
    expect(openCursor('list', sealCursor('list', value))).toEqual(value);
  },
);

test('a cursor is one word that needs no escaping anywhere', () => {
  expect(sealCursor('list', { after: 'a b/"c"\n' })).toMatch(/^[A-Za-z0-9_-]+$/);
});

test('a cursor is the same in every process, so one from before a restart still opens', () => {
  expect(sealCursor('list', { after: 'b.txt' })).toBe('o8K2w1sibGlzdCIseyJhZnRlciI6ImIudHh0In1d');
});

test.each([
  '',
  'x',
  'AAAA',
  'not a cursor',
  Buffer.from('["list",1]').toString('base64url'),
  'A'.repeat(100_000),
  '😀',
])('a foreign cursor %# is refused', (text) => {
  expect(failureOf(() => openCursor('list', text))).toEqual(refusal);
});

test('a cursor of another listing is refused', () => {
  const cursor = sealCursor('search', { after: 'a' });
  expect(failureOf(() => openCursor('list', cursor))).toEqual(refusal);
});

test('a cursor changed in any one character is refused', () => {
  const cursor = sealCursor('list', { after: 'docs/readme.md', offset: 3 });
  for (let index = 0; index < cursor.length; index++) {
    const other = cursor[index] === 'A' ? 'B' : 'A';
    const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
    expect(failureOf(() => openCursor('list', changed))).toEqual(refusal);
  }
});

test.each([
  ['padded', (cursor: string) => `${cursor}=`],
  ['spaced', (cursor: string) => `${cursor} `],
  ['shortened', (cursor: string) => cursor.slice(0, -1)],
  ['doubled', (cursor: string) => cursor + cursor],
])('a %s cursor is refused', (_how, change) => {
  const cursor = sealCursor('list', { after: 'a' });
  expect(failureOf(() => openCursor('list', change(cursor)))).toEqual(refusal);
});

test('a position that the caller does not recognise is refused', () => {
  const isOffset = (value: unknown): value is number => typeof value === 'number';
  expect(openCursor('list', sealCursor('list', 4), isOffset)).toBe(4);
  expect(failureOf(() => openCursor('list', sealCursor('list', '4'), isOffset))).toEqual(refusal);
});
