import { expect, test } from 'vitest';
import { WebError } from '../../src/failure.ts';
import { Pace } from '../../src/watching/request-interval.ts';

const bounds = { leastMs: 1000, mostMs: 60_000 };
/** Returns the smallest and the largest of many intervals. */
const spread = (wait: () => number): [number, number] => {
  const waits = Array.from({ length: 500 }, wait);
  return [Math.min(...waits), Math.max(...waits)];
};

test('a page is requested again when it becomes stale, within the bounds', () => {
  const pace = new Pace(bounds);
  for (const [freshMs, from] of [
    [0, 1000],
    [5000, 5000],
    [86_400_000, 60_000],
  ] as const) {
    const [least, most] = spread(() => pace.next(freshMs));
    expect(least).toBeGreaterThanOrEqual(from);
    expect(most).toBeLessThanOrEqual(from * 1.2);
  }
});

test('pages that are requested together drift apart', () => {
  const pace = new Pace(bounds);
  const [least, most] = spread(() => pace.next(10_000));
  expect(most - least).toBeGreaterThan(1000);
});

test('while a page fails it is asked for half as often each time, and as usual once it answers', () => {
  const pace = new Pace(bounds);
  const failure = new Error('it is gone');
  const waits = Array.from({ length: 8 }, () => pace.afterFailure(failure));
  for (const [index, wait] of waits.entries()) {
    const from = Math.min(bounds.mostMs, bounds.leastMs * 2 ** (index + 1));
    expect(wait).toBeGreaterThanOrEqual(from);
    expect(wait).toBeLessThanOrEqual(from * 1.2);
  }
  expect(pace.next(0)).toBeLessThanOrEqual(1200);
});

test('a Retry-After is respected', () => {
  const pace = new Pace(bounds);
  const busy = new WebError('busy', { code: 'busy', retryAfterMs: 30_000 });
  expect(pace.afterFailure(busy)).toBeGreaterThanOrEqual(30_000);
});
