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
import type { RequestOverrides } from './requests.ts';
import { checkResult, loadSchemas } from './results.ts';
import type { Subscription } from './subscription.ts';
import { TaskHandle, type TaskSource } from './task-handle.ts';

/**
 * Options of a call that runs as a task.
 * @example const options: TaskCallOptions = { ttl: 600_000, listen: true };
 */
export interface TaskCallOptions extends RequestOptions {
  /** milliseconds that the server is asked to store the task; in the stateless era the server decides */
  ttl?: number;
  /** subscribes to the states of the task, besides polling, if that takes a stream of its own. Default false */
  listen?: boolean;
}

/** The parts of a client that its tasks use. */
export interface TaskHost {
  readonly revision: Revision;
  readonly capabilities: t.ServerCapabilities | undefined;
  request(
    method: string,
    params: Params,
    options: RequestOptions,
    overrides: RequestOverrides,
  ): Promise<Params>;
  answer(question: t.InputRequest, signal: AbortSignal): Promise<object>;
  /** throws if the structured content of a result does not match the tool's output schema */
  checkOutput(name: string, result: t.CallToolResult): Promise<void>;
  listTools(): Promise<readonly t.Tool[]>;
  subscribe(filter: t.SubscriptionFilter, listener: () => void): Promise<Subscription>;
  onError(error: Error): void;
}

/**
 * Calls that run as tasks, and the tasks of this client on the server.
 * @example
 * const run = (tasks: ClientTasks): Promise<unknown> => tasks.call('render', { frames: 100 });
 */
export class ClientTasks {
  readonly #host: TaskHost;
  readonly #handles = new Map<string, TaskHandle>();
  readonly #progress = new Map<Id, (update: ProgressUpdate) => void>();
  /** the task support of the tools that were last listed */
  #support = new Map<string, string | undefined>();
  #calls = 0;

  constructor(host: TaskHost) {
    this.#host = host;
  }

  /**
   * Calls a tool as a task. Resolves when the server has created it, or has responded directly because it
   * needs no task. Throws CapabilityError if the server or the tool does not support tasks.
   * @example
   * const task = await client.tasks.call('report', { year: 2026 });
   * task.onStatus(({ statusMessage }) => console.log(statusMessage));
   * const { content } = await task.result();
   */
  async call(name: string, args: Params = {}, options: TaskCallOptions = {}): Promise<TaskHandle> {
    const { ttl, listen = false, onProgress, ...limits } = options;
    await this.#assertRunnable(name);
    const token = `task ${++this.#calls}`;
    // the token of a request ends with its response; that of a task lasts as long as the task
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
      const overrides = { ...this.#overrides, check: checkCall };
      result = await this.#host.request('tools/call', params, limits, overrides);
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

  /** Records which tools support tasks. */
  remember(tools: readonly t.Tool[]): void {
    this.#support = new Map(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
  }

  /** Returns true if a tool runs only as a task. */
  isRequired(name: string): boolean {
    return this.#support.get(name) === 'required' && asksForTasks(this.#host.revision);
  }

  /** Calls a tool as a task and returns the outcome; the task is cancelled if nobody waits for it. */
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

  /**
   * Returns a handle for a task by its id, such as one of an earlier process; `name` is its tool, to check
   * the result.
   */
  async resume(taskId: string, name?: string): Promise<TaskHandle> {
    const known = this.#handles.get(taskId);
    if (known !== undefined) return known;
    const source = this.#source(name, () => {});
    return this.#hold(new TaskHandle(source, { task: await source.look(taskId, {}) }));
  }

  /** Returns the current state of a task. */
  async get(taskId: string, options: RequestOptions = {}): Promise<t.Task> {
    const task = await this.#getState(taskId, options);
    this.#handles.get(taskId)?.learn(task);
    return 'ttlMs' in task ? fromExtension(task) : task;
  }

  /** Returns all tasks of this client on a server of 2025-11-25; the extension has no such list. */
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
        throw new AnswerError('tasks/list returned the same cursor twice, so the list would never end');
      seen.add(cursor);
    } while (cursor !== undefined);
    return tasks;
  }

  /** Asks the server to cancel a task; returns its state if the server sends it. */
  async cancel(taskId: string, options: RequestOptions = {}): Promise<t.Task | undefined> {
    this.#assertDeclared('cancel');
    const result = await this.#request('tasks/cancel', { taskId }, options);
    if (this.#detailed) return undefined;
    const task = result as unknown as t.CancelTaskResult; // the client checks results
    this.#handles.get(taskId)?.learn(task);
    return task;
  }

  /** Passes progress to the task with its token; returns true if there is one. */
  progressed({ progressToken, progress, total, message }: Params): boolean {
    const listener = this.#progress.get(progressToken as Id); // a value that is not an id matches no task
    if (listener === undefined || typeof progress !== 'number') return false;
    listener({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
    return true;
  }

  /** Passes the state of a notification to the handle of its task. */
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
      this.#host.onError(new AnswerError(`${method} is invalid: ${describeProblem(parsed.error)}`));
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

  /** In the stateless era, a request declares the tasks extension itself. */
  get #overrides(): RequestOverrides {
    return this.#detailed ? { extensions: { [tasksExtension]: {} } } : {};
  }

  #request(method: string, params: Params, options: RequestOptions): Promise<Params> {
    return this.#host.request(method, params, options, this.#overrides);
  }

  async #getState(taskId: string, options: RequestOptions): Promise<t.Task | t.DetailedTask> {
    const result = await this.#request('tasks/get', { taskId }, options);
    if (!this.#detailed) return result as unknown as t.GetTaskResult; // the client checks results
    const { detailedTask } = await loadExtension();
    const parsed = detailedTask(this.#host.revision).safeParse(result);
    if (parsed.success) return parsed.data;
    throw new AnswerError(`the response to tasks/get is invalid: ${describeProblem(parsed.error)}`);
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
      look: (taskId, options) => this.#getState(taskId, options),
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
        const outcome = checked as unknown as t.CallToolResult; // the schema has these members
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

/** Returns true if a server has refused a call because the tool runs only as a task. */
export function needsTask(error: unknown): boolean {
  if (!(error instanceof RpcError) || error.code !== errors.MissingRequiredClientCapability.code)
    return false;
  const required = isObject(error.data) ? error.data.requiredCapabilities : undefined;
  return isObject(required) && isObject(required.extensions) && tasksExtension in required.extensions;
}

function loadExtension(): Promise<typeof import('../protocol/schemas/tasks-extension.ts')> {
  return import('../protocol/schemas/tasks-extension.ts');
}

/** Checks the result of `tools/call`, which may be a task. */
async function checkCall(revision: Revision, method: string, result: Params): Promise<Params> {
  if (taskIn(result) === undefined && result.resultType !== 'task' && !('task' in result))
    return checkResult(revision, method, result);
  const schema =
    (await loadSchemas()).taskResult(revision, method) ?? (await loadExtension()).createdTask(revision);
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data as unknown as Params; // both schemas describe objects
  throw new AnswerError(`the response to ${method} is not a valid task: ${describeProblem(parsed.error)}`);
}

/** Returns the task in the result of a call, if there is one; its form was checked. */
function taskIn(result: Params): t.Task | t.ExtensionTask | undefined {
  // checkCall has validated both forms
  if (result.resultType === 'task') return result as unknown as t.CreateExtensionTaskResult;
  return isObject(result.task) && !('content' in result) ? (result.task as unknown as t.Task) : undefined;
}
