import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { together } from '../../src/call.ts';

test('what comes in one turn is told once, and what comes later again', async () => {
  let notified = 0;
  const tell = together(() => {
    notified += 1;
  });
  for (let count = 0; count < 3; count++) tell();
  expect(notified).toBe(0);
  await nextTurn();
  expect(notified).toBe(1);
  tell();
  await nextTurn();
  expect(notified).toBe(2);
});

test('nothing is told once it is cancelled', async () => {
  let notified = 0;
  const tell = together(() => {
    notified += 1;
  });
  tell();
  tell.cancel();
  tell();
  await nextTurn();
  expect(notified).toBe(0);
});

test('what comes within the pause after a telling is told once, at its end', () => {
  vi.useFakeTimers();
  try {
    let notified = 0;
    const tell = together(() => {
      notified += 1;
    }, 100);
    tell();
    vi.advanceTimersByTime(1);
    expect(notified).toBe(1);
    tell();
    tell();
    vi.advanceTimersByTime(98);
    expect(notified).toBe(1);
    vi.advanceTimersByTime(2);
    expect(notified).toBe(2);
    vi.advanceTimersByTime(1000);
    expect(notified).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test('what waits for the end of the pause is not told once it is cancelled', () => {
  vi.useFakeTimers();
  try {
    let notified = 0;
    const tell = together(() => {
      notified += 1;
    }, 100);
    tell();
    vi.advanceTimersByTime(1);
    tell();
    tell.cancel();
    vi.advanceTimersByTime(1000);
    expect(notified).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
