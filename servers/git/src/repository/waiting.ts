import type { Answer } from './answers.ts';
import type { Request } from './reader.ts';

/** The requests that wait for one signal. */
interface Row {
  readonly requests: Set<Request>;
  readonly abandon: () => void;
}

const rows = new WeakMap<AbortSignal, Row>();

/**
 * Returns the answer to a request, unless its signal is aborted first; a signal has one listener for all its waiters.
 */
export async function answerUnless(signal: AbortSignal, request: Request): Promise<Answer> {
  const row = rows.get(signal) ?? begin(signal);
  row.requests.add(request);
  try {
    return await request.answer;
  } finally {
    row.requests.delete(request);
    if (row.requests.size === 0) {
      signal.removeEventListener('abort', row.abandon);
      rows.delete(signal);
    }
  }
}

function begin(signal: AbortSignal): Row {
  const requests = new Set<Request>();
  const abandon = (): void => {
    for (const request of requests) request.fail(signal.reason);
  };
  signal.addEventListener('abort', abandon);
  const row = { requests, abandon };
  rows.set(signal, row);
  return row;
}
