import { BroadcastChannel, parentPort } from 'node:worker_threads';
import { nothingRemoved, type Reading } from '../../src/reading/reading.ts';
import type { ToReader } from '../../src/reading/worker-messages.ts';

/**
 * Reads text as it is, but never ends a search for main content in text that says endless, a search, or a comparison.
 */
const port = parentPort!; // this module runs as a worker

port.on('message', ({ id, task, given }: ToReader) => {
  const reading = task === 'read' && 'bytes' in given ? readText(given.bytes) : undefined;
  if (
    reading !== undefined &&
    'want' in given &&
    !(given.want === 'article' && /endless/.test(reading.text))
  ) {
    port.postMessage({ type: 'done', id, result: reading });
    return;
  }
  new BroadcastChannel('stubborn-reader').postMessage(task);
  for (;;);
});
port.postMessage({ type: 'ready' });

function readText(bytes: Uint8Array): Reading {
  const text = Buffer.from(bytes).toString();
  const nothing = { headings: [], links: [], metadata: {}, removed: nothingRemoved };
  return { kind: 'text', mediaType: 'text/plain', text, ...nothing };
}
