import { ConnectionError } from '../jsonrpc/errors.ts';
import { type Id, isId, isObject, type Notification, type Params, type Request } from '../jsonrpc/message.ts';
import type { RequestOptions, Serving } from '../jsonrpc/peer.ts';
import { isLoggingLevel } from '../protocol/logging.ts';
import { metaKeys } from '../protocol/meta.ts';
import { type ClientRequests, type MethodDescriptor, methodIn, methods } from '../protocol/methods.ts';
import { type Era, type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { type ListName, listFields, readChange } from './changes.ts';
import { AnswerError, CapabilityError, toError } from './errors.ts';
import type { Link } from './link.ts';
import { ListenSubscriptions } from './listen-subscriptions.ts';
import { type Agreement, statelessMeta } from './negotiate.ts';
import type { Settings, Verdict } from './options.ts';
import { ToolOutputs } from './outputs.ts';
import { answer } from './providers.ts';
import { checkResult } from './results.ts';
import { throughRounds } from './rounds.ts';
import { SessionSubscriptions } from './session-subscriptions.ts';
import type { ChangeListener, Subscription } from './subscription.ts';
import { within } from './wait.ts';

type ClientMethod = keyof ClientRequests;
type ParamsOf<M extends ClientMethod> = ClientRequests[M]['params'];
type ResultOf<M extends ClientMethod> = ClientRequests[M]['result'];
type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';
type LogListener = (message: t.LoggingMessageNotificationParams) => void;

/** A connection to one server, in the era and revision that both agreed on. */
export class Client {
  readonly revision: Revision;
  readonly era: Era;
  /** what to give as `era` the next time, to save the probe */
  readonly verdict: Verdict;
  readonly #settings: Settings;
  readonly #link: Link;
  readonly #logListeners = new Set<LogListener>();
  readonly #session: SessionSubscriptions;
  readonly #listens: ListenSubscriptions;
  readonly #outputs = new ToolOutputs();
  #capabilities: t.ServerCapabilities | undefined;
  #serverInfo: t.Implementation | undefined;
  #instructions: string | undefined;
  #logLevel: t.LoggingLevel | undefined;

  constructor(agreement: Agreement, settings: Settings) {
    const { link, revision, capabilities, serverInfo, instructions } = agreement;
    this.revision = revision;
    this.era = revisions[revision].era;
    this.verdict = this.era === 'handshake' ? 'handshake' : { pinned: revision };
    this.#settings = settings;
    this.#link = link;
    this.#capabilities = capabilities;
    this.#serverInfo = serverInfo;
    this.#instructions = instructions;
    this.#logLevel = settings.logLevel;
    this.#session = new SessionSubscriptions({
      capabilities: capabilities ?? {},
      request: (method, params) => this.request(method, params as { uri: string }), // written in that module
    });
    this.#listens = new ListenSubscriptions({
      timeout: settings.timeout,
      listen: (params, sent, signal) =>
        link.request('subscriptions/listen', this.#stamp(params), { sent, signal }),
      onError: settings.onError,
    });
  }

  /** What the server offers; undefined while a pinned server was not asked to `discover`. */
  get capabilities(): t.ServerCapabilities | undefined {
    return this.#capabilities;
  }

  /** Who the server says it is; a stateless server says so with every result. */
  get serverInfo(): t.Implementation | undefined {
    return this.#serverInfo;
  }

  get instructions(): string | undefined {
    return this.#instructions;
  }

  /** Sends one request and gives its checked result, after answering what the server asks in between. */
  request<M extends ClientMethod>(
    method: M,
    params?: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<ResultOf<M>>;
  request(method: string, params?: Params, options?: RequestOptions): Promise<Params>;
  async request(method: string, params: Params = {}, options: RequestOptions = {}): Promise<Params> {
    const descriptor = this.#permit(method);
    const limits = { timeout: this.#settings.timeout, maxTimeout: this.#settings.maxTimeout, ...options };
    const send = async (sent: Params): Promise<Params> => {
      const result = await this.#link.request(method, this.#stamp(sent), this.#guarded(limits));
      return this.#learn(await checkResult(this.revision, method, result));
    };
    if (this.era === 'handshake' || descriptor?.asks !== true) return send(params);
    return throughRounds(method, params, send, (question) => this.#answer(question, options.signal));
  }

  /** Asks a stateless server what it offers. */
  async discover(options?: RequestOptions): Promise<t.DiscoverResult> {
    const result = await this.request('server/discover', {}, options);
    this.#capabilities = result.capabilities;
    this.#instructions = result.instructions;
    return result;
  }

  /** Every tool, on however many pages. */
  async listTools(options?: RequestOptions): Promise<t.Tool[]> {
    const pages = await this.#pages('tools/list', options);
    const tools = pages.flatMap((page) => page.tools);
    this.#outputs.remember(tools);
    return tools;
  }

  async listResources(options?: RequestOptions): Promise<t.Resource[]> {
    return (await this.#pages('resources/list', options)).flatMap((page) => page.resources);
  }

  async listResourceTemplates(options?: RequestOptions): Promise<t.ResourceTemplate[]> {
    return (await this.#pages('resources/templates/list', options)).flatMap((page) => page.resourceTemplates);
  }

  async listPrompts(options?: RequestOptions): Promise<t.Prompt[]> {
    return (await this.#pages('prompts/list', options)).flatMap((page) => page.prompts);
  }

  /** Calls a tool; a failure of the tool itself is a result with `isError`. */
  async callTool(name: string, args: Params = {}, options?: RequestOptions): Promise<t.CallToolResult> {
    const result = await this.request('tools/call', { name, arguments: args }, options);
    await this.#outputs.check(name, result);
    return result;
  }

  readResource(uri: string, options?: RequestOptions): Promise<t.ReadResourceResult> {
    return this.request('resources/read', { uri }, options);
  }

  getPrompt(
    name: string,
    args: Record<string, string> = {},
    options?: RequestOptions,
  ): Promise<t.GetPromptResult> {
    return this.request('prompts/get', { name, arguments: args }, options);
  }

  /** Suggestions for one argument of a prompt or one variable of a template; `context` has what is filled in. */
  async complete(
    ref: t.CompleteRequestParams['ref'],
    argument: { name: string; value: string },
    context?: Record<string, string>,
    options?: RequestOptions,
  ): Promise<t.CompleteResult['completion']> {
    const resolved = context === undefined ? {} : { context: { arguments: context } };
    const result = await this.request('completion/complete', { ref, argument, ...resolved }, options);
    return result.completion;
  }

  /** Asks for log messages of a level and above, from now on. */
  async setLogLevel(level: t.LoggingLevel): Promise<void> {
    if (!isLoggingLevel(level)) throw new TypeError(`${JSON.stringify(level)} is not a log level`);
    if (this.era === 'handshake') await this.request('logging/setLevel', { level });
    this.#logLevel = level;
  }

  /** Resolves when the server answers; the stateless era has no ping. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.request('ping', {}, options);
  }

  /**
   * Calls `listener` at every change of a resource, or of what a filter names, until it is closed. For a single
   * resource it throws when the server does not agree; for a filter, `acknowledged` says what it agreed to.
   */
  async subscribe(wanted: string | t.SubscriptionFilter, listener: ChangeListener): Promise<Subscription> {
    const filter = typeof wanted === 'string' ? { resourceSubscriptions: [wanted] } : wanted;
    const subscriptions = this.era === 'handshake' ? this.#session : this.#listens;
    const subscription = await subscriptions.open(filter, listener);
    const { acknowledged, refusals } = subscription;
    if (typeof wanted !== 'string' || acknowledged.resourceSubscriptions?.includes(wanted) === true)
      return subscription;
    await subscription.close();
    throw refusals[0] ?? new CapabilityError(`the server does not tell about changes of ${wanted}`);
  }

  /** Calls `listener` at every change of a list; throws when the server does not tell about it. */
  async onListChanged(list: ListName, listener: () => void): Promise<Subscription> {
    const field = listFields[list];
    const subscription = await this.subscribe({ [field]: true }, listener);
    if (subscription.acknowledged[field] === true) return subscription;
    await subscription.close();
    throw new CapabilityError(`the server does not tell about changes of its ${list}`);
  }

  /** Calls `listener` with every log message, until the returned function is called. */
  onLog(listener: LogListener): () => void {
    this.#logListeners.add(listener);
    return () => this.#logListeners.delete(listener);
  }

  /** Tells a handshake server that the roots have changed; a stateless one asks at each call. */
  rootsChanged(): void {
    if (this.era === 'stateless' || this.#settings.providers.roots === undefined) return;
    this.#link.notify('notifications/roots/list_changed');
  }

  /** Ends the connection in order; requests that are still open fail. */
  async close(): Promise<void> {
    await this.#link.close('the client was closed');
  }

  /** Serves a request of a handshake server. */
  async serve({ method, params }: Request, serving: Serving): Promise<string> {
    if (method === 'ping') return '{}';
    return JSON.stringify(
      await answer(this.#settings.providers, this.revision, method, params, { signal: serving.signal }),
    );
  }

  notified({ method, params = {} }: Notification): void {
    this.#tell(() => this.#settings.onNotification(method, params));
    switch (method) {
      case 'notifications/progress':
        this.#link.progressed(params);
        return;
      case 'notifications/cancelled':
        if (isId(params.requestId)) this.#cancelled(params.requestId, params.reason);
        return;
      case 'notifications/message':
        if (!isLoggingLevel(params.level) || !('data' in params)) return;
        // holds: its two required members were checked
        for (const listener of this.#logListeners) this.#tell(() => listener(params as never));
        return;
      default:
        this.#tell(() => this.#changed(method, params));
    }
  }

  closed(reason: string): void {
    this.#session.closed(new ConnectionError('closed', reason));
    this.#tell(() => this.#settings.onClose(reason));
  }

  /** The answer to a question inside a result; a call that is cancelled does not wait for it. */
  #answer({ method, params }: t.InputRequest, signal = new AbortController().signal): Promise<object> {
    const asked = params as Params | undefined; // holds: every form of params is an object
    const answered = answer(this.#settings.providers, this.revision, method, asked, { signal });
    return within(answered, `the answer to ${method}`, { signal });
  }

  #changed(method: string, params: Params): void {
    if (this.era === 'stateless') {
      this.#listens.notified(method, params);
      return;
    }
    const change = readChange(method, params);
    if (change !== undefined) this.#session.changed(change);
  }

  #cancelled(id: Id, reason: unknown): void {
    if (this.era === 'stateless') this.#listens.cancelled(id);
    else this.#link.cancelServing(id, typeof reason === 'string' ? reason : 'cancelled by the server');
  }

  /** Runs what others wrote; what it throws must not end the connection. */
  #tell(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#settings.onError(toError(error));
    }
  }

  #guarded(options: RequestOptions): RequestOptions {
    const { onProgress } = options;
    if (onProgress === undefined) return options;
    return { ...options, onProgress: (update) => this.#tell(() => onProgress(update)) };
  }

  /** Throws when the revision has no such method or the server did not declare what it needs. */
  #permit(method: string): MethodDescriptor | undefined {
    if (!Object.hasOwn(methods, method)) return undefined;
    const descriptor = methodIn(this.revision, method);
    if (descriptor === undefined) throw new CapabilityError(`${method} is not part of ${this.revision}`);
    const { capability } = descriptor;
    if (capability === undefined || this.#capabilities === undefined) return descriptor;
    // servers had completions before there was a capability to declare
    const undeclarable = capability === 'completions' && !revisions[this.revision].annotations;
    if (!undeclarable && !Object.hasOwn(this.#capabilities, capability)) {
      throw new CapabilityError(
        `${method} needs the capability ${capability}, which the server did not declare`,
      );
    }
    return descriptor;
  }

  /** Params with what the stateless era says in every request. */
  #stamp(params: Params): Params {
    if (this.era === 'handshake') return params;
    const own = params._meta;
    const level = this.#logLevel === undefined ? {} : { [metaKeys.logLevel]: this.#logLevel };
    const meta = statelessMeta(this.#settings, this.revision);
    return { ...params, _meta: { ...(isObject(own) && own), ...meta, ...level } };
  }

  /** Remembers who answered. */
  #learn(result: Params): Params {
    if (this.era === 'stateless') {
      const meta = result._meta as t.ResultMetaObject | undefined; // the result was checked
      this.#serverInfo = meta?.[metaKeys.serverInfo] ?? this.#serverInfo;
    }
    return result;
  }

  /** The pages of a list; only an absent cursor ends it. */
  async #pages<M extends ListMethod>(method: M, options?: RequestOptions): Promise<ResultOf<M>[]> {
    const pages: ResultOf<M>[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = (await this.request(method, params as ParamsOf<M>, options)) as ResultOf<M>; // by its method
      pages.push(page);
      cursor = page.nextCursor;
      if (cursor !== undefined && seen.has(cursor)) throw repeated(method);
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
    return pages;
  }
}

function repeated(method: string): Error {
  return new AnswerError(`${method} returned the same cursor twice, so its list has no end`);
}
