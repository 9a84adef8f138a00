import type { RpcError } from '../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import { rpcError } from '../errors.ts';
import { metaKeys } from '../meta.ts';
import { asksForTasks } from '../methods.ts';
import type { Revision } from '../revisions.ts';
import type * as t from '../types.ts';
import type { TaskRecord } from './store.ts';

/** The extension of the stateless era. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Whether the capabilities of either side name the extension. */
export function declaresTaskExtension({ extensions }: { extensions?: Record<string, object> }): boolean {
  return isObject(extensions) && isObject(extensions[tasksExtension]);
}

/** What a client lacks that wants something of the extension without naming it in its request. */
export function missingTaskExtension(): RpcError {
  const message = `this needs the client extension ${tasksExtension}`;
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  return rpcError('MissingRequiredClientCapability', message, { requiredCapabilities });
}

/** Whether a status is one that never changes again. */
export function isEnded(status: t.TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** A task as 2025-11-25 says it. */
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

/** A task as the extension says it when it begins. */
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

/** A task as the extension says it with its questions or its outcome. */
export function toDetailedTask(record: TaskRecord): t.DetailedTask {
  const { inputRequests, result, error } = record;
  return {
    ...toTaskHandle(record),
    ...(inputRequests !== undefined && { inputRequests }),
    ...(result !== undefined && { result: { resultType: 'complete', ...resultOf(result) } }),
    ...(error !== undefined && { error }),
  };
}

/** A task of the extension in the words of 2025-11-25, which this package uses for both. */
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

/** The result that a record keeps as text. */
export function resultOf(text: string): Params {
  return JSON.parse(text) as Params; // holds: only results are kept there
}

/** Params or a result with the task that it belongs to. */
export function related<P extends { _meta?: t.MetaObject }>(message: P, taskId: string): P {
  return { ...message, _meta: { ...message._meta, [metaKeys.relatedTask]: { taskId } } };
}

/** The capability that says that a side takes requests of a method as tasks. */
export function takesTasks(
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
