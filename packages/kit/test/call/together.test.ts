import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { together } from '../../src/call.ts';

test('what comes in one turn is told once, and what comes later again', async () => {
  let told = 0;
  const tell = together(() => {
    told += 1;
  });
  for (let count = 0; count < 3; count++) tell();
  expect(told).toBe(0);
  await nextTurn();
  expect(told).toBe(1);
  tell();
  await nextTurn();
  expect(told).toBe(2);
});

test('nothing is told once it is cancelled', async () => {
  let told = 0;
  const tell = together(() => {
    told += 1;
  });
  tell();
  tell.cancel();
  tell();
  await nextTurn();
  expect(told).toBe(0);
});
