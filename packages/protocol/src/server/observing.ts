import type { Params } from '../jsonrpc/message.ts';

/**
 * Hears of each request that the server works on, from its beginning to its end; must not throw.
 * @example
 * let running = 0;
 * const observer: CallObserver = {
 *   began: () => ++running,
 *   ended: () => {
 *     running--;
 *   },
 * };
 * server.observeCalls(observer);
 */
export interface CallObserver {
  /** returns a number by which `ended` knows the request again */
  began(method: string, params: Params): number;
  ended(token: number): void;
}

/** Runs the work of one request between the two calls of an observer. */
export function observed<T>(
  observer: CallObserver | undefined,
  { method, params }: { readonly method: string; readonly params: Params },
  work: () => T | Promise<T>,
): T | Promise<T> {
  if (observer === undefined) return work();
  const token = observer.began(method, params);
  let result: T | Promise<T>;
  try {
    result = work();
  } catch (error) {
    observer.ended(token);
    throw error;
  }
  const end = (): void => observer.ended(token);
  // beside the promise that is returned, so that the answer takes no turn more
  if (result instanceof Promise) result.then(end, end);
  else end();
  return result;
}
