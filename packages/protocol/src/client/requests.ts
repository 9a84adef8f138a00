import { ConnectionError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type { RequestOptions } from '../jsonrpc/peer.ts';
import { withoutUnsafeIcons } from '../protocol/icons.ts';
import { checkMetaNames, metaKeys } from '../protocol/meta.ts';
import { type MethodDescriptor, methodIn, methods } from '../protocol/methods.ts';
import { type Era, type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { type Answered, CachedRequests } from './cached-requests.ts';
import type { Change } from './changes.ts';
import { AnswerError, CapabilityError } from './errors.ts';
import type { Link } from './link.ts';
import { type Agreement, statelessMeta } from './negotiate.ts';
import type { ClientRequestOptions, Settings } from './options.ts';
import { requestWithVisits, type VisitAll } from './page-visits.ts';
import { declaredBy } from './providers.ts';
import type { Reopening } from './reopening.ts';
import { checkResult } from './results.ts';
import { type AnswerQuestion, requestInRounds } from './rounds.ts';
import { within } from './wait.ts';

/** Answers the input requests and page visits of a request. */
export interface Asked {
  question(question: t.InputRequest, signal: AbortSignal | undefined): ReturnType<AnswerQuestion>;
  visitAll: VisitAll;
}

/** Options of one request that differ from those of others. */
export interface RequestOverrides {
  /** extensions that the client declares with this request only */
  extensions?: Record<string, object>;
  /** checks the result instead of the default check */
  check?: typeof checkResult;
}

/** The requests of one client on its current connection, and what the server has declared. */
export class Requests {
  readonly era: Era;
  /** the lowest level of log messages to receive */
  logLevel: t.LoggingLevel | undefined;
  readonly #settings: Settings;
  readonly #asked: Asked;
  readonly #reopening: Reopening | undefined;
  readonly #cached: CachedRequests | undefined;
  #link: Link;
  #revision: Revision;
  #capabilities: t.ServerCapabilities | undefined;
  #serverInfo: t.Implementation | undefined;
  #instructions: string | undefined;

  constructor(agreement: Agreement, settings: Settings, asked: Asked, reopening: Reopening | undefined) {
    const { link, revision, capabilities, serverInfo, instructions } = agreement;
    this.era = revisions[revision].era;
    this.logLevel = settings.logLevel;
    this.#settings = settings;
    this.#asked = asked;
    this.#reopening = reopening;
    this.#link = link;
    this.#revision = revision;
    this.#capabilities = capabilities;
    this.#serverInfo = safeInfo(serverInfo);
    this.#instructions = instructions;
    const { cache } = settings;
    if (cache === undefined || this.era === 'handshake') return;
    this.#cached = new CachedRequests({
      cache,
      group: () => `${this.#revision} ${JSON.stringify(declaredBy(settings.providers, this.#revision))}`,
      credentials: () => this.#link.credentials,
    });
  }

  get link(): Link {
    return this.#link;
  }

  get revision(): Revision {
    return this.#revision;
  }

  get capabilities(): t.ServerCapabilities | undefined {
    return this.#capabilities;
  }

  get serverInfo(): t.Implementation | undefined {
    return this.#serverInfo;
  }

  get instructions(): string | undefined {
    return this.#instructions;
  }

  /** Sends one request and returns its checked result; answers input requests of the server in between. */
  async request(
    method: string,
    params: Params,
    options: ClientRequestOptions,
    overrides: RequestOverrides = {},
  ): Promise<Params> {
    const descriptor = this.#assertSupported(method);
    checkMetaNames('params', params._meta);
    const { fresh = false, ...limits } = options;
    const ask = (): Promise<Answered> => this.#ask(method, params, limits, overrides);
    // a request with more than its method and params is neither cached nor shared
    const cacheable = descriptor?.cacheable === true && !('_meta' in params || 'inputResponses' in params);
    if (this.#cached === undefined || !cacheable) return (await ask()).result;
    const wait = (settled: Promise<void>): Promise<void> =>
      within(settled, `the response to ${method}`, limits);
    return this.#cached.get(method, params, fresh, ask, wait);
  }

  /** Records the capabilities and instructions of a server. */
  discovered({ capabilities, instructions }: t.DiscoverResult): void {
    this.#capabilities = capabilities;
    this.#instructions = instructions;
  }

  /** Continues with a connection that replaces a lost one. */
  adopt({ link, revision, capabilities, serverInfo, instructions }: Agreement): void {
    if (link.closed !== undefined) throw new ConnectionError('closed', link.closed);
    if (revisions[revision].era !== this.era) {
      void link.close('the server uses another era than before');
      throw new AnswerError(`the server came back with ${revision}, which belongs to another era`);
    }
    this.#link = link;
    this.#revision = revision;
    this.#capabilities = capabilities ?? this.#capabilities;
    this.#serverInfo = safeInfo(serverInfo) ?? this.#serverInfo;
    this.#instructions = instructions ?? this.#instructions;
  }

  /** Makes cached results stale: those that a change affects, those of a method, or all. */
  forget(what: Change | string | undefined): void {
    this.#cached?.forget(what);
  }

  /** Returns params with the `_meta` of the stateless era and the extensions of this request. */
  stamp(params: Params, extensions?: Record<string, object>): Params {
    if (this.era === 'handshake') return params;
    const own = params._meta;
    const level = this.logLevel === undefined ? {} : { [metaKeys.logLevel]: this.logLevel };
    const meta = statelessMeta(this.#settings, this.#revision);
    if (extensions !== undefined)
      meta[metaKeys.clientCapabilities] = { ...meta[metaKeys.clientCapabilities], extensions };
    return { ...params, _meta: { ...(isObject(own) && own), ...meta, ...level } };
  }

  async #ask(
    method: string,
    params: Params,
    options: RequestOptions,
    overrides: RequestOverrides,
  ): Promise<Answered> {
    const { timeout, maxTimeout, providers } = this.#settings;
    const limits = { timeout, maxTimeout, ...options };
    let sent = 0;
    const send = (next: Params): Promise<Params> => {
      sent += 1;
      return this.#send(method, next, limits, overrides);
    };
    const asks = methodIn(this.#revision, method)?.asks === true;
    if (this.era === 'stateless' && asks) {
      const result = await requestInRounds(method, params, send, (question) =>
        this.#asked.question(question, limits.signal),
      );
      // a result that depends on responses is not cached
      return { result, cacheable: sent === 1 };
    }
    const visitAll = providers.elicitation?.url === undefined ? undefined : this.#asked.visitAll;
    return {
      result: await requestWithVisits(this.#revision, () => send(params), visitAll, limits),
      cacheable: true,
    };
  }

  /** Sends a request, and once more if the connection was lost and the request is safe to repeat. */
  async #send(
    method: string,
    params: Params,
    limits: RequestOptions,
    { extensions, check = checkResult }: RequestOverrides,
  ): Promise<Params> {
    const repeatable = methodIn(this.#revision, method)?.cacheable === true;
    for (let attempt = 1; ; attempt++) {
      await this.#reopened(method, limits);
      try {
        const result = await this.#link.request(method, this.stamp(params, extensions), limits);
        const checked = await check(this.#revision, method, result);
        this.#reopening?.succeeded();
        return this.#recordServerInfo(checked);
      } catch (error) {
        const lost = this.#reopening?.pending !== undefined && isClosed(error);
        if (!lost || !repeatable || attempt > 1) throw error;
      }
    }
  }

  /** Waits while a lost connection is reopened. */
  async #reopened(method: string, { timeout, signal }: RequestOptions): Promise<void> {
    const pending = this.#reopening?.pending;
    if (pending === undefined) return;
    await within(pending, `reopening the connection for ${method}`, { timeout, signal });
  }

  /** Throws if the revision has no such method or the server did not declare its capability. */
  #assertSupported(method: string): MethodDescriptor | undefined {
    if (!Object.hasOwn(methods, method)) return undefined;
    const descriptor = methodIn(this.#revision, method);
    if (descriptor === undefined) throw new CapabilityError(`${method} is not part of ${this.#revision}`);
    const { capability } = descriptor;
    if (capability === undefined || this.#capabilities === undefined) return descriptor;
    // servers had completions before there was a capability for them
    const undeclarable = capability === 'completions' && !revisions[this.#revision].annotations;
    // in the stateless era tasks are an extension, which tasks.ts checks
    const checkedElsewhere = capability === 'tasks' && this.era === 'stateless';
    if (!undeclarable && !checkedElsewhere && !Object.hasOwn(this.#capabilities, capability)) {
      throw new CapabilityError(
        `${method} needs the capability ${capability}, which the server did not declare`,
      );
    }
    return descriptor;
  }

  /** Records the server's name and version. */
  #recordServerInfo(result: Params): Params {
    if (this.era === 'stateless') {
      const meta = result._meta as t.ResultMetaObject | undefined; // the result was checked
      this.#serverInfo = safeInfo(meta?.[metaKeys.serverInfo]) ?? this.#serverInfo;
    }
    return result;
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof ConnectionError && error.reason === 'closed';
}

function safeInfo(info: t.Implementation | undefined): t.Implementation | undefined {
  return info && withoutUnsafeIcons({ serverInfo: info }).serverInfo;
}
