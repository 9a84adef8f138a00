import { ConnectionError, RpcError, toErrorObject } from '../../jsonrpc/errors.ts';
import { type ErrorObject, isObject } from '../../jsonrpc/message.ts';
import { Serving } from '../../jsonrpc/peer.ts';
import { rpcError } from '../errors.ts';
import type * as t from '../types.ts';
import type { TaskRecord } from './store.ts';
import { isEnded } from './wire.ts';

/** What the work of a task came to: a result as JSON text, or the error in its place. */
export type TaskOutcome =
  | { result: string; isError?: boolean; statusMessage?: string | undefined }
  | { error: ErrorObject };

/** Something that the requestor has to answer before the work can go on. */
export interface Question {
  /** names it; a name that the task has used before gets a number */
  readonly key: string;
  readonly request: t.InputRequest;
  /** what an answer becomes: throws RpcError for one that does not fit, any other error to end the work */
  read(response: t.InputResponse): unknown;
}

/** A question that waits for its answer. */
export class OpenQuestion {
  readonly key: string;
  readonly request: t.InputRequest;
  readonly read: Question['read'];
  readonly answered: Promise<unknown>;
  resolve!: (value: unknown) => void;
  reject!: (error: unknown) => void;
  #carrier: AbortController | undefined;

  constructor(key: string, { request, read }: Question) {
    this.key = key;
    this.request = request;
    this.read = read;
    this.answered = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Whether somebody is asking the requestor right now. */
  get carried(): boolean {
    return this.#carrier !== undefined;
  }

  /** Takes it to the requestor in place of whoever did so far; aborts when that is no longer wanted. */
  carry(): AbortSignal {
    this.#carrier?.abort(new ConnectionError('cancelled', 'another request asks this question'));
    this.#carrier = new AbortController();
    return this.#carrier.signal;
  }

  /** It could not be asked; false when somebody else has taken it meanwhile. */
  putDown(carrying: AbortSignal): boolean {
    if (this.#carrier?.signal !== carrying) return false;
    this.#carrier = undefined;
    return true;
  }

  withdraw(error: unknown): void {
    this.reject(error);
    this.#carrier?.abort(error);
  }
}

export type TaskListener = (record: TaskRecord, before: t.TaskStatus) => void;

export interface RunningOptions {
  /** keeps a record */
  save(record: TaskRecord): void | Promise<void>;
  /** hears of records that could not be kept */
  report(error: unknown): void;
}

const MOST_LISTENERS = 1024;

/** A task at work in this process: its state, its open questions and the way to stop it. */
export class RunningTask {
  /** stands for the request from the moment that it has become a task */
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

  /** Calls back after every change until the returned function is called. */
  onChange(listener: TaskListener): () => void {
    if (this.#listeners.size >= MOST_LISTENERS)
      throw rpcError(
        'InternalError',
        `more than ${MOST_LISTENERS} requests wait for this task; wait for their answers`,
      );
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when everything up to now is kept, as far as it could be. */
  async kept(): Promise<void> {
    await this.#saved;
  }

  /** Says in words how far the work is. */
  say(statusMessage: string): void {
    if (!this.ended && statusMessage !== this.#record.statusMessage)
      this.#apply({ ...this.#record, statusMessage });
  }

  /** Puts questions and resolves with what became of their answers, in order; the first refusal ends them all. */
  async ask(questions: readonly Question[]): Promise<unknown[]> {
    if (this.ended) throw this.#over();
    if (questions.length === 0) return [];
    const open = questions.map((question) => new OpenQuestion(this.#unused(question.key), question));
    for (const each of open) this.#open.set(each.key, each);
    this.#show();
    try {
      return await Promise.all(open.map(({ answered }) => answered));
    } catch (error) {
      const others = open.filter(({ key }) => this.#open.delete(key));
      for (const each of others) each.withdraw(error);
      if (others.length > 0) this.#show();
      throw error;
    }
  }

  /** Takes answers by key; what is not open is ignored, and one that does not fit leaves all as they were. */
  answer(responses: Record<string, unknown>): void {
    const settle: (() => void)[] = [];
    for (const [key, response] of Object.entries(responses)) {
      const question = this.#open.get(key);
      if (question === undefined) continue;
      if (!isObject(response)) throw rpcError('InvalidParams', `the answer to ${key} must be an object`);
      settle.push(this.#read(question, response as unknown as t.InputResponse)); // its question checks it
    }
    for (const act of settle) act();
    if (settle.length > 0) this.#show();
  }

  /** The questions that wait for an answer. */
  get questions(): readonly OpenQuestion[] {
    return [...this.#open.values()];
  }

  /** The requestor could not be asked; somebody else may try. */
  putDown(question: OpenQuestion, carrying: AbortSignal): void {
    if (this.#open.has(question.key) && question.putDown(carrying)) this.#tell(this.#record.status);
  }

  /** There will be no answer to a question. */
  refuse(question: OpenQuestion, error: unknown): void {
    if (!this.#open.delete(question.key)) return;
    question.reject(error);
    this.#show();
  }

  /** Ends it with what the work came to, unless it has ended before. */
  async settle(outcome: TaskOutcome): Promise<void> {
    if (this.ended) return;
    let next = ending(this.#record, outcome);
    try {
      // nobody sees an end that is not kept
      await this.#write(next);
    } catch (error) {
      if (!(error instanceof RpcError)) this.#options.report(error);
      next = ending(this.#record, { error: toErrorObject(error) });
      this.#writeLater(next);
    }
    if (!this.ended) this.#end(next);
  }

  /** Ends it early; false when it has ended before. */
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
    for (const question of questions) question.withdraw(this.#over());
    this.#tell(before);
    this.#listeners.clear();
  }

  /** Brings the status in line with the open questions. */
  #show(): void {
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
    this.#tell(before);
  }

  #tell(before: t.TaskStatus): void {
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

  /** Records are kept in the order in which they came to be. */
  #write(record: TaskRecord): Promise<void> {
    const written = this.#saved.then(() => this.#options.save(record));
    this.#saved = written.catch(() => {
      // whoever waits for this record hears of it
    });
    return written;
  }

  #writeLater(record: TaskRecord): void {
    this.#write(record).catch((error: unknown) => this.#options.report(error));
  }

  #over(): Error {
    return new ConnectionError('cancelled', `the task is ${this.#record.status}`);
  }
}

function ending(record: TaskRecord, outcome: TaskOutcome): TaskRecord {
  const { inputRequests: _asked, statusMessage: _said, ...rest } = record;
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
