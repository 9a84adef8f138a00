import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createServer, tool } from '../../src/index.ts';
import { serveMemory } from '../../src/testing.ts';
import type { Message } from '../wire/message.ts';
import { Talk } from './talk.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Report = (progress: number, total?: number, message?: string) => void;

/** Returns the notifications of a call whose tool reports progress; `wait` advances the time. */
async function heardOf(
  play: (report: Report, wait: (milliseconds: number) => void) => void,
  meta: object = { progressToken: 'p' },
): Promise<Message[]> {
  let late: Report = () => {};
  const server = createServer({
    name: 'steps',
    version: '1.0.0',
    tools: [
      tool({
        name: 'work',
        description: 'Works.',
        input: z.object({}),
        run: (_args, { progress }) => {
          late = progress;
          play(progress, (milliseconds) => void vi.advanceTimersByTime(milliseconds));
          return 'done';
        },
      }),
    ],
  });
  const talk = new Talk(serveMemory(server), '2026-07-28', {});
  talk.wire.say(talk.line(1, 'tools/call', { name: 'work', arguments: {} }, meta));
  await talk.wire.answer(1);
  late(1000, 1000);
  await talk.request('tools/list');
  return talk.wire.heard
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => params);
}

const values = (heard: Message[]): number[] => heard.map(({ progress }) => progress);

test('progress that does not increase is not sent', async () => {
  const heard = await heardOf((report, wait) => {
    for (const value of [1, 1, 0.5, 2, -3, 2, 2.25]) {
      report(value);
      wait(100);
    }
  });
  expect(values(heard)).toEqual([1, 2, 2.25]);
});

test('progress within 50 ms is not sent, except the end', async () => {
  const heard = await heardOf((report, wait) => {
    for (let done = 1; done <= 100; done++) {
      report(done, 100, `step ${done}`);
      wait(10);
    }
  });
  expect(values(heard)).toEqual([1, ...Array.from({ length: 19 }, (_, i) => 6 + 5 * i), 100]);
  expect(heard.at(-1)).toEqual({ progressToken: 'p', progress: 100, total: 100, message: 'step 100' });
});

test('nothing is sent after the response', async () => {
  expect(values(await heardOf((report) => report(1)))).toEqual([1]);
});

test('nothing is sent to a client without a token', async () => {
  expect(await heardOf((report) => report(1), {})).toEqual([]);
});

test('the token is that of the request, with its type', async () => {
  const [first] = await heardOf((report) => report(1), { progressToken: 7 });
  expect(first.progressToken).toBe(7);
});
