import { parentPort } from 'node:worker_threads';
import { WebError } from '../failure.ts';
import type { FromReader, ToReader } from './messages.ts';
import { readBytes } from './read.ts';

const port = parentPort!; // this module runs as a worker

const tell = (message: FromReader): void => port.postMessage(message);

port.on('message', ({ id, request }: ToReader) => {
  readBytes(request).then(
    (reading) => tell({ type: 'read', id, reading }),
    (error: unknown) => {
      if (error instanceof WebError) {
        const { code, message, hint } = error;
        tell({ type: 'failed', id, failure: { code, message, hint } });
      } else tell({ type: 'fault', id, stack: error instanceof Error ? String(error.stack) : String(error) });
    },
  );
});
tell({ type: 'ready' });
