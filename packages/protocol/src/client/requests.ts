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
import { throughVisits, type VisitAll } from './page-visits.ts';
import { declaredBy } from './providers.ts';
import type { Reopening } from './reopening.ts';
import { checkResult } from './results.ts';
import { type AnswerQuestion, throughRounds } from './rounds.ts';
import { within } from './wait.ts';

/** Who answers what a server asks before it answers a request. */
export interface Asked {
  question(question: t.InputRequest, signal: AbortSignal | undefined): ReturnType<AnswerQuestion>;
  visitAll: VisitAll;
}

/** What one request does differently from all others. */
export interface Particulars {
  /** extensions that the client takes with this request alone */
  extensions?: Record<string, object>;
  /** checks the result in place of the usual form */
  check?: typeof checkResult;
}

/** The requests of one client, on the connection that is open now, and what the server says of itself. */
export class Requests {
  readonly era: Era;
  /** log messages below it are not wanted */
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

  /** Sends one request and gives its checked result, after answering what the server asks in between. */
  async request(
    method: string,
    params: Params,
    options: ClientRequestOptions,
    particulars: Particulars = {},
  ): Promise<Params> {
    const descriptor = this.#permit(method);
    checkMetaNames('params', params._meta);
    const { fresh = false, ...limits } = options;
    const ask = (): Promise<Answered> => this.#ask(method, params, limits, particulars);
    // what says more than its method and params is answered for itself
    const keepable = descriptor?.cacheable === true && !('_meta' in params || 'inputResponses' in params);
    if (this.#cached === undefined || !keepable) return (await ask()).result;
    const wait = (landing: Promise<void>): Promise<void> =>
      within(landing, `the answer to ${method}`, limits);
    return this.#cached.get(method, params, fresh, ask, wait);
  }

  /** Remembers what a server says of itself. */
  discovered({ capabilities, instructions }: t.DiscoverResult): void {
    this.#capabilities = capabilities;
    this.#instructions = instructions;
  }

  /** Goes on with a connection that was opened in place of one that was lost. */
  adopt({ link, revision, capabilities, serverInfo, instructions }: Agreement): void {
    if (link.closed !== undefined) throw new ConnectionError('closed', link.closed);
    if (revisions[revision].era !== this.era) {
      void link.close('the server talks another era than before');
      throw new AnswerError(`the server came back with ${revision}, which is of another era`);
    }
    this.#link = link;
    this.#revision = revision;
    this.#capabilities = capabilities ?? this.#capabilities;
    this.#serverInfo = safeInfo(serverInfo) ?? this.#serverInfo;
    this.#instructions = instructions ?? this.#instructions;
  }

  /** Nothing that a change is about, or nothing of a method, or nothing at all is fresh any more. */
  forget(what: Change | string | undefined): void {
    this.#cached?.forget(what);
  }

  /** Params with what the stateless era says in every request, and the extensions of this one. */
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
    particulars: Particulars,
  ): Promise<Answered> {
    const { timeout, maxTimeout, providers } = this.#settings;
    const limits = { timeout, maxTimeout, ...options };
    let sent = 0;
    const send = (next: Params): Promise<Params> => {
      sent += 1;
      return this.#send(method, next, limits, particulars);
    };
    const asks = methodIn(this.#revision, method)?.asks === true;
    if (this.era === 'stateless' && asks) {
      const result = await throughRounds(method, params, send, (question) =>
        this.#asked.question(question, limits.signal),
      );
      // what was given for somebody's answers is given for nothing else
      return { result, keepable: sent === 1 };
    }
    const visitAll = providers.elicitation?.url === undefined ? undefined : this.#asked.visitAll;
    return {
      result: await throughVisits(this.#revision, () => send(params), visitAll, limits),
      keepable: true,
    };
  }

  /** Sends a request once, or once more when the connection was lost and repeating it cannot do harm. */
  async #send(
    method: string,
    params: Params,
    limits: RequestOptions,
    { extensions, check = checkResult }: Particulars,
  ): Promise<Params> {
    const repeatable = methodIn(this.#revision, method)?.cacheable === true;
    for (let attempt = 1; ; attempt++) {
      await this.#reopened(method, limits);
      try {
        const result = await this.#link.request(method, this.stamp(params, extensions), limits);
        const checked = await check(this.#revision, method, result);
        this.#reopening?.proved();
        return this.#learn(checked);
      } catch (error) {
        const lost = this.#reopening?.pending !== undefined && isClosed(error);
        if (!lost || !repeatable || attempt > 1) throw error;
      }
    }
  }

  /** Waits while a connection that was lost is opened again. */
  async #reopened(method: string, { timeout, signal }: RequestOptions): Promise<void> {
    const pending = this.#reopening?.pending;
    if (pending === undefined) return;
    await within(pending, `opening the connection again for ${method}`, { timeout, signal });
  }

  /** Throws when the revision has no such method or the server did not declare what it needs. */
  #permit(method: string): MethodDescriptor | undefined {
    if (!Object.hasOwn(methods, method)) return undefined;
    const descriptor = methodIn(this.#revision, method);
    if (descriptor === undefined) throw new CapabilityError(`${method} is not part of ${this.#revision}`);
    const { capability } = descriptor;
    if (capability === undefined || this.#capabilities === undefined) return descriptor;
    // servers had completions before there was a capability to declare
    const undeclarable = capability === 'completions' && !revisions[this.#revision].annotations;
    // in the stateless era tasks are an extension, which their own module asks about
    const elsewhere = capability === 'tasks' && this.era === 'stateless';
    if (!undeclarable && !elsewhere && !Object.hasOwn(this.#capabilities, capability)) {
      throw new CapabilityError(
        `${method} needs the capability ${capability}, which the server did not declare`,
      );
    }
    return descriptor;
  }

  /** Remembers who answered. */
  #learn(result: Params): Params {
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
