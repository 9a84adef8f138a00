import type { Server } from '@rootbound/protocol';
import { Calls } from './calls.ts';
import type { Limits } from './cells.ts';
import { startThread } from './start.ts';

const usual: Limits = { limitMs: 5000, lookMs: 500 };

/**
 * Ends the process, with a line on stderr, when one turn of its event loop has spent more than five seconds of CPU
 * while calls of this server are in progress. The watching thread is started with the first call that reads foreign
 * text.
 */
export function watchOver<S>(server: Server<S>, onError: (error: unknown) => void, limits = usual): void {
  let calls: Calls | undefined;
  server.observeCalls(({ method, params }, work) => {
    calls ??= new Calls(limits.lookMs);
    const id = calls.began(method, params);
    // at once: the first call may be the one that never ends
    if (id !== 0 && calls.onName === undefined) startThread(calls, server.info.name, limits, onError);
    return between(work, () => calls?.ended(id));
  });
}

/** Runs work and calls `end` when it is over. */
function between<T>(work: () => T | Promise<T>, end: () => void): T | Promise<T> {
  let result: T | Promise<T>;
  try {
    result = work();
  } catch (error) {
    end();
    throw error;
  }
  // beside the returned promise, so that the answer takes no turn more
  if (result instanceof Promise) result.then(end, end);
  else end();
  return result;
}
