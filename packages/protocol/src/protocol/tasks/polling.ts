import { ConnectionError } from '../../jsonrpc/errors.ts';

const USUAL_MS = 1000;
/** Nobody is asked more often, whatever they say. */
const SHORTEST_MS = 10;
const LONGEST_MS = 2 ** 31 - 1;

/** The milliseconds between two looks at a task that its receiver wants. */
export function pollIntervalOf({ pollInterval }: { pollInterval?: unknown }): number {
  const wanted = typeof pollInterval === 'number' ? pollInterval : USUAL_MS;
  return Math.min(Math.max(wanted, SHORTEST_MS), LONGEST_MS);
}

/** Resolves after a while, or before when `wake` is called back; rejects when the signal aborts. */
export function pause(ms: number, signal: AbortSignal, wake?: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(new ConnectionError('cancelled', 'waiting for the task was cancelled'));
    };
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    wake?.(done);
  });
}
