import { batchTooLong, isLargeBatch, isLongBatch } from '../jsonrpc/batch.ts';
import { boundsFault } from '../jsonrpc/bounds.ts';
import type { RpcError } from '../jsonrpc/errors.ts';
import {
  classify,
  type Id,
  isId,
  isObject,
  type JsonText,
  type Notification,
  type Params,
  type Request,
} from '../jsonrpc/message.ts';
import { Peer, type Related, type Reply, type RequestOptions, type Serving } from '../jsonrpc/peer.ts';
import { failureText, notificationText } from '../jsonrpc/text.ts';
import { rpcError } from '../protocol/errors.ts';
import { isLoggingLevel } from '../protocol/logging.ts';
import { metaKeys } from '../protocol/meta.ts';
import { methodIn } from '../protocol/methods.ts';
import { newestHandshakeRevision, type Revision, revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { collectReplies } from './batch.ts';
import { ClientRoots } from './client-roots.ts';
import type { Facts, Sink } from './context.ts';
import { type Introduction, readInitialize, statelessFacts } from './facts.ts';
import { ListenStreams } from './listen.ts';
import { Outgoing } from './outgoing.ts';
import { type Call, type ChangedList, changedLists } from './registry.ts';
import type { Server } from './server.ts';
import { ResourceWatches } from './watches.ts';

export interface ConnectionOptions {
  /** writes one message */
  write(text: JsonText): void;
  /** true while the other side does not read; messages that may wait or be lost are then not sent */
  congested?(): boolean;
  /** the same for a transport on which all responses share one channel; queued requests then do not start */
  held?: () => boolean;
  principal?: string;
}

/** The maximum number of requests that one connection runs at once. */
const MOST_SERVING = 256;
/** The maximum number of queued requests of one connection. */
const MOST_WAITING = 4096;

/** The channel for messages that belong to one request, if they do not go to the connection's default channel. */
class RelatedSink implements Sink {
  readonly #peer: Peer;
  readonly #related: Related;

  constructor(peer: Peer, related: Related) {
    this.#peer = peer;
    this.#related = related;
  }

  get congested(): boolean {
    return this.#related.congested;
  }

  notify(method: string, params: Params): void {
    this.#related.write(notificationText(method, params));
  }

  request(method: string, params: Params, options?: RequestOptions): Promise<Params> {
    return this.#peer.request(method, params, options, (text) => this.#related.write(text));
  }

  release(retryMs: number | undefined): void {
    this.#related.release?.(retryMs);
  }
}

/**
 * One connection between a client and a server: determines the era and the revision, serves requests, and
 * ends everything that belongs to the connection when it closes.
 */
export class ServerConnection<S> implements Sink {
  readonly #server: Server<S>;
  readonly #options: ConnectionOptions;
  readonly #peer: Peer;
  readonly #roots: ClientRoots;
  readonly #listens: ListenStreams<S>;
  readonly #watches: ResourceWatches<S>;
  readonly #outgoing: Outgoing;
  readonly #single: Reply;
  #stopListening: (() => void) | undefined;
  #facts: Facts | undefined;
  /** the revision of the newest stateless request */
  #stateless: Revision | undefined;
  #ended = false;

  constructor(server: Server<S>, options: ConnectionOptions) {
    this.#server = server;
    this.#options = options;
    this.#single = { respond: (text) => options.write(text) };
    this.#outgoing = new Outgoing({ write: (text) => options.write(text), congested: () => this.congested });
    this.#peer = new Peer({
      write: (text) => options.write(text),
      serve: (request, serving, reply) => this.#serve(request, serving, reply),
      notified: (notification) => this.#notified(notification),
      cancelled: (id, reason) => this.#peer.notify('notifications/cancelled', { requestId: id, reason }),
      onError: (error) => server.report(error),
      maxServing: MOST_SERVING,
      maxQueued: MOST_WAITING,
      paused: options.held,
    });
    this.#roots = new ClientRoots(this.#peer, () => void this.#rootsChanged());
    this.#listens = new ListenStreams(server, this);
    this.#watches = new ResourceWatches(server, (uri) =>
      this.hold(uri, 'notifications/resources/updated', { uri }),
    );
  }

  /** The facts of the handshake; undefined before `initialize`. */
  get facts(): Facts | undefined {
    return this.#facts;
  }

  get congested(): boolean {
    return this.#options.congested?.() === true;
  }

  /** True while the client waits for a response or has resource subscriptions. */
  get busy(): boolean {
    return this.#peer.busy || this.#watches.size > 0;
  }

  /** Serves the text of one message, or of a batch if the revision has batches. Ignored once closed. */
  receive(text: string): void {
    if (this.#ended) return;
    if (isLongBatch(text)) {
      this.#batch(undefined, this.#single);
      return;
    }
    const fault = boundsFault(text);
    if (fault !== undefined) {
      this.refuse(rpcError('InvalidRequest', fault));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // the parser's error text quotes the message and is not sent
      this.#options.write(
        this.#failure(undefined, rpcError('ParseError', 'parse error: the message is not valid JSON')),
      );
      return;
    }
    try {
      this.accept(value, this.#single);
    } catch (error) {
      // the messages after it are served
      this.#server.report(error);
    }
  }

  /** Serves one parsed message, or a batch if the revision has batches; responses go to `reply`. */
  accept(value: unknown, reply: Reply): void {
    if (Array.isArray(value)) this.#batch(value, reply);
    else this.#accept(value, reply);
  }

  /** Returns the reason not to serve a batch, or undefined. `values` is undefined for a batch too long to parse. */
  batchFault(values: readonly unknown[] | undefined): string | undefined {
    const revision = this.#facts?.revision;
    if (revision === undefined || !revisions[revision].batches)
      return `batches are not part of ${revision ?? 'this revision'}; send each message on its own`;
    if (values?.length === 0) return 'a batch must hold at least one message';
    return values === undefined || isLargeBatch(values) ? batchTooLong : undefined;
  }

  /** Restores a session whose `initialize` was served elsewhere. */
  resume(introduction: Introduction): void {
    this.#introduce(introduction);
  }

  /** Sends an error response for input that could not be read as text. */
  refuse(error: RpcError): void {
    this.#options.write(this.#failure(undefined, error));
  }

  notify(method: string, params: Params): void {
    this.#outgoing.notify(method, params);
  }

  hold(key: string, method: string, params: Params): void {
    this.#outgoing.hold(key, method, params);
  }

  /** Sends the held notifications. */
  drained(): void {
    this.#outgoing.drained();
    this.#peer.next();
  }

  request(method: string, params: Params, options?: RequestOptions): Promise<Params> {
    return this.#peer.request(method, params, options);
  }

  /** Ends the listen streams with their results, and resolves when every request has a response. */
  async drain(): Promise<void> {
    const ended = this.#listens.endAll();
    await this.#peer.idle();
    // one page of 2026-07-28 requires the result, another this notification; after the result it is harmless
    for (const requestId of ended) {
      this.notify('notifications/cancelled', { requestId, reason: 'the server is shutting down' });
    }
  }

  /** Ends everything that belongs to the connection, without further messages. */
  close(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#outgoing.close();
    this.#stopListening?.();
    this.#listens.abandonAll();
    this.#watches.stopAll();
    this.#peer.close(reason);
    this.#server.sessionEnded(this.#roots);
  }

  #accept(value: unknown, reply: Reply, isOneOfMany = false): void {
    const classified = classify(value);
    switch (classified.kind) {
      case 'request':
        this.#peer.accept(classified.message, reply, isOneOfMany);
        return;
      case 'notification':
        this.#peer.notified(classified.message);
        return;
      case 'response':
        this.#peer.settle(classified.message);
        return;
      case 'malformed':
        reply.respond(this.#failure(classified.id, rpcError('InvalidRequest', classified.reason)));
        return;
      default:
        classified satisfies never;
    }
  }

  #batch(values: readonly unknown[] | undefined, reply: Reply): void {
    const fault = this.batchFault(values);
    if (values === undefined || fault !== undefined) {
      reply.respond(this.#failure(undefined, rpcError('InvalidRequest', fault)));
      return;
    }
    const collected = collectReplies(values, reply);
    for (const value of values) this.#accept(value, collected, true);
  }

  #serve(request: Request, serving: Serving, reply: Reply): JsonText | Promise<JsonText> {
    const { method, params = {} } = request;
    const meta = params._meta;
    if (meta !== undefined && !isObject(meta)) throw rpcError('InvalidParams', '_meta must be an object');
    const token = meta?.progressToken;
    if (token !== undefined && !isId(token))
      throw rpcError('InvalidParams', 'progressToken must be a string or an integer');
    const facts = this.#factsFor(method, meta);
    if (facts.session === undefined && method === 'subscriptions/listen') {
      return this.#listens.open({ facts, method, params, sink: this, serving });
    }
    if (facts.session !== undefined) {
      const own = this.#serveSession(facts, method, params, serving);
      if (own !== undefined) return own;
    }
    return this.#server.handle({
      facts,
      method,
      params,
      sink: reply.related === undefined ? this : new RelatedSink(this.#peer, reply.related),
      serving,
    });
  }

  /** Serves requests that change the state of a handshake connection. */
  #serveSession(
    facts: Facts,
    method: string,
    params: Params,
    serving: Serving,
  ): JsonText | Promise<JsonText> | undefined {
    switch (method) {
      case 'initialize':
        return this.#initialize(params);
      case 'logging/setLevel':
        return this.#setLevel(facts, params);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        if (this.#server.capabilities.resources?.subscribe !== true) return undefined;
        return this.#subscribe({ facts, method, params, sink: this, serving });
      default:
        return undefined;
    }
  }

  #factsFor(method: string, meta: Params | undefined): Facts {
    const claim = meta?.[metaKeys.protocolVersion];
    if (meta !== undefined && claim !== undefined) {
      const facts = statelessFacts(claim, meta, this.#options.principal);
      this.#stateless = facts.revision;
      return facts;
    }
    if (this.#facts !== undefined) return this.#facts;
    // only these two are allowed before the handshake
    if (method === 'initialize' || method === 'ping')
      return this.#handshakeFacts(newestHandshakeRevision, {}, undefined);
    throw rpcError(
      'InvalidParams',
      `send initialize first, or name ${metaKeys.protocolVersion} and ${metaKeys.clientCapabilities} in params._meta`,
    );
  }

  #handshakeFacts(
    revision: Revision,
    capabilities: t.ClientCapabilities,
    client: t.Implementation | undefined,
  ): Facts {
    return {
      revision,
      client,
      capabilities,
      logLevel: 'info',
      principal: this.#options.principal,
      session: this.#roots,
    };
  }

  #initialize(params: Params): JsonText {
    if (this.#facts !== undefined) throw rpcError('InvalidRequest', 'this connection is already initialized');
    const introduction = readInitialize(params);
    this.#introduce(introduction);
    return JSON.stringify(this.#server.initialization(introduction.revision));
  }

  #introduce({ revision, capabilities, client }: Introduction): void {
    this.#facts = this.#handshakeFacts(revision, capabilities, client);
    if (isObject(capabilities.roots)) this.#roots.expect();
    const notified = changedLists.filter(
      (list) =>
        this.#server.capabilities[list]?.listChanged === true &&
        methodIn(revision, `notifications/${list}/list_changed`) !== undefined,
    );
    this.#stopListening = this.#server.onListChanged(notified, (list) => this.#listChanged(list));
  }

  #setLevel(facts: Facts, params: Params): JsonText {
    const { level } = params;
    if (!isLoggingLevel(level))
      throw rpcError('InvalidParams', 'level must be a log level from debug to emergency');
    this.#facts = { ...facts, logLevel: level };
    return '{}';
  }

  async #subscribe(call: Call): Promise<JsonText> {
    const { uri } = call.params;
    if (typeof uri !== 'string') throw rpcError('InvalidParams', 'uri must be the URI of a resource');
    if (call.method === 'resources/unsubscribe') this.#watches.stop(uri);
    else await this.#watches.start(uri, call);
    return '{}';
  }

  #notified({ method, params = {} }: Notification): void {
    switch (method) {
      case 'notifications/cancelled': {
        const { requestId, reason } = params;
        if (isId(requestId))
          this.#cancel(requestId, typeof reason === 'string' ? reason : 'cancelled by the client');
        return;
      }
      case 'notifications/initialized':
      case 'notifications/roots/list_changed':
        if (isObject(this.#facts?.capabilities.roots)) this.#roots.fetch();
        return;
      case 'notifications/progress': {
        const { progressToken, progress, total, message } = params;
        if (!isId(progressToken) || typeof progress !== 'number') return;
        this.#peer.reportProgress(progressToken, {
          progress,
          ...(typeof total === 'number' && { total }),
          ...(typeof message === 'string' && { message }),
        });
        return;
      }
      default:
      // unknown notifications are ignored, as JSON-RPC requires
    }
  }

  #cancel(id: Id, reason: string): void {
    this.#listens.cancel(id);
    this.#peer.cancelServing(id, reason);
  }

  #listChanged(list: ChangedList): void {
    this.hold('', `notifications/${list}/list_changed`, {});
  }

  /** Checks the watches again, because access to resources may depend on the roots. */
  async #rootsChanged(): Promise<void> {
    const facts = this.#facts;
    if (facts === undefined) return;
    if (this.#server.capabilities.resources?.listChanged === true)
      this.hold('', 'notifications/resources/list_changed', {});
    await this.#watches.recheck(facts);
  }

  #failure(id: Id | undefined, error: RpcError): string {
    const revision = this.#facts?.revision ?? this.#stateless;
    const unknown = revision !== undefined && revisions[revision].omitsUnknownId ? undefined : null;
    return failureText(id ?? unknown, { code: error.code, message: error.message });
  }
}
