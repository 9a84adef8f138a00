import { parentPort } from 'node:worker_threads';
import { WebError } from '../failure.ts';
import type { FromReader, Task, Tasks, ToReader } from './messages.ts';
import { readBytes } from './read.ts';

const port = parentPort!; // this module runs as a worker

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

port.on('message', (message: ToReader) => {
  const { id } = message;
  perform(message).then(
    (result) => tell({ type: 'done', id, result }),
    (error: unknown) => {
      if (error instanceof WebError) {
        const { code, message, hint } = error;
        tell({ type: 'failed', id, failure: { code, message, hint } });
      } else tell({ type: 'fault', id, stack: error instanceof Error ? String(error.stack) : String(error) });
    },
  );
});
tell({ type: 'ready' });
