import { ConnectionError } from '../../jsonrpc/errors.ts';

const USUAL_MS = 1000;
/** The shortest poll interval, whatever the receiver asks for. */
const SHORTEST_MS = 10;
const LONGEST_MS = 2 ** 31 - 1;

/** Returns the poll interval that a receiver asks for, in milliseconds. */
export function pollIntervalOf({ pollInterval }: { pollInterval?: unknown }): number {
  const wanted = typeof pollInterval === 'number' ? pollInterval : USUAL_MS;
  return Math.min(Math.max(wanted, SHORTEST_MS), LONGEST_MS);
}

/** Resolves after `ms`, or earlier when the callback passed to `wake` is called; rejects when the signal aborts. */
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
