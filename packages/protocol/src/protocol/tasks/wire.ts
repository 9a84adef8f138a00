import type { RpcError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import { rpcError } from '../errors.ts';
import { metaKeys } from '../meta.ts';
import { asksForTasks } from '../methods.ts';
import type { Revision } from '../revisions.ts';
import type * as t from '../types.ts';
import type { TaskRecord } from './store.ts';

/** The identifier of the tasks extension of the stateless era. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Returns true if the capabilities of a client or server declare the tasks extension. */
export function declaresTaskExtension({ extensions }: { extensions?: Record<string, object> }): boolean {
  return isObject(extensions) && isObject(extensions[tasksExtension]);
}

/** Returns the error for a client that uses the tasks extension without declaring it in its request. */
export function missingTaskExtension(): RpcError {
  const message = `this needs the client extension ${tasksExtension}`;
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  return rpcError('MissingRequiredClientCapability', message, { requiredCapabilities });
}

/** Returns true for a final status. */
export function isEnded(status: t.TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Returns a task in the form of 2025-11-25. */
export function toTask(record: TaskRecord): t.Task {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl, pollInterval, isError } = record;
  return {
    taskId,
    status: isError === true ? 'failed' : status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl,
    pollInterval,
  };
}

/** Returns a new task in the form of the extension. */
export function toTaskHandle(record: TaskRecord): t.ExtensionTask {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl, pollInterval } = record;
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs: ttl,
    pollIntervalMs: pollInterval,
  };
}

/** Returns a task with its input requests or its outcome in the form of the extension. */
export function toDetailedTask(record: TaskRecord): t.DetailedTask {
  const { inputRequests, result, error } = record;
  return {
    ...toTaskHandle(record),
    ...(inputRequests !== undefined && { inputRequests }),
    ...(result !== undefined && { result: { resultType: 'complete', ...resultOf(result) } }),
    ...(error !== undefined && { error }),
  };
}

/** Converts a task of the extension to the form of 2025-11-25, which this package uses for both. */
export function fromExtension(task: t.ExtensionTask): t.Task {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: ttlMs,
    ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }),
  };
}

/** Returns the result that a record stores as text. */
export function resultOf(text: string): Params {
  return JSON.parse(text) as Params; // only results are stored there
}

/** Returns params or a result with the id of the task that it belongs to. */
export function related<P extends { _meta?: t.MetaObject }>(message: P, taskId: string): P {
  return { ...message, _meta: { ...message._meta, [metaKeys.relatedTask]: { taskId } } };
}

/** Returns true if the capabilities of a side declare that it accepts requests of a method as tasks. */
export function acceptsTasks(
  revision: Revision,
  { tasks }: t.ClientCapabilities & t.ServerCapabilities,
  method: string,
): boolean {
  if (!asksForTasks(revision)) return false;
  let declared: unknown = tasks;
  for (const name of ['requests', ...method.split('/')])
    declared = isObject(declared) ? declared[name] : undefined;
  return isObject(declared);
}
