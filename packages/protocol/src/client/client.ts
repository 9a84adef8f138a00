import { ConnectionError } from '../jsonrpc/errors.ts';
import { type Id, isId, isObject, type Notification, type Params, type Request } from '../jsonrpc/message.ts';
import type { RequestOptions, Serving } from '../jsonrpc/peer.ts';
import { isLoggingLevel } from '../protocol/logging.ts';
import { metaKeys } from '../protocol/meta.ts';
import { asksForTasks, type ClientRequests, methodIn } from '../protocol/methods.ts';
import type { Era, Revision } from '../protocol/revisions.ts';
import { acceptsTasks, related, tasksExtension } from '../protocol/tasks/wire.ts';
import type * as t from '../protocol/types.ts';
import { type ListName, listFields, readChange } from './changes.ts';
import { CapabilityError, toError } from './errors.ts';
import type { Link } from './link.ts';
import { ListenSubscriptions } from './listen-subscriptions.ts';
import type { Agreement } from './negotiate.ts';
import type { ClientRequestOptions, Settings, Verdict } from './options.ts';
import { ToolOutputs } from './outputs.ts';
import { PageVisits } from './page-visits.ts';
import { readPages } from './pages.ts';
import { answer, declaredBy, type ProviderContext } from './providers.ts';
import { Reopening } from './reopening.ts';
import { Requests } from './requests.ts';
import { SessionSubscriptions } from './session-subscriptions.ts';
import type { ChangeListener, Subscription } from './subscription.ts';
import type { TaskReceiver } from './task-receiver.ts';
import { ClientTasks, needsTask } from './tasks.ts';
import { assertTexts } from './texts.ts';
import { Turns } from './turns.ts';
import { within } from './wait.ts';

type ClientMethod = keyof ClientRequests;
type ParamsOf<M extends ClientMethod> = ClientRequests[M]['params'];
type ResultOf<M extends ClientMethod> = ClientRequests[M]['result'];
type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';
type LogListener = (message: t.LoggingMessageNotificationParams) => void;

/** The maximum number of completion requests in progress; more are queued. */
const MOST_COMPLETIONS = 4;
/** The maximum number of open requests to the model and the user; more are queued. */
const MOST_QUESTIONS = 8;
const slowMethods: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create']);

/**
 * A connection to one server, in the negotiated era and revision.
 * @example
 * const calculator: Client = await connect(transport, { name: 'example', version: '1.0.0' });
 * const { structuredContent } = await calculator.callTool('add', { a: 1, b: 2 });
 * structuredContent; // => { sum: 3 }
 * await calculator.close();
 */
export class Client {
  readonly #settings: Settings;
  readonly #requests: Requests;
  readonly #reopening: Reopening | undefined;
  readonly #logListeners = new Set<LogListener>();
  readonly #session: SessionSubscriptions;
  readonly #listens: ListenSubscriptions;
  readonly #outputs = new ToolOutputs();
  readonly #visits = new PageVisits();
  readonly #completions = new Turns(MOST_COMPLETIONS);
  readonly #questions = new Turns(MOST_QUESTIONS);
  /** calls that run as tasks, and the tasks of this client */
  readonly tasks: ClientTasks;
  #receiver: Promise<TaskReceiver> | undefined;
  #closing = false;

