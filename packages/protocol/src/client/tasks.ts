import { RpcError } from '../jsonrpc/errors.ts';
import { type Id, isObject, type Params } from '../jsonrpc/message.ts';
import type { ProgressUpdate, RequestOptions } from '../jsonrpc/peer.ts';
import { errors } from '../protocol/errors.ts';
import { metaKeys } from '../protocol/meta.ts';
import { asksForTasks } from '../protocol/methods.ts';
import { type Revision, revisions } from '../protocol/revisions.ts';
import {
  acceptsTasks,
  declaresTaskExtension,
  fromExtension,
  tasksExtension,
} from '../protocol/tasks/wire.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError, CapabilityError, toError } from './errors.ts';
import { describeProblem } from './problem.ts';
import type { Particulars } from './requests.ts';
import { checkResult, loadSchemas } from './results.ts';
import type { Subscription } from './subscription.ts';
import { TaskHandle, type TaskSource } from './task-handle.ts';

/**
 * How one call runs as a task.
 * @example const options: TaskCallOptions = { ttl: 600_000, listen: true };
 */
export interface TaskCallOptions extends RequestOptions {
  /** milliseconds that the server is asked to keep the task for; in the stateless era the server decides */
  ttl?: number;
  /** has the server tell how the task fares besides being asked, where that takes a stream of its own. Default false */
  listen?: boolean;
}

/** What tasks need of the client that they belong to. */
export interface TaskHost {
  readonly revision: Revision;
  readonly capabilities: t.ServerCapabilities | undefined;
  request(method: string, params: Params, options: RequestOptions, particulars: Particulars): Promise<Params>;
  answer(question: t.InputRequest, signal: AbortSignal): Promise<object>;
  /** throws when the structured half of a result is not what the tool promised */
  checkOutput(name: string, result: t.CallToolResult): Promise<void>;
  listTools(): Promise<readonly t.Tool[]>;
  subscribe(filter: t.SubscriptionFilter, listener: () => void): Promise<Subscription>;
  onError(error: Error): void;
}

/**
 * Calls that run as tasks, and the tasks that this client has on the server.
 * @example
 * const run = (tasks: ClientTasks): Promise<unknown> => tasks.call('render', { frames: 100 });
 */
export class ClientTasks {
  readonly #host: TaskHost;
  readonly #handles = new Map<string, TaskHandle>();
  readonly #progress = new Map<Id, (update: ProgressUpdate) => void>();
  /** what the tools that were listed last say about tasks */
  #support = new Map<string, string | undefined>();
  #calls = 0;

  constructor(host: TaskHost) {
    this.#host = host;
  }

