import type { Calls } from './calls.ts';
import type { Limits, ThreadData } from './cells.ts';
import { turnsProgram } from './watch-turns.ts';

/** Starts the watching thread, which keeps no process alive; where there can be none, `onError` receives the reason. */
export function startThread(
  calls: Calls,
  server: string,
  limits: Limits,
  onError: (error: unknown) => void,
): void {
  // one start is enough, also where it fails
  calls.onName = () => {};
  const data: ThreadData = { cells: calls.cells, server, ...limits };
  try {
    // not imported: a server that is not called loads no threads
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const worker = new Worker(turnsProgram, {
      eval: true,
      workerData: data,
      execArgv: [],
      env: {},
      trackUnmanagedFds: false,
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, stackSizeMb: 1 },
    });
    worker.unref();
    worker.on('error', onError);
    for (const message of calls.names) worker.postMessage(message);
    calls.onName = (message) => worker.postMessage(message);
  } catch (error) {
    // a process that may have no more threads works without
    onError(error);
  }
}
