import { randomBytes } from 'node:crypto';
import { isObject } from '../../jsonrpc/message.ts';
import { rpcError } from '../../protocol/errors.ts';
import type { Server } from '../../server/server.ts';
import { ownerOfPrincipal } from '../owner.ts';
import { refuse, refuseShare, unavailable } from './answer.ts';
import type { EventStore } from './event-store.ts';
import type { Exchange } from './exchange.ts';
import { Session } from './session.ts';
import type { SessionRecord, SessionStore } from './session-store.ts';
import type { Ticker } from './ticker.ts';

export interface SessionsOptions<S> {
  server: Server<S>;
  events: EventStore;
  ticker: Ticker;
  store: SessionStore | undefined;
  /** milliseconds without a request or a stream after which a session ends */
  idle: number;
  /** maximum number of sessions */
  cap: number;
  /** maximum number of sessions of one owner; undefined for a quarter of the cap */
  share: number | undefined;
}

/** A session, or the reason why it cannot be served: it does not exist, or is not available now. */
export type Found<S> = Session<S> | 'unknown' | 'unavailable';

const ID_BYTES = 24;
/** The number of times that idle sessions are checked during the idle time. */
const SWEEPS = 8;
const LEAST_SWEEP_MS = 1000;

/** The sessions of the handshake era. */
export class Sessions<S> {
  readonly #options: SessionsOptions<S>;
  readonly #live = new Map<string, Session<S>>();
  #sweeper: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(options: SessionsOptions<S>) {
    this.#options = options;
  }

  get size(): number {
    return this.#live.size;
  }

  /** Serves a POST without a session id: only `initialize` starts a session. */
  begin(exchange: Exchange, value: unknown, principal: string | undefined): void {
    if (!isObject(value) || value.method !== 'initialize') {
      const message = 'Mcp-Session-Id is missing; send initialize first and use the id of its response';
      refuse(exchange, 400, rpcError('InvalidRequest', message));
      return;
    }
    if (this.#closing) {
      unavailable(exchange, 'the server is shutting down');
      return;
    }
    const { owner } = exchange;
    if (owner !== undefined && !this.#makeRoomOf(owner)) {
      const message = `too many sessions of yours, at most ${this.#share}; end one first`;
      refuseShare(exchange, 429, message);
      return;
    }
    if (!this.#makeRoom()) {
      unavailable(exchange, 'too many sessions; try again later');
      return;
    }
    const session = this.#make(randomBytes(ID_BYTES).toString('base64url'), principal, owner);
    this.#live.set(session.id, session);
    session.post(exchange, value);
    const { facts } = session.connection;
    if (facts === undefined) {
      // the request was refused, so there is no session
      this.#end(session, 'initialize failed');
      return;
    }
    const { revision, capabilities, client } = facts;
    if (client === undefined || this.#options.store === undefined) return;
    const record = { introduction: { revision, capabilities, client }, principal };
    void this.#stored(() => this.#options.store?.save(session.id, record));
  }

  /** Returns the session of an id if it belongs to this principal and can be served here. */
  find(id: string, principal: string | undefined): Found<S> | Promise<Found<S>> {
    const session = this.#live.get(id);
    if (session !== undefined) return session.principal === principal ? session : 'unknown';
    const { store } = this.#options;
    if (store === undefined) return 'unknown';
    return this.#closing ? 'unavailable' : this.#takeOver(store, id, principal);
  }

  /** Ends a session for its client. */
  delete(session: Session<S>): void {
    this.#end(session, 'the client ended the session');
    void this.#stored(() => this.#options.store?.remove(session.id));
  }

  /** Refuses new sessions and resolves when all requests have their responses. */
  async drain(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#live.values()].map((session) => session.drain()));
  }

  close(reason: string): void {
    this.#closing = true;
    const refuse = (exchange: Exchange): void => unavailable(exchange, reason);
    for (const session of [...this.#live.values()]) this.#end(session, reason, refuse);
  }

  async #takeOver(store: SessionStore, id: string, principal: string | undefined): Promise<Found<S>> {
    let record: SessionRecord | undefined;
    try {
      record = await store.load(id);
    } catch (error) {
      this.#options.server.report(error);
      return 'unavailable';
    }
    // another request may have restored it in the meantime
    const live = this.#live.get(id);
    if (live !== undefined) return live.principal === principal ? live : 'unknown';
    if (record === undefined || record.principal !== principal) return 'unknown';
    if (this.#closing || !this.#makeRoom()) return 'unavailable';
    // streams of the previous process have low numbers
    const owner = principal === undefined ? undefined : ownerOfPrincipal(principal);
    const session = this.#make(id, principal, owner, Date.now());
    session.resume(record.introduction);
    this.#live.set(id, session);
    return session;
  }

  #make(
    id: string,
    principal: string | undefined,
    owner: string | undefined,
    firstStream?: number,
  ): Session<S> {
    const { server, events, ticker, idle } = this.#options;
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.max(LEAST_SWEEP_MS, idle / SWEEPS)).unref();
    return new Session({
      server,
      id,
      principal,
      owner,
      events,
      ticker,
      ...(firstStream !== undefined && { firstStream }),
    });
  }

  get #share(): number {
    const { cap, share } = this.#options;
    return share ?? Math.max(1, Math.floor(cap / 4));
  }

  /** Returns true if an owner may have one more session; may end the longest idle one. */
  #makeRoomOf(owner: string): boolean {
    const own = [...this.#live.values()].filter((session) => session.owner === owner);
    return own.length < this.#share || this.#endIdlest(own);
  }

  /** Returns true if there is room for one more session; may end one of the owner with the most. */
  #makeRoom(): boolean {
    if (this.#live.size < this.#options.cap) return true;
    const byOwner = new Map<string | undefined, Session<S>[]>();
    for (const session of this.#live.values()) {
      const own = byOwner.get(session.owner);
      if (own === undefined) byOwner.set(session.owner, [session]);
      else own.push(session);
    }
    const most = [...byOwner.values()].sort((one, other) => other.length - one.length);
    return most.some((own) => this.#endIdlest(own));
  }

  /** Ends the longest idle session; returns false if all are busy. */
  #endIdlest(sessions: Iterable<Session<S>>): boolean {
    let oldest: Session<S> | undefined;
    for (const session of sessions) {
      if (!session.busy && (oldest === undefined || session.lastUsed < oldest.lastUsed)) oldest = session;
    }
    if (oldest === undefined) return false;
    this.delete(oldest);
    return true;
  }

  #sweep(): void {
    const expired = performance.now() - this.#options.idle;
    for (const session of [...this.#live.values()]) {
      if (!session.busy && session.lastUsed < expired) this.delete(session);
    }
  }

  #end(session: Session<S>, reason: string, refuse = over): void {
    this.#live.delete(session.id);
    session.close(reason, refuse);
    if (this.#live.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /** Calls the store; if it fails, the session is available in this process only. */
  async #stored<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.server.report(error);
      return undefined;
    }
  }
}

function over(exchange: Exchange): void {
  refuse(
    exchange,
    404,
    rpcError('InvalidRequest', 'the session has ended; send initialize to start a new one'),
  );
}
