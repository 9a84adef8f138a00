import type { ErrorObject } from '../../jsonrpc/message.ts';
import { rpcError } from '../errors.ts';
import type * as t from '../types.ts';

/**
 * Everything about a task that outlives the work: plain data, which a store may write down as JSON.
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
  /** whose task it is; nobody else learns that it exists */
  readonly owner: string;
  readonly status: t.TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** milliseconds from its creation */
  readonly ttl: number;
  readonly pollInterval: number;
  /** the questions that wait for an answer, while the status is `input_required` */
  readonly inputRequests?: t.InputRequests;
  /** the JSON text of the result, once the status is `completed` */
  readonly result?: string;
  /** the result is that of a tool that failed, which one era calls `failed` and the other does not */
  readonly isError?: true;
  /** once the status is `failed` */
  readonly error?: ErrorObject;
}

/**
 * Where tasks are kept. A store that several processes share lets each of them tell the state and the outcome of
 * every task; the work, its questions and its cancellation stay with the process that began it.
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
  /** Keeps a record in place of the one with the same id; RpcError says why it cannot. */
  save(record: TaskRecord): void | Promise<void>;
  load(taskId: string): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /** every record of one owner, in any order */
  list(owner: string): readonly TaskRecord[] | Promise<readonly TaskRecord[]>;
  remove(taskId: string): void | Promise<void>;
}

/** Keeps tasks in memory, with a limit to what their results take together. */
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
      const reason = `the results of tasks would take more than the ${this.#most} bytes that this server keeps`;
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
