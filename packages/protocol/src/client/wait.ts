import { ConnectionError } from '../jsonrpc/errors.ts';

export interface WaitOptions {
  timeout?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Returns the value of a promise; throws ConnectionError if the timeout ends or the signal aborts first. */
export function within<T>(work: Promise<T>, what: string, { timeout, signal }: WaitOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelled = (): void => reject(new ConnectionError('cancelled', `${what} was cancelled`));
    const expired = (): void =>
      reject(new ConnectionError('timeout', `${what} did not happen within ${timeout} ms`));
    if (signal?.aborted === true) cancelled();
    signal?.addEventListener('abort', cancelled, { once: true });
    const timer = timeout === undefined ? undefined : setTimeout(expired, timeout);
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancelled);
    };
    work.then(resolve, reject).finally(release);
  });
}

/** Resolves after a delay; rejects with a ConnectionError if the signal aborts first. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, Math.min(milliseconds, LONGEST));
    const cancelled = (): void => {
      clearTimeout(timer);
      reject(new ConnectionError('cancelled', 'a wait was cancelled'));
    };
    function done(): void {
      signal?.removeEventListener('abort', cancelled);
      resolve();
    }
    if (signal?.aborted === true) cancelled();
    else signal?.addEventListener('abort', cancelled, { once: true });
  });
}