  /**
   * Calls a tool as a task. Resolves when the server has begun it, or has answered at once where it saw no need for a
   * task; throws CapabilityError when the server or the tool has no tasks.
   * @example
   * const task = await client.tasks.call('report', { year: 2026 });
   * task.onStatus(({ statusMessage }) => console.log(statusMessage));
   * const { content } = await task.result();
   */
  async call(name: string, args: Params = {}, options: TaskCallOptions = {}): Promise<TaskHandle> {
    const { ttl, listen = false, onProgress, ...limits } = options;
    await this.#assertRunnable(name);
    const token = `task ${++this.#calls}`;
    // the token of a request ends with its answer; that of a task lasts as long as the task
    if (onProgress !== undefined) this.#progress.set(token, onProgress);
    const params = {
      name,
      arguments: args,
      ...(!this.#detailed && { task: ttl === undefined ? {} : { ttl } }),
      ...(onProgress !== undefined && { _meta: { progressToken: token } }),
    };
    const source = this.#source(name, () => this.#progress.delete(token));
    let result: Params;
    try {
      const particulars = { ...this.#particulars, check: checkCall };
      result = await this.#host.request('tools/call', params, limits, particulars);
    } catch (error) {
      this.#progress.delete(token);
      throw error;
    }
    const task = taskIn(result);
    if (task === undefined) {
      this.#progress.delete(token);
      const accepted = source.accept(result);
      await accepted;
      return new TaskHandle(source, { result: accepted });
    }
    const notice = isObject(result._meta) ? result._meta[metaKeys.immediateResponse] : undefined;
    const known = { task, ...(typeof notice === 'string' && { notice }) };
    const handle = this.#hold(new TaskHandle(source, known));
    if (listen) await this.#listen(task.taskId);
    return handle;
  }

  /** Remembers which tools run as tasks. */
  remember(tools: readonly t.Tool[]): void {
    this.#support = new Map(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
  }

  /** Whether a tool has said that it runs only as a task. */
  isRequired(name: string): boolean {
    return this.#support.get(name) === 'required' && asksForTasks(this.#host.revision);
  }

  /** The outcome of a call that runs as a task for as long as somebody waits for it. */
  async run(name: string, args: Params, options: RequestOptions = {}): Promise<t.CallToolResult> {
    const { signal } = options;
    const handle = await this.call(name, args, options);
    try {
      return await handle.result(signal === undefined ? {} : { signal });
    } catch (error) {
      if (handle.state?.status === 'working' || handle.state?.status === 'input_required')
        handle.cancel().catch((fault: unknown) => this.#host.onError(toError(fault)));
      throw error;
    }
  }

  /** Takes up a task by its id, such as one of an earlier process; `name` is that of its tool, to check the result. */
  async resume(taskId: string, name?: string): Promise<TaskHandle> {
    const known = this.#handles.get(taskId);
    if (known !== undefined) return known;
    const source = this.#source(name, () => {});
    return this.#hold(new TaskHandle(source, { task: await source.look(taskId, {}) }));
  }

  /** How a task stands. */
  async get(taskId: string, options: RequestOptions = {}): Promise<t.Task> {
    const told = await this.#look(taskId, options);
    this.#handles.get(taskId)?.learn(told);
    return 'ttlMs' in told ? fromExtension(told) : told;
  }

  /** Every task that this client has on a server of 2025-11-25; the extension has no such list. */
  async list(options: RequestOptions = {}): Promise<t.Task[]> {
    this.#assertDeclared('list');
    const tasks: t.Task[] = [];
    const seen = new Set<unknown>();
    let cursor: unknown;
    do {
      const page = await this.#request('tasks/list', cursor === undefined ? {} : { cursor }, options);
      tasks.push(...(page as unknown as t.ListTasksResult).tasks); // the client checks results
      cursor = page.nextCursor;
      if (seen.has(cursor))
        throw new AnswerError('tasks/list returned the same cursor twice, so its list has no end');
      seen.add(cursor);
    } while (cursor !== undefined);
    return tasks;
  }

  /** Asks the server to stop a task; gives its state where the server tells it. */
  async cancel(taskId: string, options: RequestOptions = {}): Promise<t.Task | undefined> {
    this.#assertDeclared('cancel');
    const result = await this.#request('tasks/cancel', { taskId }, options);
    if (this.#detailed) return undefined;
    const task = result as unknown as t.CancelTaskResult; // the client checks results
    this.#handles.get(taskId)?.learn(task);
    return task;
  }

  /** Hands progress to the task whose token it has; true when there is one. */
  progressed({ progressToken, progress, total, message }: Params): boolean {
    const listener = this.#progress.get(progressToken as Id); // a value that is no id finds nothing
    if (listener === undefined || typeof progress !== 'number') return false;
    listener({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
    return true;
  }

  /** Hands the state that a notification tells to the handle of its task. */
  async notified(method: string, params: Params): Promise<void> {
    const handle = typeof params.taskId === 'string' ? this.#handles.get(params.taskId) : undefined;
    if (handle === undefined) return;
    const { revision } = this.#host;
    const schema = this.#detailed
      ? (await loadExtension()).taskNotificationParams(revision)
      : (await loadSchemas()).notification(revision, 'notifications/tasks/status');
    const parsed = schema?.safeParse(params);
    if (parsed?.success === true) handle.learn(parsed.data);
    else if (parsed !== undefined)
      this.#host.onError(new AnswerError(`${method} is not valid: ${describeProblem(parsed.error)}`));
  }

  get #detailed(): boolean {
    return revisions[this.#host.revision].era === 'stateless';
  }

  async #assertRunnable(name: string): Promise<void> {
    const { revision, capabilities } = this.#host;
    if (this.#detailed) {
      if (capabilities !== undefined && !declaresTaskExtension(capabilities))
        throw new CapabilityError(`the server did not declare ${tasksExtension}`);
      return;
    }
    if (!asksForTasks(revision)) throw new CapabilityError(`tasks are not part of ${revision}`);
    if (!acceptsTasks(revision, capabilities ?? {}, 'tools/call'))
      throw new CapabilityError('the server does not run tools as tasks');
    if (!this.#support.has(name)) this.remember(await this.#host.listTools());
    const support = this.#support.get(name);
    if (support !== 'optional' && support !== 'required')
      throw new CapabilityError(`tool ${name} does not run as a task`);
  }

  #assertDeclared(operation: 'list' | 'cancel'): void {
    const { revision, capabilities } = this.#host;
    if (!asksForTasks(revision) || capabilities?.tasks === undefined) return;
    if (!isObject(capabilities.tasks[operation]))
      throw new CapabilityError(
        `tasks/${operation} needs the capability tasks.${operation}, which the server did not declare`,
      );
  }

  #hold(handle: TaskHandle): TaskHandle {
    const { taskId, state } = handle;
    if (taskId === undefined || state === undefined) return handle;
    const known = this.#handles.get(taskId);
    if (known !== undefined) return known;
    if (state.status === 'working' || state.status === 'input_required') this.#handles.set(taskId, handle);
    return handle;
  }

  /** In the stateless era a request says by itself that its sender takes tasks. */
  get #particulars(): Particulars {
    return this.#detailed ? { extensions: { [tasksExtension]: {} } } : {};
  }

  #request(method: string, params: Params, options: RequestOptions): Promise<Params> {
    return this.#host.request(method, params, options, this.#particulars);
  }

  async #look(taskId: string, options: RequestOptions): Promise<t.Task | t.DetailedTask> {
    const result = await this.#request('tasks/get', { taskId }, options);
    if (!this.#detailed) return result as unknown as t.GetTaskResult; // the client checks results
    const { detailedTask } = await loadExtension();
    const parsed = detailedTask(this.#host.revision).safeParse(result);
    if (parsed.success) return parsed.data;
    throw new AnswerError(`the answer to tasks/get is not valid: ${describeProblem(parsed.error)}`);
  }

  async #listen(taskId: string): Promise<void> {
    if (!this.#detailed) return;
    const handle = this.#handles.get(taskId);
    const subscription = await this.#host.subscribe({ taskIds: [taskId] }, () => {});
    handle?.onStatus(({ status }) => {
      if (status === 'working' || status === 'input_required') return;
      subscription.close().catch((error: unknown) => this.#host.onError(toError(error)));
    });
  }

  #source(name: string | undefined, over: () => void): TaskSource {
    const host = this.#host;
    return {
      detailed: this.#detailed,
      look: (taskId, options) => this.#look(taskId, options),
      wait: (taskId, options) => this.#request('tasks/result', { taskId }, options),
      update: async (taskId, inputResponses, options) => {
        await this.#request('tasks/update', { taskId, inputResponses }, options);
      },
      cancel: (taskId) => this.cancel(taskId),
      answer: (question, signal) => host.answer(question, signal),
      accept: async (result) => {
        if (result.resultType !== undefined && result.resultType !== 'complete')
          throw new AnswerError('the result of a task must be complete');
        const checked = await checkResult(host.revision, 'tools/call', result);
        const outcome = checked as unknown as t.CallToolResult; // holds: the check says so
        if (name !== undefined) await host.checkOutput(name, outcome);
        return outcome;
      },
      over: (taskId) => {
        this.#handles.delete(taskId);
        over();
      },
      onError: (error) => host.onError(error),
    };
  }
}

/** Whether a server has refused a call because it can only make a task of it. */
export function needsTask(error: unknown): boolean {
  if (!(error instanceof RpcError) || error.code !== errors.MissingRequiredClientCapability.code)
    return false;
  const required = isObject(error.data) ? error.data.requiredCapabilities : undefined;
  return isObject(required) && isObject(required.extensions) && tasksExtension in required.extensions;
}

function loadExtension(): Promise<typeof import('../protocol/schemas/tasks-extension.ts')> {
  return import('../protocol/schemas/tasks-extension.ts');
}

/** A result of `tools/call`, or the task in its place. */
async function checkCall(revision: Revision, method: string, result: Params): Promise<Params> {
  if (taskIn(result) === undefined && result.resultType !== 'task' && !('task' in result))
    return checkResult(revision, method, result);
  const schema =
    (await loadSchemas()).taskResult(revision, method) ?? (await loadExtension()).createdTask(revision);
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data as unknown as Params; // holds: both schemas describe objects
  throw new AnswerError(`the answer to ${method} is not a valid task: ${describeProblem(parsed.error)}`);
}

/** The task that was made of a call, if one was; its form was checked. */
function taskIn(result: Params): t.Task | t.ExtensionTask | undefined {
  if (result.resultType === 'task') return result as unknown as t.CreateExtensionTaskResult;
  return isObject(result.task) && !('content' in result) ? (result.task as unknown as t.Task) : undefined;
}
