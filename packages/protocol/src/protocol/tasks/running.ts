import { ConnectionError, RpcError, toErrorObject } from '../../jsonrpc/errors.ts';
import { type ErrorObject, isObject } from '../../jsonrpc/message.ts';
import { Serving } from '../../jsonrpc/peer.ts';
import { rpcError } from '../errors.ts';
import type * as t from '../types.ts';
import type { TaskRecord } from './store.ts';
import { isEnded } from './wire.ts';

/** The outcome of a task: a result as JSON text, or an error. */
export type TaskOutcome =
  | { result: string; isError?: boolean; statusMessage?: string | undefined }
  | { error: ErrorObject };

/** A question to the requestor: an input request that a task waits for. */
export interface Question {
  /** the key of the input request; a key that the task has already used gets a number */
  readonly key: string;
  readonly request: t.InputRequest;
  /** converts the response; throws RpcError for an invalid one, any other error to end the work */
  read(response: t.InputResponse): unknown;
}

/** A question that has no response yet. */
export class OpenQuestion {
  readonly key: string;
  readonly request: t.InputRequest;
  readonly read: Question['read'];
  readonly answered: Promise<unknown>;
  resolve!: (value: unknown) => void;
  reject!: (error: unknown) => void;
  #claim: AbortController | undefined;

