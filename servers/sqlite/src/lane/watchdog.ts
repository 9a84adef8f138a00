import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 200;
/** Time to close the database after the server has gone, ms. */
const CLOSE_WITHIN_MS = 10_000;

/** Code of the watchdog thread, which runs while the main thread is within SQLite. */
const program = `
const { workerData: { parent, mostBytes, everyMs, closeWithinMs, working } } = require('node:worker_threads');
const end = () => process.kill(process.pid, 'SIGKILL');
let alone = 0;
setInterval(() => {
  if (process.ppid !== parent) {
    alone += everyMs;
    if (Atomics.load(working, 0) === 1 || alone > closeWithinMs) end();
  }
  if (mostBytes !== null && process.memoryUsage.rss() > mostBytes) end();
}, everyMs);
`;

/**
 * Kills this process during a call if the server that started it has gone, or if it exceeds `ROOTBOUND_LANE_RSS`, which
 * is set where the system has no memory limit. The returned function is called when a call begins and ends: between
 * calls the process itself notices that its server has gone and has time to close its database.
 */
export function watchOver(): (isWorking: boolean) => void {
  const most = process.env.ROOTBOUND_LANE_RSS;
  const working = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  new Worker(program, {
    eval: true,
    workerData: {
      parent: process.ppid,
      mostBytes: most === undefined ? null : Number(most),
      everyMs: LOOK_EVERY_MS,
      closeWithinMs: CLOSE_WITHIN_MS,
      working,
    },
    // otherwise Node opens stdout of this process as a stream for the thread, and writes to a full pipe no longer block
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  }).unref();
  return (isWorking) => {
    Atomics.store(working, 0, isWorking ? 1 : 0);
  };
}
