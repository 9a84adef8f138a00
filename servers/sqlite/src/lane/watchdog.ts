import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 200;

/** What the thread runs: it looks on while the main thread is within SQLite. */
const program = `
const { workerData: { parent, mostBytes, everyMs } } = require('node:worker_threads');
const end = () => process.kill(process.pid, 'SIGKILL');
setInterval(() => {
  if (process.ppid !== parent) end();
  if (mostBytes !== null && process.memoryUsage.rss() > mostBytes) end();
}, everyMs);
`;

/**
 * Ends this process when the server that started it has gone, also in the middle of a query; and, where the system has
 * no limit for it, when it takes more memory than `ROOTBOUND_LANE_RSS` says.
 */
export function watchOver(): void {
  const most = process.env.ROOTBOUND_LANE_RSS;
  new Worker(program, {
    eval: true,
    workerData: {
      parent: process.ppid,
      mostBytes: most === undefined ? null : Number(most),
      everyMs: LOOK_EVERY_MS,
    },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  }).unref();
}
