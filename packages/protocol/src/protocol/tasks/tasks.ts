import { RpcError, toErrorObject } from '../../jsonrpc/errors.ts';
import { rpcError } from '../errors.ts';
import type { TaskEvent } from './events.ts';
import { normaliseTaskOptions, type TaskOptions, type TaskSettings } from './options.ts';
import { RunningTask, type TaskListener, type TaskOutcome } from './running.ts';
import type { TaskRecord } from './store.ts';
import { isEnded } from './wire.ts';

/** Does the work of a task; an RpcError becomes the task's error. */
export type TaskWork = (task: RunningTask) => Promise<TaskOutcome>;

/** One page of the tasks of one owner. */
export interface TaskPage {
  readonly records: readonly TaskRecord[];
  readonly nextCursor?: string;
}

/** The shortest ttl, so that a task does not expire before its first poll. */
const SHORTEST_TTL_MS = 1000;

/**
 * The tasks that a receiver runs or stores for requestors. A task is visible to its owner only.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export class Tasks {
  readonly #settings: TaskSettings;
  readonly #report: (error: unknown) => void;
  readonly #running = new Map<string, RunningTask>();
  /** the expiry timer and the owner of each task that this process created */
  readonly #expiries = new Map<string, { owner: string; timer: NodeJS.Timeout }>();
  readonly #counts = new Map<string, number>();

  constructor(options: TaskOptions, report: (error: unknown) => void) {
    this.#settings = normaliseTaskOptions(options);
    this.#report = report;
  }

  /** Creates a task. It is stored before this resolves, and its work starts afterwards. */
  async begin(owner: string, requestedTtl: unknown, work: TaskWork): Promise<RunningTask> {
    const { ttl, maxTtl, pollInterval, store } = this.#settings;
    const createdAt = new Date().toISOString();
    const record: TaskRecord = {
      taskId: globalThis.crypto.randomUUID(),
      owner,
      status: 'working',
      createdAt,
      lastUpdatedAt: createdAt,
      ttl: clampTtl(requestedTtl, ttl, maxTtl),
      pollInterval,
    };
    this.#count(owner);
    const { taskId } = record;
    const timer = setTimeout(() => void this.#expire(taskId, 'expired'), record.ttl);
    timer.unref();
    this.#expiries.set(taskId, { owner, timer });
    const task = new RunningTask(record, { save: (next) => store.save(next), report: this.#report });
    this.#running.set(taskId, task);
    try {
      await store.save(record);
    } catch (error) {
      this.#running.delete(taskId);
      this.#forget(taskId);
      throw error;
    }
    this.#emit('created', owner, record);
    // the response with the task's id is sent first
    setImmediate(() => void this.#run(task, work).catch((error: unknown) => this.#report(error)));
    return task;
  }

  /** Returns a task of this owner by its id; throws RpcError if this owner has no such task. */
  async find(owner: string, taskId: unknown): Promise<TaskRecord> {
    if (typeof taskId !== 'string') throw rpcError('InvalidParams', 'taskId must be the id of a task');
    const record = this.#running.get(taskId)?.record ?? (await this.#settings.store.load(taskId));
    if (record === undefined || record.owner !== owner || hasExpired(record)) {
      this.#emit('missed', owner);
      throw rpcError('InvalidParams', 'taskId names no task of yours; it may have expired');
    }
    return record;
  }

  /** Returns the running task, if this process runs it. */
  running(taskId: string): RunningTask | undefined {
    return this.#running.get(taskId);
  }

  /** Returns a page of the tasks of one owner, oldest first. */
  async page(owner: string, cursor: unknown, size: number): Promise<TaskPage> {
    const stored = await this.#settings.store.list(owner);
    const live = stored.filter((record) => !hasExpired(record));
    const current = live.map((record) => this.#running.get(record.taskId)?.record ?? record);
    const after = cursor === undefined ? '' : decodeCursor(cursor);
    // the cursor names the previous task, so that it stays valid when other tasks expire
    const rest = current.sort(bySortKey).filter((record) => sortKeyOf(record) > after);
    const records = rest.slice(0, size);
    const last = records.at(-1);
    return rest.length > size && last !== undefined
      ? { records, nextCursor: Buffer.from(sortKeyOf(last)).toString('base64url') }
      : { records };
  }

  /** Cancels a task of this owner; returns false if it had already ended. */
  async cancel(owner: string, taskId: unknown): Promise<boolean> {
    const record = await this.find(owner, taskId);
    const task = this.#running.get(record.taskId);
    if (task !== undefined) return task.cancel('cancelled by request');
    if (isEnded(record.status)) return false;
    throw otherProcessError();
  }

  /** Resolves with the record once the task has ended; `attend` is called at once and after every change. */
  async ended(record: TaskRecord, signal: AbortSignal, attend: TaskListener): Promise<TaskRecord> {
    const task = this.#running.get(record.taskId);
    if (task === undefined && !isEnded(record.status)) throw otherProcessError();
    if (task === undefined || task.ended) return task?.record ?? record;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        stopListening();
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        stop();
        reject(signal.reason as Error); // the signal of a request aborts with an Error
      };
      const stopListening = task.onChange((changed, before) => {
        if (!isEnded(changed.status)) {
          attend(changed, before);
          return;
        }
        stop();
        resolve(changed);
      });
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      else attend(task.record, task.record.status);
    });
  }

  /** Reports the event that the outcome of a task was read. */
  reportRead(record: TaskRecord): void {
    this.#emit('read', record.owner, record);
  }

  /** Cancels and removes all tasks of an owner that no longer exists. */
  endOwner(owner: string): void {
    for (const [taskId, expiry] of [...this.#expiries]) {
      if (expiry.owner === owner) void this.#expire(taskId, 'its requestor is gone');
    }
  }

  async #run(task: RunningTask, work: TaskWork): Promise<void> {
    if (!task.ended) await task.settle(await this.#outcome(task, work));
    await task.saved();
    const { taskId, owner } = task.record;
    // a task that has expired in the meantime is already removed
    if (this.#running.delete(taskId)) this.#emit('settled', owner, task.record);
  }

  async #outcome(task: RunningTask, work: TaskWork): Promise<TaskOutcome> {
    try {
      return await work(task);
    } catch (error) {
      if (!(error instanceof RpcError) && !task.ended) this.#report(error);
      return { error: toErrorObject(error) };
    }
  }

  async #expire(taskId: string, reason: string): Promise<void> {
    const owner = this.#expiries.get(taskId)?.owner;
    if (owner === undefined) return;
    const task = this.#running.get(taskId);
    task?.cancel(reason);
    this.#running.delete(taskId);
    this.#forget(taskId);
    try {
      await task?.saved();
      await this.#settings.store.remove(taskId);
    } catch (error) {
      this.#report(error);
    }
    this.#emit('expired', owner, task?.record ?? { taskId });
  }

  #count(owner: string): void {
    const { cap, totalCap } = this.#settings;
    const own = this.#counts.get(owner) ?? 0;
    if (own >= cap || this.#expiries.size >= totalCap) {
      this.#emit('refused', owner);
      const limit = own >= cap ? `${cap} tasks per requestor` : `${totalCap} tasks`;
      throw rpcError('InternalError', `at most ${limit} are kept; wait until one has expired`);
    }
    this.#counts.set(owner, own + 1);
  }

  #forget(taskId: string): void {
    const expiry = this.#expiries.get(taskId);
    if (expiry === undefined) return;
    clearTimeout(expiry.timer);
    this.#expiries.delete(taskId);
    const left = (this.#counts.get(expiry.owner) ?? 1) - 1;
    if (left > 0) this.#counts.set(expiry.owner, left);
    else this.#counts.delete(expiry.owner);
  }

  #emit(kind: TaskEvent['kind'], owner: string, about?: Pick<TaskEvent, 'taskId' | 'status'>): void {
    const { taskId, status } = about ?? {};
    try {
      this.#settings.onEvent({
        kind,
        owner,
        ...(taskId !== undefined && { taskId }),
        ...(status !== undefined && { status }),
      });
    } catch (error) {
      this.#report(error);
    }
  }
}