  constructor(key: string, { request, read }: Question) {
    this.key = key;
    this.request = request;
    this.read = read;
    this.answered = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** True while a request is delivering it to the requestor. */
  get claimed(): boolean {
    return this.#claim !== undefined;
  }

  /** Claims the delivery of this question and ends an earlier claim; the signal aborts when the claim ends. */
  claim(): AbortSignal {
    this.#claim?.abort(new ConnectionError('cancelled', 'another request delivers this question'));
    this.#claim = new AbortController();
    return this.#claim.signal;
  }

  /** Releases a claim whose delivery failed; returns false if another request has claimed it. */
  release(claim: AbortSignal): boolean {
    if (this.#claim?.signal !== claim) return false;
    this.#claim = undefined;
    return true;
  }

  withdraw(error: unknown): void {
    this.reject(error);
    this.#claim?.abort(error);
  }
}

export type TaskListener = (record: TaskRecord, before: t.TaskStatus) => void;

export interface RunningOptions {
  /** stores a record */
  save(record: TaskRecord): void | Promise<void>;
  /** called with the error of a record that could not be stored */
  report(error: unknown): void;
}

const MOST_LISTENERS = 1024;

/** A task that runs in this process: its state and its open questions. */
export class RunningTask {
  /** the context of the request, from the moment that it is a task */
  readonly serving: Serving;
  readonly #options: RunningOptions;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #keys = new Set<string>();
  readonly #listeners = new Set<TaskListener>();
  #record: TaskRecord;
  #saved: Promise<void> = Promise.resolve();

  constructor(record: TaskRecord, options: RunningOptions) {
    this.#record = record;
    this.#options = options;
    this.serving = new Serving(record.taskId);
  }

  get record(): TaskRecord {
    return this.#record;
  }

  get ended(): boolean {
    return isEnded(this.#record.status);
  }

  /** Calls `listener` after every change; returns a function that stops this. */
  onChange(listener: TaskListener): () => void {
    if (this.#listeners.size >= MOST_LISTENERS)
      throw rpcError(
        'InternalError',
        `more than ${MOST_LISTENERS} requests wait for this task; wait for their responses`,
      );
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when all changes so far are stored, or have failed to be. */
  async saved(): Promise<void> {
    await this.#saved;
  }

  /** Sets the status message. */
  setStatusMessage(statusMessage: string): void {
    if (!this.ended && statusMessage !== this.#record.statusMessage)
      this.#apply({ ...this.#record, statusMessage });
  }

  /** Asks questions and resolves with the converted responses, in order; the first failure withdraws the others. */
  async ask(questions: readonly Question[]): Promise<unknown[]> {
    if (this.ended) throw this.#endedError();
    if (questions.length === 0) return [];
    const open = questions.map((question) => new OpenQuestion(this.#unused(question.key), question));
    for (const each of open) this.#open.set(each.key, each);
    this.#updateInputRequests();
    try {
      return await Promise.all(open.map(({ answered }) => answered));
    } catch (error) {
      const others = open.filter(({ key }) => this.#open.delete(key));
      for (const each of others) each.withdraw(error);
      if (others.length > 0) this.#updateInputRequests();
      throw error;
    }
  }

  /** Accepts responses by key; unknown keys are ignored, and one invalid response rejects all of them. */
  answer(responses: Record<string, unknown>): void {
    const settle: (() => void)[] = [];
    for (const [key, response] of Object.entries(responses)) {
      const question = this.#open.get(key);
      if (question === undefined) continue;
      if (!isObject(response)) throw rpcError('InvalidParams', `the response to ${key} must be an object`);
      settle.push(this.#read(question, response as unknown as t.InputResponse)); // the question's `read` checks it
    }
    for (const act of settle) act();
    if (settle.length > 0) this.#updateInputRequests();
  }

  /** The questions that have no response yet. */
  get questions(): readonly OpenQuestion[] {
    return [...this.#open.values()];
  }

  /** Releases a question whose delivery failed, so that another request can deliver it. */
  release(question: OpenQuestion, claim: AbortSignal): void {
    if (this.#open.has(question.key) && question.release(claim)) this.#notify(this.#record.status);
  }

  /** Fails a question that will have no response. */
  refuse(question: OpenQuestion, error: unknown): void {
    if (!this.#open.delete(question.key)) return;
    question.reject(error);
    this.#updateInputRequests();
  }

  /** Ends the task with an outcome, unless it has already ended. */
  async settle(outcome: TaskOutcome): Promise<void> {
    if (this.ended) return;
    let next = ending(this.#record, outcome);
    try {
      // the end is reported only after it is stored
      await this.#write(next);
    } catch (error) {
      if (!(error instanceof RpcError)) this.#options.report(error);
      next = ending(this.#record, { error: toErrorObject(error) });
      this.#writeLater(next);
    }
    if (!this.ended) this.#end(next);
  }

  /** Cancels the task; returns false if it has already ended. */
  cancel(reason: string): boolean {
    if (this.ended) return false;
    const { inputRequests: _asked, ...rest } = this.#record;
    const cancelled: TaskRecord = {
      ...rest,
      status: 'cancelled',
      statusMessage: reason,
      lastUpdatedAt: now(),
    };
    this.#writeLater(cancelled);
    this.#end(cancelled);
    this.serving.cancel(reason);
    return true;
  }

  #end(record: TaskRecord): void {
    const before = this.#record.status;
    this.#record = record;
    this.serving.done = true;
    const questions = [...this.#open.values()];
    this.#open.clear();
    for (const question of questions) question.withdraw(this.#endedError());
    this.#notify(before);
    this.#listeners.clear();
  }

  /** Updates the status and the input requests from the open questions. */
  #updateInputRequests(): void {
    if (this.ended) return;
    const { inputRequests: _asked, ...rest } = this.#record;
    const inputRequests = Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
    this.#apply(
      this.#open.size === 0
        ? { ...rest, status: 'working' }
        : { ...rest, status: 'input_required', inputRequests },
    );
  }

  #apply(record: TaskRecord): void {
    const before = this.#record.status;
    this.#record = { ...record, lastUpdatedAt: now() };
    this.#writeLater(this.#record);
    this.#notify(before);
  }

  #notify(before: t.TaskStatus): void {
    for (const listener of [...this.#listeners]) listener(this.#record, before);
  }

  #read(question: OpenQuestion, response: t.InputResponse): () => void {
    let settle: () => void;
    try {
      const value = question.read(response);
      settle = () => question.resolve(value);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      settle = () => question.reject(error);
    }
    return () => {
      this.#open.delete(question.key);
      settle();
    };
  }

  #unused(key: string): string {
    let unused = key;
    for (let count = 2; this.#keys.has(unused); count++) unused = `${key}-${count}`;
    this.#keys.add(unused);
    return unused;
  }

  /** Stores records in the order of their changes. */
  #write(record: TaskRecord): Promise<void> {
    const written = this.#saved.then(() => this.#options.save(record));
    this.#saved = written.catch(() => {
      // the caller of #write handles the error
    });
    return written;
  }

  #writeLater(record: TaskRecord): void {
    this.#write(record).catch((error: unknown) => this.#options.report(error));
  }

  #endedError(): Error {
    return new ConnectionError('cancelled', `the task is ${this.#record.status}`);
  }
}

function ending(record: TaskRecord, outcome: TaskOutcome): TaskRecord {
  const { inputRequests: _asked, statusMessage: _statusMessage, ...rest } = record;
  const lastUpdatedAt = now();
  if ('error' in outcome) {
    const { error } = outcome;
    return { ...rest, status: 'failed', statusMessage: error.message, lastUpdatedAt, error };
  }
  const { result, isError, statusMessage } = outcome;
  return {
    ...rest,
    status: 'completed',
    lastUpdatedAt,
    result,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(isError === true && { isError }),
  };
}

function now(): string {
  return new Date().toISOString();
}
