import { ConnectionError, RpcError } from '../jsonrpc/errors.ts';
import type { Params } from '../jsonrpc/message.ts';
import type { RequestOptions } from '../jsonrpc/peer.ts';
import { pause, pollIntervalOf } from '../protocol/tasks/polling.ts';
import { fromExtension, isEnded } from '../protocol/tasks/wire.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError, toError } from './errors.ts';
import { within } from './wait.ts';

/** The parts of a client that a task handle uses. */
export interface TaskSource {
  /** true if input requests and outcome are part of the state, as in the stateless era */
  readonly detailed: boolean;
  /** returns the current state of a task */
  look(taskId: string, options: RequestOptions): Promise<t.Task | t.DetailedTask>;
  /** waits for the outcome, if it is not part of the state */
  wait(taskId: string, options: RequestOptions): Promise<Params>;
  update(taskId: string, inputResponses: t.InputResponses, options: RequestOptions): Promise<void>;
  cancel(taskId: string): Promise<t.Task | undefined>;
  answer(question: t.InputRequest, signal: AbortSignal): Promise<object>;
  /** returns the outcome as a checked result */
  accept(result: Params): Promise<t.CallToolResult>;
  /** called when no more states of a task will be known */
  over(taskId: string): void;
  onError(error: Error): void;
}

type StatusListener = (task: t.Task) => void;

/** A wait for the outcome, shared by all callers. */
interface Following {
  readonly outcome: Promise<t.CallToolResult>;
  readonly controller: AbortController;
  waiting: number;
  done: boolean;
}

/** The maximum timeout: only the server ends this wait. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * A tool call that runs as a task on the server, or to which the server has responded directly.
 * @example
 * const outcomeOf = async (handle: TaskHandle): Promise<CallToolResult> => {
 *   handle.onStatus(({ status }) => console.error(status));
 *   return handle.result();
 * };
 */
export class TaskHandle {
  /** the id of the task, also for other clients; undefined if the server has responded directly */
  readonly taskId: string | undefined;
  /** the text for the model while the task runs, if the server has sent one */
  readonly notice: string | undefined;
  readonly #source: TaskSource;
  readonly #listeners = new Set<StatusListener>();
  readonly #answered = new Set<string>();
  #state: t.Task | undefined;
  #detail: t.DetailedTask | undefined;
  #following: Following | undefined;
  #wake: (() => void) | undefined;
  /** the number of states received */
  #stateCount = 0;

  /** Takes the first state of a task, without its outcome, or the outcome itself. */
  constructor(
    source: TaskSource,
    known: { task: t.Task | t.DetailedTask; notice?: string } | { result: Promise<t.CallToolResult> },
  ) {
    this.notice = 'notice' in known ? known.notice : undefined;
    this.#source = source;
    if ('result' in known) {
      this.taskId = undefined;
      this.#following = { outcome: known.result, controller: new AbortController(), waiting: 0, done: true };
      return;
    }
    this.taskId = known.task.taskId;
    this.learn(known.task);
  }

  /** The last known state of the task; undefined if there is no task. */
  get state(): t.Task | undefined {
    return this.#state;
  }

