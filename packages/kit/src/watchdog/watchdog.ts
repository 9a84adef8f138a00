import type { Server } from '@rootbound/protocol';
import { Calls } from './calls.ts';
import type { Limits } from './cells.ts';
import { startThread } from './start.ts';

const usual: Limits = { limitMs: 5000, lookMs: 500 };

/**
 * Has the process ended, with a line on stderr, when one turn of its event loop has spent more than five seconds of CPU
 * while calls of this server are in progress. The thread that looks is started with the first call that reads foreign
 * text.
 */
export function watchOver<S>(server: Server<S>, onError: (error: unknown) => void, limits = usual): void {
  let calls: Calls | undefined;
  server.observeCalls({
    began: (method, params) => {
      calls ??= new Calls(limits.lookMs);
      const id = calls.began(method, params);
      // at once: the first call may be the one that never lets go
      if (id !== 0 && calls.onName === undefined) startThread(calls, server.info.name, limits, onError);
      return id;
    },
    ended: (id) => calls?.ended(id),
  });
}
