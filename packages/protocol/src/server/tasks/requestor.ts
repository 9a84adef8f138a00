import { ConnectionError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { RequestOptions } from '../../jsonrpc/peer.ts';
import { rpcError } from '../../protocol/errors.ts';
import { pause, pollIntervalOf } from '../../protocol/tasks/polling.ts';
import { isEnded } from '../../protocol/tasks/wire.ts';
import type * as t from '../../protocol/types.ts';

/** The maximum timeout: only the client ends this wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** The other side, as the receiver of a task. */
interface Receiver {
  request(method: string, params: Params, options?: RequestOptions): Promise<Params>;
  readonly signal: AbortSignal;
  readonly capabilities: t.ClientCapabilities;
}

/**
 * Returns the final result of a request that the client was asked to run as a task; a client may also respond
 * directly.
 */
export async function resultOfTask(receiver: Receiver, created: Params): Promise<Params> {
  if (!isObject(created.task)) return created;
  const { request, signal } = receiver;
  let task = created.task;
  const { taskId } = task;
  if (typeof taskId !== 'string') throw rpcError('InvalidRequest', 'the task of the response has no taskId');
  try {
    // a task that waits for input asks on the way to its result
    while (!isEnded(task.status as t.TaskStatus) && task.status !== 'input_required') {
      await pause(pollIntervalOf(task), signal);
      task = await request('tasks/get', { taskId }, { signal });
    }
    return await request('tasks/result', { taskId }, { signal, timeout: LONGEST_MS });
  } catch (error) {
    if (!(error instanceof ConnectionError) || !signal.aborted) throw error;
    if (isObject(receiver.capabilities.tasks) && receiver.capabilities.tasks.cancel !== undefined) {
      request('tasks/cancel', { taskId }).catch(() => {
        // the task may have ended, or the client has disconnected; nobody waits for it
      });
    }
    throw error;
  }
}