  /** Calls `listener` whenever the state of the task changes; returns a function that stops this. */
  onStatus(listener: StatusListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves with the outcome: polls the task as often as the server allows, and answers its input requests.
   * Rejects with RpcError if the call failed, and with ConnectionError if the task was cancelled. A signal
   * ends the wait, not the task.
   */
  async result({ signal }: { signal?: AbortSignal } = {}): Promise<t.CallToolResult> {
    this.#following ??= this.#start();
    const following = this.#following;
    following.waiting += 1;
    try {
      return await within(following.outcome, 'the result of the task', { signal });
    } finally {
      following.waiting -= 1;
      if (following.waiting === 0 && !following.done) {
        following.controller.abort();
        this.#following = undefined;
      }
    }
  }

  /** Asks the server to cancel the task; an ended task is not changed. */
  async cancel(): Promise<void> {
    if (this.taskId === undefined || this.#isOver) return;
    const state = await this.#source.cancel(this.taskId);
    if (state !== undefined) this.learn(state);
  }

  /** Records a state of the task; states that are older than the known one, or follow the end, are ignored. */
  learn(received: t.Task | t.DetailedTask): void {
    const task = 'ttlMs' in received ? fromExtension(received) : received;
    const before = this.#state;
    const isOld = before !== undefined && Date.parse(task.lastUpdatedAt) < Date.parse(before.lastUpdatedAt);
    if (isOld || this.#hasOutcome || (this.#isOver && task.status !== before?.status)) return;
    this.#state = task;
    if (before !== undefined && 'ttlMs' in received) this.#detail = received;
    if (isEnded(task.status)) this.#source.over(task.taskId);
    this.#stateCount += 1;
    this.#wake?.();
    if (
      before === undefined ||
      (before.status === task.status && before.statusMessage === task.statusMessage)
    )
      return;
    for (const listener of [...this.#listeners]) this.#callListener(listener, task);
  }

  get #isOver(): boolean {
    return this.#state !== undefined && isEnded(this.#state.status);
  }

  #start(): Following {
    const controller = new AbortController();
    const { taskId } = this;
    if (taskId === undefined) throw new TypeError('a call that was answered has its result'); // the constructor set it
    const following = {
      outcome: this.#follow(taskId, controller.signal),
      controller,
      waiting: 0,
      done: false,
    };
    following.outcome.then(
      () => {
        following.done = true;
      },
      () => {
        // the waiting callers get the error; the next one tries again
        if (this.#following === following) this.#following = undefined;
      },
    );
    return following;
  }

  async #follow(taskId: string, signal: AbortSignal): Promise<t.CallToolResult> {
    for (;;) {
      const { status, ...task } = this.#state ?? { status: 'working' as const };
      // in the handshake era, input requests arrive during the request for the result
      const asks = status === 'input_required' && !this.#source.detailed;
      if (asks || this.#hasOutcome) return this.#collect(taskId, signal);
      if (status === 'input_required') await this.#answer(taskId, signal);
      const heard = this.#stateCount;
      if (!isEnded(status)) await pause(pollIntervalOf(task), signal, (wake) => (this.#wake = wake));
      if (this.#stateCount === heard) this.learn(await this.#source.look(taskId, { signal }));
    }
  }

  /** True if the known state contains the outcome, or if the outcome can be requested. */
  get #hasOutcome(): boolean {
    return this.#isOver && (!this.#source.detailed || this.#detail !== undefined);
  }

  async #collect(taskId: string, signal: AbortSignal): Promise<t.CallToolResult> {
    if (this.#state?.status === 'cancelled') throw new ConnectionError('cancelled', 'the task was cancelled');
    if (!this.#source.detailed) {
      const limits = this.#isOver ? {} : { timeout: LONGEST_MS };
      return this.#source.accept(await this.#source.wait(taskId, { signal, ...limits }));
    }
    const { result, error } = this.#detail ?? {};
    if (error !== undefined) throw new RpcError(error.code, error.message, { data: error.data });
    if (result === undefined) throw new AnswerError('the task is completed but has no result');
    return this.#source.accept(result);
  }

  /** Answers the input requests that have no response yet. */
  async #answer(taskId: string, signal: AbortSignal): Promise<void> {
    const open = Object.entries(this.#detail?.inputRequests ?? {}).filter(
      ([key]) => !this.#answered.has(key),
    );
    if (open.length === 0) return;
    for (const [key] of open) this.#answered.add(key);
    try {
      const answers = open.map(
        async ([key, question]) => [key, await this.#source.answer(question, signal)] as const,
      );
      const responses = Object.fromEntries(await Promise.all(answers)) as t.InputResponses; // `answer` checks them
      await this.#source.update(taskId, responses, { signal });
    } catch (error) {
      for (const [key] of open) this.#answered.delete(key);
      if (!(error instanceof RpcError)) throw error;
      throw new AnswerError(`the task requires input that this client does not support: ${error.message}`, {
        cause: error,
      });
    }
  }

  #callListener(listener: StatusListener, task: t.Task): void {
    try {
      listener(task);
    } catch (error) {
      this.#source.onError(toError(error));
    }
  }
}
