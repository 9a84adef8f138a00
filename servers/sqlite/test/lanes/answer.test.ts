import { expect, test, vi } from 'vitest';
import { answer } from '../../src/lane/serve.ts';
import { Answer } from '../../src/lane/verb.ts';
import { fromLane } from '../../src/shared/frames.ts';

function framesOf(outcome: unknown): number[] {
  const kinds: number[] = [];
  answer(outcome, (kind) => kinds.push(kind));
  return kinds;
}

test('an answer is one frame, and two if work continues after it', () => {
  expect(framesOf({ rows: 1 })).toEqual([fromLane.reply]);
  expect(framesOf(new Answer({ rows: 1 }, [], () => {}))).toEqual([fromLane.reply, fromLane.idle]);
});

test('if work after an answer fails, the lane becomes idle and no call gets the failure', () => {
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const fail = (): void => {
    throw new Error('the disk is full');
  };
  expect(framesOf(new Answer({ rows: 1 }, [], fail))).toEqual([fromLane.reply, fromLane.idle]);
  expect(log.mock.calls.join()).toContain('the disk is full');
  log.mockRestore();
});
