import { expect, test } from 'vitest';
import { sampled } from './seeds.ts';

test('npm test and the full run have every case together, and none twice', () => {
  const cases = Array.from({ length: 30 }, (_, index) => index);
  for (const every of [2, 8]) {
    const both = [false, true].flatMap((isFull) => sampled(cases, every, isFull));
    expect(both.sort((a, b) => a - b)).toEqual(cases);
  }
});
