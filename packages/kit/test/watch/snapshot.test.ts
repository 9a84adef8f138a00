import { expect, test } from 'vitest';
import { mayHideChange, type Snapshot } from '../../src/watch/snapshot.ts';

function changedAt(ctimeNs: bigint, takenAt: number): Snapshot {
  return { kind: 'file', dev: 1n, ino: 1n, size: 1n, mtimeNs: ctimeNs, ctimeNs, takenAt };
}

test('equal stamps prove nothing while the clock tick of the change lasts, and something after it', () => {
  expect(mayHideChange(changedAt(1_000_500_000_001n, 1_000_505))).toBe(true);
  expect(mayHideChange(changedAt(1_000_500_000_001n, 1_000_600))).toBe(false);
});

test('stamps in whole seconds are not believed for two seconds', () => {
  expect(mayHideChange(changedAt(1_000_000_000_000n, 1_001_900))).toBe(true);
  expect(mayHideChange(changedAt(1_000_000_000_000n, 1_002_100))).toBe(false);
});

test('stamps from a clock ahead of ours are not believed', () => {
  expect(mayHideChange(changedAt(2_000_500_000_001n, 1_000_000))).toBe(true);
});
