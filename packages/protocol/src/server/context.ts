import type { Params } from '../jsonrpc/message.ts';
import type { RequestOptions, Serving } from '../jsonrpc/peer.ts';
import { reaches } from '../protocol/logging.ts';
import type { Revision } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';

/**
 * The sender of a request: its revision, identity and capabilities.
 * @example
 * const canShowForms = ({ capabilities }: Facts): boolean => capabilities.elicitation !== undefined;
 */
export interface Facts {
  readonly revision: Revision;
  readonly client: t.Implementation | undefined;
  readonly capabilities: t.ClientCapabilities;
  /** the lowest level of log messages to send; undefined sends none */
  readonly logLevel: t.LoggingLevel | undefined;
  /** the principal that the transport authenticated */
  readonly principal: string | undefined;
  /** the connection that began with `initialize`; undefined in the stateless era, which has no sessions */
  readonly session: Session | undefined;
}

/**
 * A connection of the handshake era.
 * @example
 * const foldersOf = async (session: Session): Promise<string[]> =>
 *   ((await session.clientRoots()) ?? []).map(({ uri }) => uri);
 */
export interface Session {
  /** the client's roots, or undefined if it has none; the first call waits for the client's response */
  clientRoots(): readonly t.Root[] | undefined | Promise<readonly t.Root[] | undefined>;
  /** sends a notification that belongs to no request */
  notify(method: string, params: Params): void;
}

/** The channel for notifications and requests of a server during a call. */
export interface Sink {
  notify(method: string, params: Params): void;
  /** true while the other side reads too slowly, so that messages that may be lost are dropped */
  readonly congested: boolean;
  /** sends a request to the client; absent in the stateless era */
  request?(method: string, params: Params, options?: RequestOptions): Promise<Params>;
  /** closes the connection that waits for the response; the client then polls for it */
  release?(retryMs: number | undefined): void;
}

const PROGRESS_INTERVAL_MS = 50;

/**
 * The context of one call.
 * @example
 * const whoAmI = async (context: CallContext): Promise<string> => {
 *   context.log('info', 'somebody asks who they are');
 *   return `${context.facts.client?.name} with ${context.facts.revision}`;
 * };
 */
export class CallContext<S = unknown, A = undefined> {
  readonly facts: Facts;
  /** the value that the server's `scope` returned for this call */
  scope!: S;
  /** the value that the tool's `ask` returned */
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

  /** Aborts when the client cancels the call or disconnects. */
  get signal(): AbortSignal {
    return this.#serving.signal;
  }

  /** True if the client asked for progress of this call. */
  get wantsProgress(): boolean {
    return this.#token !== undefined;
  }

  /**
   * Reports progress to the client. Values that do not increase are dropped, and so are values within 50 ms
   * of the last, except one that equals `total`.
   */
  get progress(): (progress: number, total?: number, message?: string) => void {
    // a getter, so that it can be destructured from the context and costs calls that do not use it nothing
    return (progress, total, message) => this.#report(progress, total, message);
  }

  /** Sends a log message if the client asked for this level. Never log secrets or paths outside the roots. */
  get log(): (level: t.LoggingLevel, data: unknown, logger?: string) => void {
    return (level, data, logger) => this.#log(level, data, logger);
  }

  /**
   * Closes the HTTP connection on which the client waits; the client polls for the rest of the response,
   * after `retryMs` milliseconds if given. Does nothing on other transports and in older revisions.
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
