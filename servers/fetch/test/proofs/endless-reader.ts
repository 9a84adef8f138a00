import { BroadcastChannel, parentPort } from 'node:worker_threads';

/** Reports on which channel it begins, and then never ends. */
const port = parentPort!; // this module runs as a worker

port.on('message', () => {
  new BroadcastChannel('endless-reader').postMessage('begins');
  for (;;);
});
port.postMessage({ type: 'ready' });
