import { ConnectionError, RpcError } from '../jsonrpc/errors.ts';
import type { Params } from '../jsonrpc/message.ts';
import type { RequestOptions } from '../jsonrpc/peer.ts';
import { pause, pollIntervalOf } from '../protocol/tasks/polling.ts';
import { fromExtension, isEnded } from '../protocol/tasks/wire.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError, toError } from './errors.ts';
import { within } from './wait.ts';

/** What a handle needs of the client that its task was begun with. */
export interface TaskSource {
  /** whether questions and outcome come with the state, as in the stateless era, or by a request of their own */
  readonly detailed: boolean;
  /** how a task stands now */
  look(taskId: string, options: RequestOptions): Promise<t.Task | t.DetailedTask>;
  /** waits for the outcome, where it does not come with the state */
  wait(taskId: string, options: RequestOptions): Promise<Params>;
  update(taskId: string, inputResponses: t.InputResponses, options: RequestOptions): Promise<void>;
  cancel(taskId: string): Promise<t.Task | undefined>;
  answer(question: t.InputRequest, signal: AbortSignal): Promise<object>;
  /** the outcome as a checked result */
  accept(result: Params): Promise<t.CallToolResult>;
  /** hears that nothing more will be known of a task */
  over(taskId: string): void;
  onError(error: Error): void;
}

type StatusListener = (task: t.Task) => void;

/** One way to the outcome, which everybody who waits for it shares. */
interface Following {
  readonly outcome: Promise<t.CallToolResult>;
  readonly controller: AbortController;
  waiting: number;
  done: boolean;
}

/** A wait that only the server ends. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * A tool call that runs as a task on the server, or that the server has answered at once.
 * @example
 * const outcomeOf = async (handle: TaskHandle): Promise<CallToolResult> => {
 *   handle.onStatus(({ status }) => console.error(status));
 *   return handle.result();
 * };
 */
export class TaskHandle {
  /** names the task, also for another client later on; undefined when the server has answered at once */
  readonly taskId: string | undefined;
  /** what the server wants the model to be told while the task runs, where it has said so */
  readonly notice: string | undefined;
  readonly #source: TaskSource;
  readonly #listeners = new Set<StatusListener>();
  readonly #answered = new Set<string>();
  #state: t.Task | undefined;
  #detail: t.DetailedTask | undefined;
  #following: Following | undefined;
  #wake: (() => void) | undefined;
  /** how often the task was heard of */
  #heard = 0;

  /** From the first words about a task, which do not tell its outcome, or from the outcome itself. */
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

  /** How the task stood when it was last heard of; undefined when there is none. */
  get state(): t.Task | undefined {
    return this.#state;
  }

  /** Calls `listener` whenever the task is heard of in another state, until the returned function is called. */
  onStatus(listener: StatusListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The outcome, once there is one: looks at the task as often as the server allows and answers its questions in
   * between. Rejects with RpcError when the call failed, with ConnectionError when the task was cancelled. A signal
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

  /** Asks the server to stop; a task that has ended stays as it is. */
  async cancel(): Promise<void> {
    if (this.taskId === undefined || this.#isOver) return;
    const state = await this.#source.cancel(this.taskId);
    if (state !== undefined) this.learn(state);
  }

  /** Takes in how the task stands; what is older than what is known is ignored, and so is what follows the end. */
  learn(told: t.Task | t.DetailedTask): void {
    const task = 'ttlMs' in told ? fromExtension(told) : told;
    const before = this.#state;
    const isOld = before !== undefined && Date.parse(task.lastUpdatedAt) < Date.parse(before.lastUpdatedAt);
    if (isOld || this.#hasOutcome || (this.#isOver && task.status !== before?.status)) return;
    this.#state = task;
    if (before !== undefined && 'ttlMs' in told) this.#detail = told;
    if (isEnded(task.status)) this.#source.over(task.taskId);
    this.#heard += 1;
    this.#wake?.();
    if (
      before === undefined ||
      (before.status === task.status && before.statusMessage === task.statusMessage)
    )
      return;
    for (const listener of [...this.#listeners]) this.#tell(listener, task);
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
        // who waits hears of it; the next one tries again
        if (this.#following === following) this.#following = undefined;
      },
    );
    return following;
  }

  async #follow(taskId: string, signal: AbortSignal): Promise<t.CallToolResult> {
    for (;;) {
      const { status, ...task } = this.#state ?? { status: 'working' as const };
      // what waits for answers in the handshake era asks on the way to its result
      const asks = status === 'input_required' && !this.#source.detailed;
      if (asks || this.#hasOutcome) return this.#collect(taskId, signal);
      if (status === 'input_required') await this.#answer(taskId, signal);
      const heard = this.#heard;
      if (!isEnded(status)) await pause(pollIntervalOf(task), signal, (wake) => (this.#wake = wake));
      if (this.#heard === heard) this.learn(await this.#source.look(taskId, { signal }));
    }
  }

  /** Whether the state that is known tells the outcome, or that it can be asked for. */
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

  /** Answers the questions that have not been answered before. */
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
      throw new AnswerError(`the task asked what this client does not answer: ${error.message}`, {
        cause: error,
      });
    }
  }

  #tell(listener: StatusListener, task: t.Task): void {
    try {
      listener(task);
    } catch (error) {
      this.#source.onError(toError(error));
    }
  }
}
