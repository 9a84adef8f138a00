import type { ErrorObject } from '../../jsonrpc/message.ts';
import { rpcError } from '../errors.ts';
import type * as t from '../types.ts';

/**
 * The stored state of a task: plain data that a store may write as JSON.
 * @example
 * const time = new Date().toISOString();
 * const record: TaskRecord = {
 *   taskId: 't1',
 *   owner: 'ada',
 *   status: 'completed',
 *   createdAt: time,
 *   lastUpdatedAt: time,
 *   ttl: 600_000,
 *   pollInterval: 1000,
 *   result: '{"content":[]}',
 * };
 */
export interface TaskRecord {
  readonly taskId: string;
  /** the owner of the task; it is hidden from all others */
  readonly owner: string;
  readonly status: t.TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** milliseconds from the creation */
  readonly ttl: number;
  readonly pollInterval: number;
  /** the input requests that have no response, if the status is `input_required` */
  readonly inputRequests?: t.InputRequests;
  /** the JSON text of the result, if the status is `completed` */
  readonly result?: string;
  /** the result is a tool error, which 2025-11-25 reports as `failed` and the extension as `completed` */
  readonly isError?: true;
  /** set if the status is `failed` */
  readonly error?: ErrorObject;
}

/**
 * A store of tasks. Processes that share a store can each report the state and outcome of every task; the
 * work, its questions and its cancellation stay in the process that created the task.
 * @example
 * const records = new Map<string, TaskRecord>();
 * const store: TaskStore = {
 *   save: (record) => void records.set(record.taskId, record),
 *   load: (taskId) => records.get(taskId),
 *   list: (owner) => [...records.values()].filter((record) => record.owner === owner),
 *   remove: (taskId) => void records.delete(taskId),
 * };
 * createServer({ name: 'jobs', version: '1.0.0', tasks: { store } });
 */
export interface TaskStore {
  /** stores a record and replaces the one with the same id; throws RpcError with the reason if it cannot */
  save(record: TaskRecord): void | Promise<void>;
  load(taskId: string): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /** every record of one owner, in any order */
  list(owner: string): readonly TaskRecord[] | Promise<readonly TaskRecord[]>;
  remove(taskId: string): void | Promise<void>;
}

/** Stores tasks in memory, and limits the total size of their results. */
export class MemoryTaskStore implements TaskStore {
  readonly #records = new Map<string, TaskRecord>();
  readonly #most: number;
  #held = 0;

  constructor(resultBytes: number) {
    this.#most = resultBytes;
  }

  save(record: TaskRecord): void {
    const held = this.#held + sizeOf(record) - sizeOf(this.#records.get(record.taskId));
    if (held > this.#most) {
      const reason = `the results of tasks would exceed the ${this.#most} bytes that this server stores`;
      throw rpcError('InternalError', reason);
    }
    this.#held = held;
    this.#records.set(record.taskId, record);
  }

  load(taskId: string): TaskRecord | undefined {
    return this.#records.get(taskId);
  }

  list(owner: string): TaskRecord[] {
    return [...this.#records.values()].filter((record) => record.owner === owner);
  }

  remove(taskId: string): void {
    this.#held -= sizeOf(this.#records.get(taskId));
    this.#records.delete(taskId);
  }
}

function sizeOf(record: TaskRecord | undefined): number {
  return record?.result === undefined ? 0 : Buffer.byteLength(record.result);
}