  /** `reopen` opens a new connection with the same settings, if the settings enable it. */
  constructor(agreement: Agreement, settings: Settings, reopen: () => Promise<Agreement>) {
    this.#settings = settings;
    if (settings.reopen !== undefined) {
      this.#reopening = new Reopening({
        ...settings.reopen,
        open: reopen,
        adopt: (next, reason) => this.#adopt(next, reason),
        over: (reason) => this.#end(reason),
      });
    }
    const asked = {
      question: (question: t.InputRequest, signal: AbortSignal | undefined) => this.#answer(question, signal),
      visitAll: (pages: readonly t.ElicitRequestURLParams[], limits: RequestOptions) =>
        this.#visits.all(
          pages,
          (page) => this.#answer({ method: 'elicitation/create', params: page }, limits.signal),
          limits,
        ),
    };
    const requests = new Requests(agreement, settings, asked, this.#reopening);
    this.#requests = requests;
    this.#session = new SessionSubscriptions({
      get capabilities() {
        return requests.capabilities ?? {};
      },
      request: (method, params) => requests.request(method, params, {}),
    });
    this.tasks = new ClientTasks({
      get revision() {
        return requests.revision;
      },
      get capabilities() {
        return requests.capabilities;
      },
      request: (method, params, options, overrides) =>
        requests.request(method, params, this.#guarded(options), overrides),
      answer: (question, signal) => this.#answer(question, signal),
      checkOutput: (name, result) => this.#outputs.check(name, result),
      listTools: () => this.listTools(),
      subscribe: (filter, listener) => this.subscribe(filter, listener),
      onError: settings.onError,
    });
    this.#listens = new ListenSubscriptions({
      timeout: settings.timeout,
      listen: (params, sent, signal) => {
        const stamped = requests.stamp(params, extensionsFor(params));
        return requests.link.request('subscriptions/listen', stamped, { sent, signal });
      },
      reopened: () => this.#reopening?.pending,
      onError: settings.onError,
    });
  }

  /** The negotiated revision; it may change when a connection is reopened. */
  get revision(): Revision {
    return this.#requests.revision;
  }

  get era(): Era {
    return this.#requests.era;
  }

  /** The value of `era` that skips the probe on the next connect. */
  get verdict(): Verdict {
    return this.era === 'handshake' ? 'handshake' : { pinned: this.revision };
  }

  /** The server's capabilities; undefined while a pinned server was not asked to `discover`. */
  get capabilities(): t.ServerCapabilities | undefined {
    return this.#requests.capabilities;
  }

  /** The name and version of the server; a stateless server sends them with every result. */
  get serverInfo(): t.Implementation | undefined {
    return this.#requests.serverInfo;
  }

  get instructions(): string | undefined {
    return this.#requests.instructions;
  }

  /** Sends one request and returns its checked result; answers input requests of the server in between. */
  request<M extends ClientMethod>(
    method: M,
    params?: ParamsOf<M>,
    options?: ClientRequestOptions,
  ): Promise<ResultOf<M>>;
  request(method: string, params?: Params, options?: ClientRequestOptions): Promise<Params>;
  request(method: string, params: Params = {}, options: ClientRequestOptions = {}): Promise<Params> {
    return this.#requests.request(method, params, this.#guarded(options));
  }

  /** Requests the capabilities of a stateless server. */
  async discover(options?: ClientRequestOptions): Promise<t.DiscoverResult> {
    const result = await this.request('server/discover', {}, options);
    this.#requests.discovered(result);
    return result;
  }

  /** Returns all tools, from all pages. */
  async listTools(options?: ClientRequestOptions): Promise<t.Tool[]> {
    const pages = await this.#pages('tools/list', options);
    const tools = pages.flatMap((page) => page.tools);
    this.#outputs.remember(tools);
    this.tasks.remember(tools);
    return tools;
  }

  async listResources(options?: ClientRequestOptions): Promise<t.Resource[]> {
    return (await this.#pages('resources/list', options)).flatMap((page) => page.resources);
  }

  async listResourceTemplates(options?: ClientRequestOptions): Promise<t.ResourceTemplate[]> {
    return (await this.#pages('resources/templates/list', options)).flatMap((page) => page.resourceTemplates);
  }

  async listPrompts(options?: ClientRequestOptions): Promise<t.Prompt[]> {
    return (await this.#pages('prompts/list', options)).flatMap((page) => page.prompts);
  }

  /** Calls a tool; a failure of the tool itself is a result with `isError`. */
  async callTool(name: string, args: Params = {}, options?: ClientRequestOptions): Promise<t.CallToolResult> {
    if (this.tasks.isRequired(name)) return this.tasks.run(name, args, options);
    let result: t.CallToolResult;
    try {
      result = await this.request('tools/call', { name, arguments: args }, options);
    } catch (error) {
      if (!needsTask(error)) throw error;
      return this.tasks.run(name, args, options);
    }
    await this.#outputs.check(name, result);
    return result;
  }

  readResource(uri: string, options?: ClientRequestOptions): Promise<t.ReadResourceResult> {
    return this.request('resources/read', { uri }, options);
  }

  async getPrompt(
    name: string,
    args: Record<string, string> = {},
    options?: ClientRequestOptions,
  ): Promise<t.GetPromptResult> {
    assertTexts('argument', args);
    return this.request('prompts/get', { name, arguments: args }, options);
  }

  /**
   * Returns completions of one argument of a prompt or one variable of a template; `context` has the other
   * values.
   */
  async complete(
    ref: t.CompleteRequestParams['ref'],
    argument: { name: string; value: string },
    context?: Record<string, string>,
    options?: ClientRequestOptions,
  ): Promise<t.CompleteResult['completion']> {
    assertTexts('argument', { name: argument.name, value: argument.value });
    assertTexts('context', context ?? {});
    const resolved = context === undefined ? {} : { context: { arguments: context } };
    const { completion } = await this.#completions.take(() =>
      this.request('completion/complete', { ref, argument, ...resolved }, options),
    );
    return completion;
  }

  /** Requests log messages of a level and above. */
  async setLogLevel(level: t.LoggingLevel): Promise<void> {
    if (!isLoggingLevel(level)) throw new TypeError(`${JSON.stringify(level)} is not a log level`);
    if (this.era === 'handshake') await this.request('logging/setLevel', { level });
    this.#requests.logLevel = level;
  }

  /** Resolves when the server responds; the stateless era has no ping. */
  async ping(options?: ClientRequestOptions): Promise<void> {
    await this.request('ping', {}, options);
  }

  /**
   * Calls `listener` at every change of a resource, or of what a filter selects, until the subscription is
   * closed. For a single resource it throws if the server refuses; for a filter, `acknowledged` is the part
   * that the server accepted.
   */
  async subscribe(wanted: string | t.SubscriptionFilter, listener: ChangeListener): Promise<Subscription> {
    const filter = typeof wanted === 'string' ? { resourceSubscriptions: [wanted] } : wanted;
    const subscriptions = this.era === 'handshake' ? this.#session : this.#listens;
    const subscription = await subscriptions.open(filter, (change) =>
      this.#callListener(() => listener(change)),
    );
    const { acknowledged, refusals } = subscription;
    if (typeof wanted !== 'string' || acknowledged.resourceSubscriptions?.includes(wanted) === true)
      return subscription;
    await subscription.close();
    throw refusals[0] ?? new CapabilityError(`the server does not report changes of ${wanted}`);
  }

  /** Calls `listener` at every change of a list; throws if the server does not report its changes. */
  async onListChanged(list: ListName, listener: () => void): Promise<Subscription> {
    const field = listFields[list];
    const subscription = await this.subscribe({ [field]: true }, listener);
    if (subscription.acknowledged[field] === true) return subscription;
    await subscription.close();
    throw new CapabilityError(`the server does not report changes of its ${list}`);
  }

  /** Calls `listener` with every log message; returns a function that stops this. */
  onLog(listener: LogListener): () => void {
    this.#logListeners.add(listener);
    return () => this.#logListeners.delete(listener);
  }

  /** Notifies a handshake server that the roots have changed; a stateless one asks at each call. */
  rootsChanged(): void {
    // the server's lists may depend on the roots
    this.#requests.forget(undefined);
    if (this.era === 'stateless' || this.#settings.providers.roots === undefined) return;
    this.#requests.link.notify('notifications/roots/list_changed');
  }

  /** Closes the connection; open requests fail. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#reopening?.stop();
    await this.#requests.link.close('the client was closed');
  }

  /** Serves a request of a handshake server. */
  async serve({ method, params }: Request, serving: Serving): Promise<string> {
    if (method === 'ping') return '{}';
    const result = this.#isForTasks(method, params)
      ? await (await this.#receive()).serve(method, params ?? {}, serving)
      : await this.#provide(method, params, serving.signal);
    // requests about tasks name their task in params only
    return JSON.stringify(method.startsWith('tasks/') ? result : withRelatedTask(params, result));
  }

  notified({ method, params = {} }: Notification): void {
    this.#callListener(() => this.#settings.onNotification(method, params));
    switch (method) {
      case 'notifications/progress':
        this.#callListener(() => {
          if (!this.tasks.progressed(params)) this.#requests.link.progressed(params);
        });
        return;
      case 'notifications/tasks':
      case 'notifications/tasks/status':
        this.tasks.notified(method, params).catch((error: unknown) => this.#settings.onError(toError(error)));
        return;
      case 'notifications/cancelled':
        if (isId(params.requestId)) this.#cancelled(params.requestId, params.reason);
        return;
      case 'notifications/message':
        if (!isLoggingLevel(params.level) || !('data' in params)) return;
        // the two required members were checked
        for (const listener of this.#logListeners) this.#callListener(() => listener(params as never));
        return;
      case 'notifications/elicitation/complete':
        this.#visits.completed(params.elicitationId);
        return;
      default:
        this.#callListener(() => this.#changed(method, params));
    }
  }

  /** Handles the end of a connection. */
  closed(reason: string, link: Link): void {
    // a reopened connection that was not adopted
    if (link !== this.#requests.link) return;
    if (this.#reopening === undefined || this.#closing) this.#end(reason);
    else this.#reopening.lost(reason);
  }

  /** Restores the log level and the subscriptions at a server that has lost the session. */
  renewed(): void {
    this.#requests.forget(undefined);
    const restoring: Promise<void>[] = [this.#session.renew()];
    const { logLevel, capabilities } = this.#requests;
    if (logLevel !== undefined && capabilities?.logging !== undefined)
      restoring.push(this.setLogLevel(logLevel));
    for (const restored of restoring)
      restored.catch((error: unknown) => this.#settings.onError(toError(error)));
  }

  /** Reports every subscribed change, because notifications may have been lost. */
  missed(): void {
    this.#requests.forget(undefined);
    this.#session.missed();
  }

  /** Continues with a connection that replaces a lost one. */
  #adopt(agreement: Agreement, reason: string): void {
    this.#requests.adopt(agreement);
    if (this.era === 'handshake') agreement.link.notify('notifications/initialized');
    this.renewed();
    this.#callListener(() => this.#settings.onReopen(reason));
  }

  /** Ends the client: the connection is not reopened. */
  #end(reason: string): void {
    void this.#receiver?.then((receiver) => receiver.close());
    this.#session.closed(new ConnectionError('closed', reason));
    this.#callListener(() => this.#settings.onClose(reason));
  }

  /** Returns true if a request of the server is for the tasks of this client, and the client has declared tasks. */
  #isForTasks(method: string, params: Params | undefined): boolean {
    if (!asksForTasks(this.revision) || this.#settings.providers.tasks === undefined) return false;
    if (method.startsWith('tasks/')) return methodIn(this.revision, method) !== undefined;
    const declared = declaredBy(this.#settings.providers, this.revision);
    return params?.task !== undefined && acceptsTasks(this.revision, declared, method);
  }

  #receive(): Promise<TaskReceiver> {
    this.#receiver ??= import('./task-receiver.ts').then(({ TaskReceiver: Receiver }) => {
      const { providers, onError } = this.#settings;
      const provide = (method: string, params: Params, signal: AbortSignal): Promise<object> =>
        this.#provide(method, params, signal);
      return new Receiver(providers.tasks ?? {}, provide, (error) => onError(toError(error)));
    });
    return this.#receiver;
  }

  #provide(method: string, params: Params | undefined, signal: AbortSignal): Promise<object> {
    return this.#ask(method, params, this.#contextOf(params, signal));
  }

  /** Returns the response to an input request; a cancelled call does not wait for it. */
  #answer({ method, params }: t.InputRequest, signal = new AbortController().signal): Promise<object> {
    const asked = params as Params | undefined; // the params of all three methods are objects
    const context = this.#contextOf(asked, signal);
    const answered = this.#ask(method, asked, context);
    return within(answered, `the response to ${method}`, { signal });
  }

  /** Asks a provider; a limited number of requests to the model and the user run at once. */
  #ask(method: string, params: Params | undefined, context: ProviderContext): Promise<object> {
    const work = (): Promise<object> => {
      context.signal.throwIfAborted();
      return answer(this.#settings.providers, this.revision, method, params, context);
    };
    return slowMethods.has(method) ? this.#questions.take(work) : work();
  }

  /** Returns the context of a provider; one that opens a page also learns when the user has finished there. */
  #contextOf({ elicitationId }: Params = {}, signal: AbortSignal): ProviderContext {
    if (typeof elicitationId !== 'string') return { signal };
    return { signal, completed: this.#visits.completion(elicitationId) };
  }

  #changed(method: string, params: Params): void {
    const change = readChange(method, params);
    if (change !== undefined) this.#requests.forget(change);
    if (this.era === 'stateless') {
      this.#listens.notified(method, params);
      return;
    }
    if (change !== undefined) this.#session.changed(change);
  }

  #cancelled(id: Id, reason: unknown): void {
    if (this.era === 'stateless') this.#listens.cancelled(id);
    else
      this.#requests.link.cancelServing(id, typeof reason === 'string' ? reason : 'cancelled by the server');
  }

  /** Runs a callback of the application; an error of it is reported and does not end the connection. */
  #callListener(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#settings.onError(toError(error));
    }
  }

  #guarded(options: ClientRequestOptions): ClientRequestOptions {
    const { onProgress } = options;
    if (onProgress === undefined) return options;
    return { ...options, onProgress: (update) => this.#callListener(() => onProgress(update)) };
  }

  /** Returns all pages of a list. */
  #pages<M extends ListMethod>(method: M, options?: ClientRequestOptions): Promise<ResultOf<M>[]> {
    const read = async (cursor: string | undefined): Promise<ResultOf<M>> => {
      const params = cursor === undefined ? {} : { cursor };
      return (await this.request(method, params as ParamsOf<M>, options)) as ResultOf<M>; // the method determines both types
    };
    return readPages(method, read, () => this.#requests.forget(method));
  }
}

/** Returns the extensions that a listen request requires. */
function extensionsFor({ notifications }: Params): Record<string, object> | undefined {
  return isObject(notifications) && 'taskIds' in notifications ? { [tasksExtension]: {} } : undefined;
}

/** Returns a result with the related task of its request. */
function withRelatedTask(params: Params | undefined, result: object): object {
  const meta = params?._meta;
  const task = isObject(meta) ? meta[metaKeys.relatedTask] : undefined;
  return isObject(task) && typeof task.taskId === 'string' ? related(result, task.taskId) : result;
}
