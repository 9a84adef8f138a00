import { expect, test } from 'vitest';
import { Intake } from '../../src/transports/intake.ts';

test('work behind queued work is queued too, even if there is room again', () => {
  let congested = true;
  const done: string[] = [];
  const intake = new Intake(() => congested);
  intake.take(() => done.push('first'));
  congested = false;
  intake.take(() => {
    done.push('second');
    congested = true;
  });
  intake.take(() => done.push('third'));
  expect([done, intake.holding]).toEqual([[], true]);
  intake.release();
  expect([done, intake.holding]).toEqual([['first', 'second'], true]);
  congested = false;
  intake.release();
  intake.take(() => done.push('fourth'));
  expect([done, intake.holding]).toEqual([['first', 'second', 'third', 'fourth'], false]);
});
