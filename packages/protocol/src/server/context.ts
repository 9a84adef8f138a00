import type { Params } from '../jsonrpc/message.ts';
import type { RequestOptions, Serving } from '../jsonrpc/peer.ts';
import { reaches } from '../protocol/logging.ts';
import type { Revision } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';

/**
 * What is known about who sent a request.
 * @example
 * const canShowForms = ({ capabilities }: Facts): boolean => capabilities.elicitation !== undefined;
 */
export interface Facts {
  readonly revision: Revision;
  readonly client: t.Implementation | undefined;
  readonly capabilities: t.ClientCapabilities;
  /** messages below it are not sent; undefined sends none */
  readonly logLevel: t.LoggingLevel | undefined;
  /** who the transport has authenticated */
  readonly principal: string | undefined;
  /** the connection that began with `initialize`; undefined in the stateless era, where nothing is remembered */
  readonly session: Session | undefined;
}

/**
 * A handshake-era connection as a server sees it.
 * @example
 * const foldersOf = async (session: Session): Promise<string[]> =>
 *   ((await session.clientRoots()) ?? []).map(({ uri }) => uri);
 */
export interface Session {
  /** the client's roots, undefined when it offers none; the first call waits for the answer */
  clientRoots(): readonly t.Root[] | undefined | Promise<readonly t.Root[] | undefined>;
  /** says something that belongs to no request in progress */
  notify(method: string, params: Params): void;
}

/** Where what a server says besides its answer goes. */
export interface Sink {
  notify(method: string, params: Params): void;
  /** true while the other side does not keep up, so that what may be dropped is */
  readonly congested: boolean;
  /** asks the client; only where the era has requests in that direction */
  request?(method: string, params: Params, options?: RequestOptions): Promise<Params>;
  /** lets go of the connection that waits for the answer, where the client then polls for it */
  release?(retryMs: number | undefined): void;
}

const PROGRESS_INTERVAL_MS = 50;

/**
 * What one call gives to the code that serves it.
 * @example
 * const whoAmI = async (context: CallContext): Promise<string> => {
 *   context.log('info', 'somebody asks who they are');
 *   return `${context.facts.client?.name} with ${context.facts.revision}`;
 * };
 */
export class CallContext<S = unknown, A = undefined> {
  readonly facts: Facts;
  /** what the server's `scope` gave for this call */
  scope!: S;
  /** what the tool's `ask` returned */
  answers!: A;
  readonly #serving: Serving;
  readonly #sink: Sink;
  readonly #token: t.ProgressToken | undefined;
  #lastProgress = Number.NEGATIVE_INFINITY;
  #lastSent = Number.NEGATIVE_INFINITY;

  constructor(facts: Facts, sink: Sink, serving: Serving, token: t.ProgressToken | undefined) {
    this.facts = facts;
    this.#sink = sink;
    this.#serving = serving;
    this.#token = token;
  }

  /** Aborts when the client cancels the call or goes away. */
  get signal(): AbortSignal {
    return this.#serving.signal;
  }

  /** Whether the client asked for progress of this call. */
  get wantsProgress(): boolean {
    return this.#token !== undefined;
  }

  /**
   * Tells the client how far the call is. Values that do not rise are dropped, and so is what comes faster
   * than every 50 ms, except the value that equals `total`.
   */
  get progress(): (progress: number, total?: number, message?: string) => void {
    // made when asked for, so that it can be taken out of the context and calls that do not use it pay nothing
    return (progress, total, message) => this.#report(progress, total, message);
  }

  /** Sends a log message to the client when it asked for this level; never put secrets or outside paths in it. */
  get log(): (level: t.LoggingLevel, data: unknown, logger?: string) => void {
    return (level, data, logger) => this.#log(level, data, logger);
  }

  /**
   * Lets go of the HTTP connection on which the client waits, where it polls for the rest of the answer: after
   * `retryMs` milliseconds, where that is given. Does nothing on other transports and older revisions.
   * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
   */
  releaseConnection(retryMs?: number): void {
    this.#sink.release?.(retryMs);
  }

  #report(progress: number, total: number | undefined, message: string | undefined): void {
    if (this.#token === undefined || this.#serving.done || progress <= this.#lastProgress) return;
    const now = performance.now();
    const final = total !== undefined && progress >= total;
    if (!final && (now - this.#lastSent < PROGRESS_INTERVAL_MS || this.#sink.congested)) return;
    this.#lastSent = now;
    this.#lastProgress = progress;
    this.#sink.notify('notifications/progress', {
      progressToken: this.#token,
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && this.facts.revision !== '2024-11-05' && { message }),
    });
  }

  #log(level: t.LoggingLevel, data: unknown, logger: string | undefined): void {
    const { logLevel } = this.facts;
    if (logLevel === undefined || this.#serving.done || this.#sink.congested || !reaches(level, logLevel))
      return;
    this.#sink.notify('notifications/message', { level, data, ...(logger !== undefined && { logger }) });
  }
}
