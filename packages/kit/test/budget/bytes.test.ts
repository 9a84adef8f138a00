import { expect, test } from 'vitest';
import { Budget, DEFAULT_BUDGET, formatBytes, jsonBytes, parseBytes } from '../../src/budget.ts';
import { randomTexts } from './random.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KB'],
  [102_400, '100 KB'],
  [1536, '1.5 KB'],
  [1_048_575, '1 MB'],
  [33_554_432, '32 MB'],
  [5 * 1024 ** 4, '5 TB'],
])('%i bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  ['0', 0],
  ['100', 100],
  ['100B', 100],
  ['100K', 102_400],
  ['100k', 102_400],
  ['100 KB', 102_400],
  ['32M', 33_554_432],
  ['32MiB', 33_554_432],
  ['1.5G', 1_610_612_736],
  [' 2K ', 2048],
])('%j is a size of %i bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

test.each(['', 'lots', '-1', '1e3', '0x10', '10Q', 'K', '1.K', '1,5K', '99999999T', 'Infinity'])(
  '%j is no size',
  (text) => {
    expect(parseBytes(text)).toBeUndefined();
  },
);

test('a measured string weighs what its JSON weighs', () => {
  for (const text of randomTexts(3000)) {
    expect(jsonBytes(text)).toBe(Buffer.byteLength(JSON.stringify(text)));
  }
});

test('each single character weighs what its JSON weighs', () => {
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = String.fromCharCode(unit);
    if (jsonBytes(text) !== Buffer.byteLength(JSON.stringify(text))) expect.fail(`U+${unit.toString(16)}`);
  }
});

test('a budget takes what fits to the last byte and remembers a refusal', () => {
  const budget = new Budget(10);
  expect([budget.take(4), budget.take(6), budget.left, budget.truncated]).toEqual([true, true, 0, false]);
  expect([budget.take(1), budget.used, budget.truncated]).toEqual([false, 10, true]);
});

test('asking whether something fits spends nothing and marks nothing', () => {
  const budget = new Budget(10);
  expect([budget.fits(10), budget.fits(11), budget.used, budget.truncated]).toEqual([true, false, 0, false]);
});

test('a refused take leaves room for what is smaller', () => {
  const budget = new Budget(10);
  expect([budget.take(11), budget.take(10)]).toEqual([false, true]);
});

test('a budget without a size is 100 KB', () => {
  expect([new Budget().limit, DEFAULT_BUDGET]).toEqual([102_400, 102_400]);
});
