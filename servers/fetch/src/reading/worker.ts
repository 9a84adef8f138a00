import { parentPort, workerData } from 'node:worker_threads';
import { WebError } from '../failure.ts';
import { readBytes } from './read-body.ts';
import { AHEAD, claim, type FromReader, type Task, type Tasks, type ToReader } from './worker-messages.ts';

const port = parentPort!; // this module runs as a worker
const claims = workerData as Int32Array; // passed by Reader

const tell = (message: FromReader): void => port.postMessage(message);

type Doing = { readonly [T in Task]: (given: Tasks[T]['given']) => Promise<Tasks[T]['result']> };

const doing: Doing = {
  read: readBytes,
  find: async ({ page, options }) => (await import('../pages/find.ts')).findIn(page, options),
  compare: async ({ old, now, options }) =>
    (await import('../pages/page-diff.ts')).diffPages(old, now, options),
};

function perform<T extends Task>({ task, given }: ToReader<T>): Promise<Tasks[T]['result']> {
  const work: Doing[T] = doing[task];
  return work(given);
}

async function answer(message: ToReader): Promise<void> {
  const { id } = message;
  if (Atomics.compareExchange(claims, id % AHEAD, claim.open, claim.begun) !== claim.open) return;
  try {
    tell({ type: 'done', id, result: await perform(message) });
  } catch (error) {
    if (error instanceof WebError) {
      const { code, message: text, hint } = error;
      tell({ type: 'failed', id, failure: { code, message: text, hint } });
    } else tell({ type: 'fault', id, stack: error instanceof Error ? String(error.stack) : String(error) });
  }
}

// one task at a time, even while one waits for a module to load
let last = Promise.resolve();
port.on('message', (message: ToReader) => {
  last = last.then(() => answer(message));
});
tell({ type: 'ready' });
