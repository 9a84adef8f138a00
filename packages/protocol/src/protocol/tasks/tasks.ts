import { RpcError, toErrorObject } from '../../jsonrpc/errors.ts';
import { rpcError } from '../errors.ts';
import type { TaskEvent } from './events.ts';
import { normaliseTaskOptions, type TaskOptions, type TaskSettings } from './options.ts';
import { RunningTask, type TaskListener, type TaskOutcome } from './running.ts';
import type { TaskRecord } from './store.ts';
import { isEnded } from './wire.ts';

/** Does what a task stands for; RpcError becomes its error. */
export type TaskWork = (task: RunningTask) => Promise<TaskOutcome>;

/** One page of the tasks of one owner. */
export interface TaskPage {
  readonly records: readonly TaskRecord[];
  readonly nextCursor?: string;
}

/** A shorter life could end before the first look at a task. */
const SHORTEST_TTL_MS = 1000;

/**
 * The tasks that a receiver works on or keeps for their requestors, each seen by its owner alone.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export class Tasks {
  readonly #settings: TaskSettings;
  readonly #report: (error: unknown) => void;
  readonly #running = new Map<string, RunningTask>();
  /** what ends each task that this process has begun, with its owner */
  readonly #expiries = new Map<string, { owner: string; timer: NodeJS.Timeout }>();
  readonly #counts = new Map<string, number>();

  constructor(options: TaskOptions, report: (error: unknown) => void) {
    this.#settings = normaliseTaskOptions(options);
    this.#report = report;
  }

  /** Begins a task: it is kept before this resolves, and its work starts after. */
  async begin(owner: string, wishedTtl: unknown, work: TaskWork): Promise<RunningTask> {
    const { ttl, maxTtl, pollInterval, store } = this.#settings;
    const createdAt = new Date().toISOString();
    const record: TaskRecord = {
      taskId: globalThis.crypto.randomUUID(),
      owner,
      status: 'working',
      createdAt,
      lastUpdatedAt: createdAt,
      ttl: grant(wishedTtl, ttl, maxTtl),
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
    this.#tell('created', owner, record);
    // the answer that names the task goes first
    setImmediate(() => void this.#run(task, work).catch((error: unknown) => this.#report(error)));
    return task;
  }

  /** The task of this owner with an id; throws RpcError when there is none, whoever else may have one. */
  async find(owner: string, taskId: unknown): Promise<TaskRecord> {
    if (typeof taskId !== 'string') throw rpcError('InvalidParams', 'taskId must be the id of a task');
    const record = this.#running.get(taskId)?.record ?? (await this.#settings.store.load(taskId));
    if (record === undefined || record.owner !== owner || hasExpired(record)) {
      this.#tell('missed', owner);
      throw rpcError('InvalidParams', 'taskId names no task of yours; it may have expired');
    }
    return record;
  }

  /** The work behind a task, where this process does it. */
  running(taskId: string): RunningTask | undefined {
    return this.#running.get(taskId);
  }

  /** Tasks of one owner, oldest first. */
  async page(owner: string, cursor: unknown, size: number): Promise<TaskPage> {
    const stored = await this.#settings.store.list(owner);
    const live = stored.filter((record) => !hasExpired(record));
    const current = live.map((record) => this.#running.get(record.taskId)?.record ?? record);
    const after = cursor === undefined ? '' : openCursor(cursor);
    // a place is named by the task before it, so that it holds while others expire
    const rest = current.sort(byPlace).filter((record) => placeOf(record) > after);
    const records = rest.slice(0, size);
    const last = records.at(-1);
    return rest.length > size && last !== undefined
      ? { records, nextCursor: Buffer.from(placeOf(last)).toString('base64url') }
      : { records };
  }

  /** Ends a task of this owner early; false when it had ended before. */
  async cancel(owner: string, taskId: unknown): Promise<boolean> {
    const record = await this.find(owner, taskId);
    const task = this.#running.get(record.taskId);
    if (task !== undefined) return task.cancel('cancelled by request');
    if (isEnded(record.status)) return false;
    throw elsewhere();
  }

  /** Resolves with the record once the task has ended; `attend` is called at once and after every change. */
  async ended(record: TaskRecord, signal: AbortSignal, attend: TaskListener): Promise<TaskRecord> {
    const task = this.#running.get(record.taskId);
    if (task === undefined && !isEnded(record.status)) throw elsewhere();
    if (task === undefined || task.ended) return task?.record ?? record;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        stopListening();
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        stop();
        reject(signal.reason as Error); // an AbortSignal of a request has an Error
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

  /** Tells the log that somebody has got the outcome of a task. */
  noteRead(record: TaskRecord): void {
    this.#tell('read', record.owner, record);
  }

  /** The owner is gone for good: its tasks end and are forgotten. */
  endOwner(owner: string): void {
    for (const [taskId, expiry] of [...this.#expiries]) {
      if (expiry.owner === owner) void this.#expire(taskId, 'nobody can ask for it any more');
    }
  }

  async #run(task: RunningTask, work: TaskWork): Promise<void> {
    if (!task.ended) await task.settle(await this.#outcome(task, work));
    await task.kept();
    const { taskId, owner } = task.record;
    // one that has expired meanwhile is nobody's any more
    if (this.#running.delete(taskId)) this.#tell('settled', owner, task.record);
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
      await task?.kept();
      await this.#settings.store.remove(taskId);
    } catch (error) {
      this.#report(error);
    }
    this.#tell('expired', owner, task?.record ?? { taskId });
  }

  #count(owner: string): void {
    const { cap, totalCap } = this.#settings;
    const own = this.#counts.get(owner) ?? 0;
    if (own >= cap || this.#expiries.size >= totalCap) {
      this.#tell('refused', owner);
      const most = own >= cap ? `${cap} of yours` : `${totalCap}`;
      throw rpcError('InternalError', `no more tasks are taken than ${most}; wait until one has expired`);
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

  #tell(kind: TaskEvent['kind'], owner: string, about?: Pick<TaskEvent, 'taskId' | 'status'>): void {
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

function elsewhere(): RpcError {
  return rpcError('InternalError', 'another process works on this task; ask that one');
}

function grant(wished: unknown, usual: number, most: number): number {
  if (wished === undefined) return usual;
  if (!Number.isSafeInteger(wished) || (wished as number) < 0)
    throw rpcError('InvalidParams', 'task.ttl must be milliseconds, an integer that is not negative');
  return Math.min(Math.max(wished as number, SHORTEST_TTL_MS), most); // holds: it is an integer
}

function hasExpired({ createdAt, ttl }: TaskRecord): boolean {
  return Date.parse(createdAt) + ttl <= Date.now();
}

function placeOf({ createdAt, taskId }: TaskRecord): string {
  return `${createdAt} ${taskId}`;
}

function byPlace(a: TaskRecord, b: TaskRecord): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

const PLACE = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z [0-9a-f-]{36}$/;

function openCursor(cursor: unknown): string {
  const place = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  // sealing it again leaves one spelling for each
  if (PLACE.test(place) && Buffer.from(place).toString('base64url') === cursor) return place;
  throw rpcError('InvalidParams', 'cursor is not one that tasks/list returned; start again without it');
}
