import { expect, TestRunner, test } from 'vitest';
import { type Proof, proves, provesAt } from './prove.ts';

const served = '2026-07-28/jsonrpc/result-has-result-type';

/** Returns and removes the records of the running test, so that it proves nothing itself. */
function takeProofs(): Proof[] {
  const { meta } = TestRunner.getCurrentTest()!; // called in a test
  const proofs = meta.proofs ?? [];
  meta.proofs = [];
  return proofs;
}

test('a passed assertion records its id for its side', () => {
  proves('server', served, () => expect(1).toBe(1));
  expect(takeProofs()).toEqual([{ id: served, side: 'server' }]);
});

test('a failed assertion fails the test and records nothing', () => {
  expect(() => proves('server', served, () => expect(1).toBe(2))).toThrow('expected 1 to be 2');
  expect(takeProofs()).toEqual([]);
});

test('an assertion that fails asynchronously records nothing', async () => {
  const failing = proves('server', served, async () => expect(await Promise.resolve(1)).toBe(2));
  await expect(failing).rejects.toThrow('expected 1 to be 2');
  expect(takeProofs()).toEqual([]);
});

test('an assertion without expect proves nothing', () => {
  expect(() => proves('server', served, () => {})).toThrow('expects nothing');
  expect(takeProofs()).toEqual([]);
});

test('an unknown id is an error', () => {
  expect(() => proves('server', '2026-07-28/jsonrpc/unheard-of', () => expect(1).toBe(1))).toThrow(
    'has no id',
  );
});

test('a side cannot prove a requirement of the other', () => {
  expect(() => proves('client', served, () => expect(1).toBe(1))).toThrow('of the server, not the client');
});

test('one test proves a chain, each revision in its own run', () => {
  for (const revision of ['2024-11-05', '2026-07-28'] as const) {
    provesAt('client', revision)('2025-03-26/jsonrpc/request-id-not-null', () => expect(1).toBe(1));
  }
  const proofs = takeProofs();
  expect(proofs.map(({ id }) => id.slice(0, 10))).toEqual(['2024-11-05', '2026-07-28']);
});

test('in a revision without the requirement, the assertion runs and proves nothing', () => {
  const at = provesAt('server', '2024-11-05');
  at(served, () => expect(1).toBe(1));
  expect(() => at(served, () => expect(1).toBe(2))).toThrow('expected 1 to be 2');
  expect(takeProofs()).toEqual([]);
});