function otherProcessError(): RpcError {
  return rpcError('InternalError', 'the task runs in another process; ask that one');
}

function clampTtl(requested: unknown, defaultTtl: number, maxTtl: number): number {
  if (requested === undefined) return defaultTtl;
  if (typeof requested !== 'number' || !Number.isSafeInteger(requested) || requested < 0)
    throw rpcError('InvalidParams', 'task.ttl must be an integer of at least 0 (milliseconds)');
  return Math.min(Math.max(requested, SHORTEST_TTL_MS), maxTtl);
}

function hasExpired({ createdAt, ttl }: TaskRecord): boolean {
  return Date.parse(createdAt) + ttl <= Date.now();
}

function sortKeyOf({ createdAt, taskId }: TaskRecord): string {
  return `${createdAt} ${taskId}`;
}

function bySortKey(a: TaskRecord, b: TaskRecord): number {
  return sortKeyOf(a) < sortKeyOf(b) ? -1 : 1;
}

const SORT_KEY = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z [0-9a-f-]{36}$/;

function decodeCursor(cursor: unknown): string {
  const sortKey = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  // comparing with the encoded position accepts one spelling of a cursor only
  if (SORT_KEY.test(sortKey) && Buffer.from(sortKey).toString('base64url') === cursor) return sortKey;
  throw rpcError('InvalidParams', 'cursor is not one that tasks/list returned; start again without it');
}
