import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 200;
/** How long a process may take to close its database when its server has gone. */
const CLOSE_WITHIN_MS = 10_000;

/** What the thread runs: it looks on while the main thread is within SQLite. */
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
 * Ends this process in the middle of a call when the server that started it has gone; and, where the system has no limit
 * for it, when it takes more memory than `ROOTBOUND_LANE_RSS` says. What it gives is told when a call begins and ends:
 * between calls the process sees by itself that its server has gone, and has some time to close its database.
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
    // else this process opens its own output for it as a stream, after which a full pipe no longer makes it wait
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  }).unref();
  return (isWorking) => {
    Atomics.store(working, 0, isWorking ? 1 : 0);
  };
}
