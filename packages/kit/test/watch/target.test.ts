import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../src/watch/snapshot.ts';
import { Target } from '../../src/watch/target.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let stamp = 1000n;
const file = (size: bigint): Snapshot => {
  stamp += 1n;
  return { kind: 'file', dev: 1n, ino: 1n, size, mtimeNs: stamp, ctimeNs: stamp, takenAt: 10_000 };
};

/** A target whose content a test sets, and how often its subscriber was called. */
function setUp(size: bigint) {
  const scene = { content: 'before', calls: 0, looks: 0, now: undefined as Snapshot | undefined };
  const start = file(size);
  const target: Target = new Target(
    start,
    (named) => {
      if (target.admits(named)) target.see(scene.now);
    },
    (error) => expect.unreachable(error.message),
  );
  const digest = (): string => {
    scene.looks += 1;
    return scene.content;
  };
  target.subscribers.add({ kind: 'any', changed: () => (scene.calls += 1), digest, uncounted: false });
  target.settle();
  const see = (now: Snapshot | undefined): void => {
    scene.now = now;
    if (target.admits(true)) target.see(now);
  };
  return { scene, see };
}

test.each([
  ['gone', undefined],
  ['empty', 0n],
  ['cut to whole blocks', 8192n],
])('what is %s for a moment of a save is not told, nor the save of the same content', (_how, size) => {
  const { scene, see } = setUp(10_000n);
  see(size === undefined ? undefined : file(size));
  vi.advanceTimersByTime(10);
  see(file(10_000n));
  vi.advanceTimersByTime(1000);
  expect(scene.calls).toBe(0);
});

test.each([
  ['gone', undefined],
  ['empty', 0n],
  ['cut to whole blocks', 8192n],
])('what stays %s is told once', (_how, size) => {
  const { scene, see } = setUp(10_000n);
  scene.content = 'after';
  const now = size === undefined ? undefined : file(size);
  for (let n = 0; n < 5; n += 1) see(now);
  expect(scene.calls).toBe(0);
  vi.advanceTimersByTime(20);
  expect(scene.calls).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(scene.calls).toBe(1);
});

test('a path that changes without a pause is looked at now and then, and after the last change', () => {
  const { scene, see } = setUp(10n);
  for (let n = 0; n < 100; n += 1) {
    scene.content = `content ${n}`;
    see(file(10n));
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(20);
  expect(scene.looks).toBeLessThan(40);
  expect(scene.calls).toBeGreaterThan(10);
  const { calls } = scene;
  scene.content = 'the last';
  see(file(10n));
  vi.advanceTimersByTime(20);
  expect(scene.calls).toBe(calls + 1);
});
