import { RpcError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type { Serving } from '../jsonrpc/peer.ts';
import { rpcError } from '../protocol/errors.ts';
import type { TaskOptions } from '../protocol/tasks/options.ts';
import { Tasks } from '../protocol/tasks/tasks.ts';
import { related, resultOf, toTask } from '../protocol/tasks/wire.ts';

/** The maximum number of tasks on one page of a list. */
const PAGE = 100;
/** The owner of all tasks: a connection has one requestor. */
const SERVER = 'server';

type Answer = (method: string, params: Params, signal: AbortSignal) => Promise<object>;

/** Runs requests of a server of 2025-11-25 as tasks. */
export class TaskReceiver {
  readonly #tasks: Tasks;
  readonly #answer: Answer;

  constructor(options: TaskOptions, answer: Answer, onError: (error: unknown) => void) {
    this.#tasks = new Tasks(options, onError);
    this.#answer = answer;
  }

  /** Creates the task of a request, or serves one of the `tasks/` methods. */
  async serve(method: string, params: Params, { signal }: Serving): Promise<object> {
    switch (method) {
      case 'tasks/get':
        return toTask(await this.#tasks.find(SERVER, params.taskId));
      case 'tasks/cancel':
        return this.#cancel(params.taskId);
      case 'tasks/list':
        return this.#list(params.cursor);
      case 'tasks/result':
        return this.#result(params.taskId, signal);
      default:
        return this.#begin(method, params);
    }
  }

  /** Cancels all tasks, because the server has disconnected. */
  close(): void {
    this.#tasks.endOwner(SERVER);
  }

  async #begin(method: string, { task: wish, ...params }: Params): Promise<object> {
    const ttl = isObject(wish) ? wish.ttl : undefined;
    const task = await this.#tasks.begin(SERVER, ttl, async ({ serving }) => ({
      result: JSON.stringify(await this.#answer(method, params, serving.signal)),
    }));
    return { task: toTask(task.record) };
  }

  async #cancel(taskId: unknown): Promise<object> {
    const cancelled = await this.#tasks.cancel(SERVER, taskId);
    const task = toTask(await this.#tasks.find(SERVER, taskId));
    if (cancelled) return task;
    throw rpcError('InvalidParams', `the task is ${task.status} and cannot be cancelled`);
  }

  async #list(cursor: unknown): Promise<object> {
    const { records, nextCursor } = await this.#tasks.page(SERVER, cursor, PAGE);
    return { tasks: records.map(toTask), ...(nextCursor !== undefined && { nextCursor }) };
  }

  async #result(id: unknown, signal: AbortSignal): Promise<object> {
    const record = await this.#tasks.ended(await this.#tasks.find(SERVER, id), signal, () => {});
    this.#tasks.reportRead(record);
    const { taskId, result, error } = record;
    if (error !== undefined) throw new RpcError(error.code, error.message, { data: error.data });
    if (result === undefined) throw rpcError('InternalError', 'the task was cancelled, so it has no result');
    return related(resultOf(result), taskId);
  }
}
