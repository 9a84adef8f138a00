// A server over stdio with tools that use CPU in different ways, under the kit's watchdog with a small limit.
import { spawn, spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { createServer, tool } from '@rootbound/protocol';
import { serveStdio } from '@rootbound/protocol/stdio';
import { z } from 'zod';
import { watchOver } from '../../packages/kit/dist/watchdog/watchdog.js';

const [limitMs, lookMs] = process.argv.slice(2).map(Number);
const input = z.object({ ms: z.number() });
const burn = `const { user, system } = process.cpuUsage(); const begun = user + system;
for (let now = begun; now - begun < MS * 1000; ) { const used = process.cpuUsage(); now = used.user + used.system; }`;

/** Uses CPU without a pause. */
function spend(ms) {
  const begun = process.cpuUsage();
  for (let used = 0; used < ms; ) {
    const { user, system } = process.cpuUsage(begun);
    used = (user + system) / 1000;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const ended = (emitter) => new Promise((resolve) => emitter.once('exit', resolve));

const runs = {
  spin: ({ ms }) => spend(ms),
  turns: async ({ ms }) => {
    for (let spent = 0; spent < ms; spent += 20) {
      spend(20);
      await turn();
    }
  },
  // in one turn of the event loop
  microtasks: async ({ ms }) => {
    for (let spent = 0; spent < ms; spent += 20) {
      spend(20);
      await Promise.resolve();
    }
  },
  children: async ({ ms }) => {
    const child = spawn(process.execPath, ['-e', burn.replace('MS', ms)]);
    await ended(child);
  },
  // on the worker thread, during one turn of the waiting main thread
  threads: async ({ ms }) => {
    const cells = new Int32Array(new SharedArrayBuffer(4));
    const code = `${burn.replace('MS', ms)}\nconst c = require('node:worker_threads').workerData; Atomics.store(c, 0, 1); Atomics.notify(c, 0);`;
    const worker = new Worker(code, { eval: true, workerData: cells });
    // the worker starts in the next turn
    await turn();
    Atomics.wait(cells, 0, 0);
    await ended(worker);
  },
  // stopped and continued by another process during one turn
  stopped: ({ ms }) => {
    spawnSync('/bin/sh', ['-c', `kill -STOP ${process.pid}; sleep ${ms / 1000}; kill -CONT ${process.pid}`]);
  },
  waits: async () => await new Promise(() => {}),
};

const tools = Object.entries(runs).map(([name, run]) =>
  tool({
    name,
    description: 'Spends CPU.',
    input,
    run: async (args) => {
      await run(args);
      return 'done';
    },
  }),
);
const server = createServer({ name: 'harness', version: '1.0.0', tools });
watchOver(server, (error) => process.stderr.write(`${String(error)}\n`), { limitMs, lookMs });
serveStdio(server);
