import { expect, onTestFinished, test, vi } from 'vitest';
import { MARKER } from '../../scripts/selection.mjs';

const cases = Array.from({ length: 30 }, (_, index) => index);

test.each([
  [
    'npm test takes a tenth of generated cases, a part of a list, and the outermost revisions',
    '',
    3,
    [0, 8, 16, 24],
    [0, 29],
  ],
  ['the full run takes all', '1', 30, cases, cases],
])('%s', async (_, value, generated, some, outer) => {
  vi.stubEnv(MARKER, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const another = `../extent.ts?full=${value}`; // a module of its own, whatever other tests have loaded
  const { tenth, sampled, outermost }: typeof import('../extent.ts') = await import(another);
  expect([tenth(30), sampled(cases, 8), outermost(cases)]).toEqual([generated, some, outer]);
  expect([tenth(1), sampled([1]), outermost([1])]).toEqual([1, [1], [1]]);
});
